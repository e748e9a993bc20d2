// One request of the journal: headers and body of both sides, what the client makes of it, and where faults changed it.

import type { ComponentChildren } from "preact";
import { type OperationId, operations } from "../../../src/contract/index.ts";
import { jsonIn } from "../../../src/models/json.ts";
import {
  type BodyDifference,
  bodyDifferences,
  type ClientOutcome,
  clientCodeOf,
  codeOf,
  curlOf,
  httpStatusOf,
  MAX_DIFFERENCES,
  rawRequestOf,
  sentOperation,
} from "../code/request-code.ts";
import { beginningOf, byteCount, grouped, milliseconds } from "../format/values.ts";
import { AdminGate } from "../parts/admin-gate.tsx";
import { Code } from "../parts/code.tsx";
import { CopyWords, Facts, FullTime } from "../parts/facts.tsx";
import { Loaded } from "../parts/failure.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { ChainText } from "../parts/text.tsx";
import { href } from "../router.ts";
import { admin, type Entry, type Exchange } from "../service/admin.ts";
import { createServiceClient } from "../service/explorer.ts";
import { useQuery } from "../service/queries.ts";

export const nameOf = (operation: string | undefined): string =>
  operation !== undefined && Object.hasOwn(operations, operation)
    ? operations[operation as OperationId].name
    : "no operation";

/** A refusal with the status 200, such as that of a source that proves nothing, has the message of an error. */
export const statusClass = (status: number, message: string | undefined): string => {
  if (status < 200 || status >= 300) return status === 0 ? "badge warn" : "badge bad";
  return message === undefined ? "badge good" : "badge warn";
};

export const statusText = (status: number): string => (status === 0 ? "none" : `${status}`);

const headerFacts = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(
    ([name, value]) => [name, <ChainText text={value || "(empty)"} length={300} />] as const,
  );

function Headers({ headers }: { headers: Readonly<Record<string, string>> }) {
  const facts = headerFacts(headers);
  return facts.length > 0 ? <Facts facts={facts} /> : <p class="quiet">No headers.</p>;
}

const sizeOf = (body: string): number => new TextEncoder().encode(body).length;

/** How it was sent, where it was not sent as a whole. */
function deliveryOf({ body, missing, delivery }: Exchange["response"]): string | undefined {
  switch (delivery?.kind) {
    case "truncated":
      return `The connection ended after ${delivery.bytes}${missing ? "" : ` of ${sizeOf(body)}`} bytes.`;
    case "drip":
      return `Sent ${delivery.bytes} bytes at a time, every ${delivery.everyMs} ms.`;
    case "reset":
      return "The connection broke before the first byte.";
    case "never":
      return "No response was sent.";
    default:
      return undefined;
  }
}

const isCut = ({ response, untouched }: Exchange) =>
  Boolean(response.missing || untouched?.missing);

/** The differences to the response without faults: status, headers and each value of the body. */
function changesBy(exchange: Exchange): readonly BodyDifference[] {
  const { response, untouched } = exchange;
  if (!untouched) return [];
  const [before, after] = [untouched, response].map(({ headers }) => JSON.stringify(headers));
  const headers = bodyDifferences(before ?? "", after ?? "");
  return [
    ...(untouched.status === response.status
      ? []
      : [{ path: "status", before: `${untouched.status}`, after: statusText(response.status) }]),
    ...headers.map((one) => ({ ...one, path: `headers.${one.path}` })),
    ...(isCut(exchange) ? [] : bodyDifferences(untouched.body, response.body)),
  ];
}

const changeColumns: readonly Column<BodyDifference>[] = [
  {
    title: "Where",
    cell: ({ path }) => (
      <code>
        <ChainText text={path || "body"} length={100} />
      </code>
    ),
  },
  {
    title: "Without faults",
    kind: "text",
    cell: ({ before }) => <ChainText text={before ?? "nothing"} length={400} />,
  },
  {
    title: "As sent",
    kind: "text",
    cell: ({ after }) => (
      <strong>
        <ChainText text={after || "nothing"} length={400} />
      </strong>
    ),
  },
];

/** What faults changed, in a table or in words. */
function Changed({ exchange }: { exchange: Exchange }) {
  const changed = changesBy(exchange);
  if (exchange.untouched === null)
    return (
      <p class="quiet">The response without them is not known: the request changes something.</p>
    );
  if (changed.length === 0)
    return (
      <p>
        {isCut(exchange) ? "Status and headers" : "Status, headers and body"} are what they would
        have been without them.
      </p>
    );
  return (
    <>
      <Table
        label="Differences to the response without faults"
        columns={changeColumns}
        rows={changed.slice(0, MAX_DIFFERENCES)}
        keyOf={({ path }) => path}
      />
      {changed.length > MAX_DIFFERENCES && (
        <p class="quiet">and {grouped(changed.length - MAX_DIFFERENCES)} more</p>
      )}
    </>
  );
}

function FaultChanges({ exchange }: { exchange: Exchange }) {
  const { response, faults } = exchange;
  if (faults.length === 0) return null;
  const delivery = deliveryOf(response);
  return (
    <section class="card" aria-label="What faults changed">
      <h2>What faults changed</h2>
      <ul class="plain">
        {faults.map((fault, index) => (
          <li key={index}>
            <span class="badge warn">{`${fault.fault}`}</span>{" "}
            <code class="hex">
              <ChainText text={JSON.stringify(fault)} length={300} />
            </code>
          </li>
        ))}
      </ul>
      {delivery && <p>{delivery}</p>}
      <Changed exchange={exchange} />
      {isCut(exchange) && (
        <p class="quiet">The bodies are not kept in full, and so not compared.</p>
      )}
    </section>
  );
}

/** Longer ones are cut, and stay without links. */
const MAX_BODY = 200_000;
const MAX_LINKS = 2000;

/** What the client makes of the response. */
function ClientView({ entry, exchange }: { entry: Entry; exchange: Exchange }) {
  const loading = useQuery(["outcome", entry.number, entry.at], async () => ({
    outcome: await outcomeOf(entry, exchange),
  }));
  return (
    <Loaded of={loading} what="Could not decode it" lines={1}>
      {({ outcome }) =>
        outcome === undefined ? (
          <p class="quiet">The client does not send such a request.</p>
        ) : "results" in outcome ? (
          <Code wrap label="Response, decoded">
            {beginningOf(outcome.text, MAX_BODY)}
          </Code>
        ) : (
          <p class="reason">
            <strong>{outcome.error.name}</strong> <bdi>{outcome.text}</bdi>
          </p>
        )
      }
    </Loaded>
  );
}

/** Says that a body was cut. */
const Missing = ({ missing }: { missing?: number | undefined }) =>
  missing ? (
    <p class="note">
      The journal kept the beginning: {grouped(missing)} more characters are missing.
    </p>
  ) : null;

function Sides({ entry, exchange }: { entry: Entry; exchange: Exchange }) {
  const { request, response } = exchange;
  return (
    <>
      <FaultChanges exchange={exchange} />
      <section class="card" aria-label="Response">
        <h2>
          Response{" "}
          <span class={statusClass(response.status, entry.message)}>
            {statusText(response.status)}
          </span>{" "}
          {!response.missing && (
            <>
              <span class="quiet">{byteCount(sizeOf(response.body))}</span>{" "}
              <CopyWords text={() => response.body}>Copy the body</CopyWords>
            </>
          )}
        </h2>
        <Headers headers={response.headers} />
        <h3>Body</h3>
        <Missing missing={response.missing} />
        <Body body={response.body} label="Response body" />
        {!response.missing && (
          <>
            <h3>Decoded by the client</h3>
            <ClientView key={entry.number} entry={entry} exchange={exchange} />
          </>
        )}
        <details>
          <summary>As received</summary>
          <Code wrap label="Response as received">
            {beginningOf(response.body, MAX_BODY)}
          </Code>
        </details>
      </section>
      <section class="card" aria-label="Request">
        <h2>Request</h2>
        <Headers headers={request.headers} />
        <h3>Body {request.encoding === "base64" && "(no text; in base64)"}</h3>
        <Missing missing={request.missing} />
        <Body body={request.body} label="Request body" />
        {request.body !== "" && (
          <details>
            <summary>As sent</summary>
            <Code wrap label="Request as sent">
              {beginningOf(request.body, MAX_BODY)}
            </Code>
          </details>
        )}
      </section>
    </>
  );
}

function RequestCard({ entry, exchange }: { entry: Entry; exchange: Exchange | null }) {
  const code = clientCodeOf(entry);
  const curl = curlOf(rawRequestOf(entry, exchange), location.origin);
  const { number, method, target, at, duration, operation, status, notes, faults, message } = entry;
  return (
    <section class="card">
      <h1>
        Request {number}: {nameOf(operation)}{" "}
        <span class={statusClass(status, message)}>{statusText(status)}</span>
      </h1>
      <p class="subject">
        <code>
          {method} <ChainText text={target} length={300} />
        </code>
      </p>
      <p class="actions">
        {curl !== undefined && <CopyWords text={() => curl}>Copy as curl</CopyWords>}{" "}
        {code !== undefined && <CopyWords text={() => code}>Copy as code</CopyWords>}{" "}
        <a href={href("requests")}>All requests</a>
      </p>
      <Facts
        facts={[
          ["Time", <FullTime at={new Date(at)} />],
          ["Took", milliseconds(duration)],
          faults.length > 0 && ["Faults", faults.join(", ")],
          message !== undefined && ["Message", <ChainText text={message} length={300} />],
          notes.length > 0 && ["Near miss", <ChainText text={notes.join("; ")} length={300} />],
        ]}
      />
      {exchange === null && (
        <p class="note">
          Headers and bodies are kept of the newest 128 requests: newer ones took the place of this
          one's.
        </p>
      )}
    </section>
  );
}

function OneRequest({ number }: { number: string }) {
  const loading = useQuery(["request", number], (signal) =>
    admin("journalEntry", { number: Number(number) }, { signal }),
  );
  return (
    <Loaded of={loading} what={`Could not load request ${number.slice(0, 20)}`} lines={8}>
      {({ entry, exchange }) => (
        <>
          <RequestCard entry={entry} exchange={exchange} />
          {exchange && <Sides entry={entry} exchange={exchange} />}
        </>
      )}
    </Loaded>
  );
}

export const RequestView = ({ number }: { number: string }) => (
  <AdminGate title={`Request ${number.slice(0, 20)}`}>
    {() => <OneRequest number={number} />}
  </AdminGate>
);

/** The body as a fault let it through: it breaks off, or is the whole. */
function bodyOf({ body, delivery }: Exchange["response"]): BodyInit | null {
  if (delivery?.kind !== "truncated") return body === "" ? null : body;
  const bytes = new TextEncoder().encode(body).slice(0, Number(delivery.bytes));
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.error(new TypeError("terminated"));
    },
  });
}

/** Results or an error; undefined where it would not have sent the request, and where the response is not kept in full. */
export async function outcomeOf(
  entry: Entry,
  { response }: Exchange,
): Promise<(ClientOutcome & { readonly text: string }) | undefined> {
  const operation = sentOperation(entry);
  if (operation === undefined || entry.input === undefined || response.missing) return undefined;
  const { status, headers, delivery } = response;
  const client = createServiceClient({
    async fetch() {
      if (status === 0) throw new TypeError("fetch failed");
      return new Response([204, 304].includes(status) ? null : bodyOf(response), {
        status,
        headers,
      });
    },
  });
  try {
    const results = await client.request(operation, entry.input);
    return { results, text: codeOf(results) };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    const httpStatus = httpStatusOf(error);
    const timedOut = delivery?.kind === "never" ? "TimeoutError" : name;
    return {
      error: { name: timedOut, ...(httpStatus !== undefined && { httpStatus }) },
      text: `${message}`,
    };
  }
}

const pretty = (body: string): string | undefined => JSON.stringify(jsonIn(body), null, 2);

/** A property whose value may name a record: addresses, hashes, numbers of blocks. */
const VALUE = /("(\w+)":\s*)?"(0x(?:[0-9a-f]{64}|[0-9a-f]{40})|\d{1,15})"/gi;

/** The view of a value; undefined where it names no record. */
function viewOf(name: string, value: string): string | undefined {
  if (/^0x[\da-f]{40}$/i.test(value)) return "account";
  if (/^0x/i.test(value)) {
    if (/block.*hash/.test(name)) return "block";
    return /hash/.test(name) ? "tx" : undefined;
  }
  return /block_number$/i.test(name) ? "block" : undefined;
}

function linked(text: string): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(VALUE)) {
    const [all, before = "", name = "", value = ""] = match;
    const view = viewOf(name, value);
    if (view === undefined || parts.length > 2 * MAX_LINKS) continue;
    parts.push(text.slice(end, match.index), before, '"');
    parts.push(
      <a key={match.index} href={href(view, value)}>
        {value}
      </a>,
    );
    parts.push('"');
    end = match.index + all.length;
  }
  return [...parts, text.slice(end)];
}

/** JSON in lines with links, or the text unchanged. */
function Body({ body, label }: { body: string; label: string }) {
  if (body === "") return <p class="quiet">No body.</p>;
  const lines = body.length <= MAX_BODY ? pretty(body) : undefined;
  return (
    <Code wrap label={label}>
      {lines === undefined ? beginningOf(body, MAX_BODY) : linked(lines)}
    </Code>
  );
}
