// One request of the journal, with its response.
import type { ComponentChildren } from "preact";
import { type OperationId, operations } from "../../../src/contract/index.ts";
import { jsonIn } from "../../../src/models/json.ts";
import { codeOf, curlOf } from "../code/request-code.ts";
import { beginningOf, byteCount, grouped, milliseconds } from "../format/values.ts";
import { AdminGate } from "../parts/admin-gate.tsx";
import { Code } from "../parts/code.tsx";
import { CopyWords, Facts, FullTime } from "../parts/facts.tsx";
import { Loaded } from "../parts/failure.tsx";
import { ChainText } from "../parts/text.tsx";
import { href } from "../router.ts";
import { admin, type Entry, type Exchange } from "../service/admin.ts";
import type { Attempt } from "../service/call.ts";
import { useQuery } from "../service/queries.ts";

export const nameOf = (operation: string | undefined): string =>
  operation !== undefined && Object.hasOwn(operations, operation)
    ? operations[operation as OperationId].name
    : "no operation";

/** A response with status 200 and a message is a refusal, for example of an unverified source. */
export const statusClass = (status: number, message: string | undefined): string => {
  if (status < 200 || status >= 300) return status === 0 ? "badge warn" : "badge bad";
  return message === undefined ? "badge good" : "badge warn";
};

export const statusText = (status: number): string => (status === 0 ? "none" : `${status}`);

function Headers({ headers }: { headers: Readonly<Record<string, string>> }) {
  const entries = Object.entries(headers);
  if (entries.length === 0) return <p class="quiet">No headers.</p>;
  return (
    <Facts
      facts={entries.map(([name, value]) => [
        name,
        <ChainText text={value || "(empty)"} length={300} />,
      ])}
    />
  );
}

const sizeOf = (body: string): number => new TextEncoder().encode(body).length;

/** Characters of a decoded response that are shown. */
const MAX_LENGTH = 200_000;

/** How the client decodes the response: results as code, or the error that it throws. */
export const Outcome = ({ outcome: { results, error } }: { outcome: Attempt }) =>
  error === undefined ? (
    <Code wrap label="Response, decoded">
      {beginningOf(codeOf(results), MAX_LENGTH)}
    </Code>
  ) : (
    <p class="reason">
      <strong>{error.name}</strong> <bdi>{error.message}</bdi>
    </p>
  );

interface SideProps {
  readonly title: "Request" | "Response";
  readonly side: Exchange["request"] | Exchange["response"];
  readonly children?: ComponentChildren;
}

function Side({ title, side, children }: SideProps) {
  const { headers, body, missing } = side;
  const isBase64 = "encoding" in side && side.encoding === "base64";
  return (
    <section class="card" aria-label={title}>
      <h2>
        {title} {children}
        {!missing && body !== "" && (
          <>
            <span class="quiet">{byteCount(sizeOf(body))}</span>{" "}
            <CopyWords text={body}>Copy the body</CopyWords>
          </>
        )}
      </h2>
      <Headers headers={headers} />
      <h3>Body {isBase64 && "(binary, in base64)"}</h3>
      {missing ? (
        <p class="note">
          The journal kept the beginning: {grouped(missing)} more characters are missing.
        </p>
      ) : null}
      <Body body={body} label={`${title} body`} />
    </section>
  );
}

function RequestCard({ entry, exchange }: { entry: Entry; exchange: Exchange | null }) {
  const curl = exchange && curlOf({ ...entry, ...exchange.request }, location.origin);
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
      <p class="buttons">
        {curl && <CopyWords text={curl}>Copy as curl</CopyWords>}{" "}
        <a href={href("requests")}>All requests</a>
      </p>
      <Facts
        facts={[
          ["Time", <FullTime at={new Date(at)} />],
          ["Took", milliseconds(duration)],
          faults.length > 0 && [
            "Faults",
            <ChainText
              text={exchange ? JSON.stringify(exchange.faults) : faults.join(", ")}
              length={300}
            />,
          ],
          message !== undefined && ["Message", <ChainText text={message} length={300} />],
          notes.length > 0 && ["Near miss", <ChainText text={notes.join("; ")} length={300} />],
        ]}
      />
      {exchange === null && (
        <p class="note">The journal keeps headers and bodies of the newest 128 requests only.</p>
      )}
    </section>
  );
}

function OneRequest({ number }: { number: string }) {
  const loading = useQuery(["request", number], () =>
    admin("journalEntry", { number: Number(number) }),
  );
  return (
    <Loaded of={loading} what={`Could not load request ${number.slice(0, 20)}`} lines={8}>
      {({ entry, exchange }) => (
        <>
          <RequestCard entry={entry} exchange={exchange} />
          {exchange && (
            <>
              <Side title="Response" side={exchange.response}>
                <span class={statusClass(exchange.response.status, entry.message)}>
                  {statusText(exchange.response.status)}
                </span>{" "}
              </Side>
              <Side title="Request" side={exchange.request} />
            </>
          )}
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

/** Addresses and hashes in JSON. */
const HEX = /(?<=")(0x(?:[\da-f]{64}|[\da-f]{40}))(?=")/i;

/** Indented JSON, or the text as it is, with links to addresses, transactions and blocks. */
function Body({ body, label }: { body: string; label: string }) {
  if (body === "") return <p class="quiet">No body.</p>;
  const text = JSON.stringify(jsonIn(body), null, 2) ?? body;
  return (
    <Code wrap label={label}>
      {text.split(HEX).map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <a key={index} href={href("search", part)}>
            {part}
          </a>
        ),
      )}
    </Code>
  );
}
