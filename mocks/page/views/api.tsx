// API: the operations of the OpenAPI document, each with a form that asks it, and the response as received and as the client decodes it.

import { useState } from "preact/hooks";
import {
  operationsInOrder,
  type ParameterName,
  parameterDescriptions,
  resourceDescriptions,
  summaryOf,
} from "../../../src/contract/descriptions.ts";
import { type AnyOperation, isOptional } from "../../../src/contract/index.ts";
import { expectedOf } from "../../../src/models/issues.ts";
import { jsonIn } from "../../../src/models/json.ts";
import { postmanOf } from "../code/postman.ts";
import {
  type ClientOutcome,
  codeOf,
  curlOf,
  httpStatusOf,
  type RawRequest,
  type SentRequest,
  testOf,
} from "../code/request-code.ts";
import { beginningOf, byteCount, milliseconds } from "../format/values.ts";
import { useAction } from "../parts/action.tsx";
import { Code } from "../parts/code.tsx";
import { CopyWords } from "../parts/facts.tsx";
import { Failure } from "../parts/failure.tsx";
import { formFields } from "../parts/field.tsx";
import { createServiceClient } from "../service/explorer.ts";
import { head } from "../service/head.ts";

/** Longer answers are cut on the page; "Copy" has them whole. */
const MAX_LENGTH = 60_000;

function AskedResponse({ asked, of }: { asked: Asked; of: string }) {
  return (
    <div class="answer">
      <p>
        <span class={asked.status >= 200 && asked.status < 300 ? "badge good" : "badge bad"}>
          {asked.status || "no response"}
        </span>{" "}
        <span class="quiet">
          {milliseconds(asked.ms)}, {byteCount(asked.raw.length)}
        </span>{" "}
        <CopyWords text={() => asked.raw}>Copy</CopyWords>{" "}
        <CopyWords text={() => curlOf(asked.request, location.origin) ?? ""}>
          Copy as curl
        </CopyWords>{" "}
        <CopyWords text={() => testOfAsked(asked)}>Copy as test</CopyWords>
      </p>
      <p class="quiet hex">{asked.url}</p>
      <div class="columns">
        <div>
          <h3>As it came</h3>
          <Code wrap label={`Response of ${of} as received`}>
            {beginningOf(asked.raw, MAX_LENGTH)}
          </Code>
        </div>
        <div>
          <h3>Decoded</h3>
          {asked.error === undefined ? (
            <Code wrap label={`Response of ${of}, decoded`}>
              {beginningOf(asked.decoded, MAX_LENGTH)}
            </Code>
          ) : (
            <p class="reason">
              <bdi>{asked.error}</bdi>
            </p>
          )}
        </div>
      </div>
    </div>
  );
}

function ParameterField({ operation, name }: { operation: AnyOperation; name: string }) {
  const schema = operation.input.shape[name];
  const description = parameterDescriptions[name as ParameterName];
  const isLong = name === "contract_source" || name === "addresses" || name === "libraries";
  const id = `${operation.id}-${name}`;
  const shared = {
    id,
    name,
    required: !isOptional(schema),
    placeholder: schema ? expectedOf(schema).slice(0, 80) : "",
    spellcheck: false,
  };
  return (
    <div class={isLong ? "field all" : "field"} title={description}>
      <label for={id}>
        {name}
        {isOptional(schema) ? "" : " *"}
      </label>
      {isLong ? <textarea rows={3} {...shared} /> : <input autocomplete="off" {...shared} />}
    </div>
  );
}

function OperationForm({ operation }: { operation: AnyOperation }) {
  const [asked, setAsked] = useState<Asked>();
  const { isBusy, error, run, retry } = useAction();
  const submit = (event: SubmitEvent) => {
    const field = formFields(event);
    setAsked(undefined);
    run(async () => setAsked(await ask(operation, field)));
  };
  return (
    <form onSubmit={submit}>
      <div class="fields">
        {Object.keys(operation.input.shape).map((name) => (
          <ParameterField key={name} operation={operation} name={name} />
        ))}
      </div>
      <button type="submit" class="primary" disabled={isBusy}>
        {isBusy ? "Asking…" : "Ask"}
      </button>
      <Failure what="Not asked" error={error} retry={retry} />
      {asked && <AskedResponse asked={asked} of={operation.id} />}
    </form>
  );
}

/** Its form is drawn once it is opened. */
function Operation({ operation }: { operation: AnyOperation }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="operation" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="badge">{operation.id}</span>
        <strong>{operation.name}</strong>
        <code>
          {operation.method} {operation.path}
        </code>
        <span class="quiet">{summaryOf(operation)}</span>
      </summary>
      {isOpen && <OperationForm operation={operation} />}
    </details>
  );
}

export function ApiView() {
  return (
    <>
      <section class="card">
        <h1>API</h1>
        <p>
          The operations of the specification, as the OpenAPI document (
          <code>mrc-explorer/openapi.json</code>) has them. What you ask here is a request like any
          other: faults apply to it, and the journal keeps it.
        </p>
        <p>
          <a href="/openapi.json">OpenAPI document</a>{" "}
          <CopyWords text={() => JSON.stringify(postmanOf(location.origin), null, 2)}>
            Copy Postman collection
          </CopyWords>
        </p>
      </section>
      {Object.entries(resourceDescriptions).map(([resource, description]) => (
        <section class="card" key={resource}>
          <h2>
            {resource} <span class="quiet">{description}</span>
          </h2>
          {operationsInOrder
            .filter((operation) => operation.resource === resource)
            .map((operation) => (
              <Operation key={operation.id} operation={operation} />
            ))}
        </section>
      ))}
    </>
  );
}

export interface Asked {
  readonly url: string;
  /** 0 without a response. */
  readonly status: number;
  /** The body as received. */
  readonly raw: string;
  /** The results as the client decodes them, written as code; "" with an error. */
  readonly decoded: string;
  readonly error?: string;
  readonly ms: number;
  readonly request: RawRequest & SentRequest;
  readonly outcome: ClientOutcome;
}

/** The test that asks it again. */
const testOfAsked = ({ request, outcome }: Asked): string =>
  testOf(
    [{ entry: { ...request, number: 1 }, exchange: null, outcome }],
    head.get()?.source ?? { kind: "built", name: null },
  );

/** A field's text as the operation takes it: lists and structures as JSON, or addresses one by one. */
function inputOf(name: string, text: string): unknown {
  if (name === "addresses" && !text.startsWith("["))
    return text.split(/[\s,]+/).filter((one) => one !== "");
  if (/^\d{1,15}$/.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  const isJson = /^[[{]/.test(text) && name !== "contract_source";
  // The check of the parameters says what is wrong with any other text.
  return (isJson && jsonIn(text)) || text;
}

/** Somebody waits for it: for a compiler longer, as the operation says. */
const PATIENCE = 8000;

/** Rejects only where nothing was sent: its parameters are wrong. */
export async function ask(
  operation: AnyOperation,
  field: (name: string) => string,
): Promise<Asked> {
  const given = Object.keys(operation.input.shape).flatMap((name) => {
    const text = field(name);
    return text === "" ? [] : [[name, inputOf(name, text)]];
  });
  const input = Object.fromEntries(given);
  let [url, status] = ["", 0];
  let [method, body] = ["GET", ""];
  let raw = Promise.resolve("");
  const client = createServiceClient({
    timeout: operation.timeout > 15_000 ? operation.timeout : PATIENCE,
    async fetch(target: string, init: RequestInit) {
      url = target;
      method = init.method ?? method;
      body = typeof init.body === "string" ? init.body : "";
      const response = await fetch(target, init);
      status = response.status;
      // A body that breaks off or never ends is the client's to report.
      raw = response
        .clone()
        .text()
        .catch(() => "");
      return response;
    },
  });
  const start = performance.now();
  const asked = async () => {
    const ms = performance.now() - start;
    const { pathname, search } = new URL(url);
    const type = body === "" ? {} : { "content-type": "application/json" };
    const headers = { "api-key": "[api-key]", ...type };
    const sent = { method, target: pathname + search, status, headers, body, input };
    const request = { ...sent, operation: operation.id, encoding: "text" } as const;
    return { url, status, raw: await raw, ms, request };
  };
  try {
    const results = await client.request(operation, input);
    return { ...(await asked()), decoded: codeOf(results), outcome: { results } };
  } catch (error) {
    if (url === "") throw error;
    const message = error instanceof Error ? error.message : String(error);
    const name = error instanceof Error ? error.name : "";
    const httpStatus = httpStatusOf(error);
    return {
      ...(await asked()),
      decoded: "",
      error: message,
      outcome: { error: { name, httpStatus } },
    };
  }
}
