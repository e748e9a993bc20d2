// The operations of the API, each with a form that sends it.
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
import { curlOf } from "../code/request-code.ts";
import { beginningOf, byteCount, milliseconds } from "../format/values.ts";
import { Code } from "../parts/code.tsx";
import { CopyWords } from "../parts/facts.tsx";
import { type Field, Form, type Texts } from "../parts/form.tsx";
import { type Attempt, pageRequest, sendRequest } from "../service/call.ts";
import { Outcome } from "./request.tsx";

/** Characters of a response that are shown. "Copy" copies all of them. */
const MAX_LENGTH = 60_000;

/** Parameters with more text than fits into a line. */
const LONG = ["contract_source", "addresses", "libraries"];

const fieldOf = ({ input }: AnyOperation, name: string): Field => {
  const schema = input.shape[name];
  return {
    name,
    label: isOptional(schema) ? name : `${name} *`,
    title: parameterDescriptions[name as ParameterName],
    required: !isOptional(schema),
    placeholder: schema ? expectedOf(schema).slice(0, 80) : "",
    ...(LONG.includes(name) && { type: "textarea" as const }),
  };
};

/** Reads the text of a field: lists and structures as JSON, or addresses one by one. */
function inputOf(name: string, text: string): unknown {
  if (name === "addresses" && !text.startsWith("["))
    return text.split(/[\s,]+/).filter((address) => address !== "");
  if (/^\d{1,15}$/.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  const isJson = /^[[{]/.test(text) && name !== "contract_source";
  // The check of the parameters reports any other text.
  return (isJson && jsonIn(text)) || text;
}

interface SentRequest extends Attempt {
  readonly url: string;
  readonly curl: string;
  readonly ms: number;
}

/** Sends an operation as any program does. Throws if a parameter is wrong. */
async function send(operation: AnyOperation, texts: Texts): Promise<SentRequest> {
  const entries = Object.keys(operation.input.shape).flatMap((name) => {
    const text = texts(name);
    return text === "" ? [] : [[name, inputOf(name, text)]];
  });
  const request = pageRequest(operation, Object.fromEntries(entries));
  const { url, body = "" } = request;
  const start = performance.now();
  // A compiler takes longer than an answer from the chain.
  const limit = operation.timeout > 15_000 ? operation.timeout : undefined;
  const answer = await sendRequest(request, {}, limit);
  const headers: Record<string, string> = { "api-key": "[api-key]" };
  if (body !== "") headers["content-type"] = "application/json";
  const line = { method: operation.method, target: url.slice(location.origin.length), headers };
  const curl = curlOf({ ...line, body, encoding: "text" }, location.origin);
  return { ...answer, url, curl: curl ?? "", ms: performance.now() - start };
}

const Answer = ({ sent, of }: { sent: SentRequest; of: string }) => (
  <div class="answer">
    <p>
      <span class={sent.status >= 200 && sent.status < 300 ? "badge good" : "badge bad"}>
        {sent.status || "no response"}
      </span>{" "}
      <span class="quiet">
        {milliseconds(sent.ms)}, {byteCount(sent.text.length)}
      </span>{" "}
      <CopyWords text={sent.text}>Copy</CopyWords>{" "}
      <CopyWords text={sent.curl}>Copy as curl</CopyWords>
    </p>
    <p class="quiet hex">{sent.url}</p>
    <div class="columns">
      <div>
        <h3>As received</h3>
        <Code wrap label={`Response of ${of} as received`}>
          {beginningOf(sent.text, MAX_LENGTH)}
        </Code>
      </div>
      <div>
        <h3>Decoded</h3>
        <Outcome outcome={sent} />
      </div>
    </div>
  </div>
);

function OperationForm({ operation }: { operation: AnyOperation }) {
  const [sent, setSent] = useState<SentRequest>();
  return (
    <>
      <Form
        fields={Object.keys(operation.input.shape).map((name) => fieldOf(operation, name))}
        layout="grid"
        action="Send"
        busy="Sending…"
        isPrimary
        what="Not sent"
        run={async (texts) => {
          setSent(undefined);
          setSent(await send(operation, texts));
        }}
      />
      {sent && <Answer sent={sent} of={operation.id} />}
    </>
  );
}

/** The form is drawn when it is opened, because there are many. */
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

export const ApiView = () => (
  <>
    <section class="card">
      <h1>API</h1>
      <p>
        What you send here is a request like any other: faults apply to it, and the journal lists
        it. The <a href="/openapi.json">OpenAPI document</a> describes the same operations.
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
