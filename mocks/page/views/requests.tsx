// The requests of the program under test, as they arrive.
import { useMemo, useState } from "preact/hooks";
import { clientCodeOf, curlOf, rawRequestOf } from "../code/request-code.ts";
import { grouped, milliseconds } from "../format/values.ts";
import { AdminGate } from "../parts/admin-gate.tsx";
import { CopyWords } from "../parts/facts.tsx";
import { Failure, Skeleton } from "../parts/failure.tsx";
import { FieldInput, Form } from "../parts/form.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { ChainText, Time } from "../parts/text.tsx";
import { href } from "../router.ts";
import { admin, type Entry } from "../service/admin.ts";
import { useQuery } from "../service/queries.ts";
import { nameOf, RequestView, statusClass, statusText } from "./request.tsx";

const isMiss = ({ notes, status }: Entry): boolean =>
  notes.length > 0 || [400, 404, 405].includes(status);

/** The request's line, what was probably meant, and the message of the response. */
const RequestCell = ({ entry: { target, notes, message } }: { entry: Entry }) => (
  <>
    <code>
      <ChainText text={target} length={160} />
    </code>
    {notes.map((note) => (
      <div key={note} class="note">
        <ChainText text={note} length={200} />
      </div>
    ))}
    {message !== undefined && (
      <div class="quiet">
        <ChainText text={message} length={200} />
      </div>
    )}
  </>
);

/** Returns null once newer requests have taken its place. */
const exchangeOf = async ({ number }: Entry) => (await admin("journalEntry", { number })).exchange;

const columns: readonly Column<Entry>[] = [
  {
    title: "#",
    cell: ({ number }) => (
      <a class="number" data-row href={href("requests", number)}>
        {number}
      </a>
    ),
  },
  { title: "Time", cell: ({ at }) => <Time at={new Date(at)} /> },
  {
    title: "Operation",
    cell: ({ operation, method }) => (
      <>
        {nameOf(operation)} <span class="quiet">{operation ?? method}</span>
      </>
    ),
  },
  { title: "Request", kind: "text", cell: (entry) => <RequestCell entry={entry} /> },
  {
    title: "Status",
    cell: ({ status, message, faults }) => (
      <>
        <span class={statusClass(status, message)}>{statusText(status)}</span>
        {faults.map((fault, index) => (
          <span key={`${index} ${fault}`} class="badge warn" title="A fault that was applied">
            {fault}
          </span>
        ))}
      </>
    ),
  },
  { title: "Took", kind: "number", cell: ({ duration }) => milliseconds(duration) },
  {
    title: "Copy",
    cell(entry) {
      const code = clientCodeOf(entry);
      return (
        <>
          <CopyWords
            text={async () => curlOf(rawRequestOf(entry, await exchangeOf(entry)), location.origin)}
          >
            curl
          </CopyWords>{" "}
          {code !== undefined && <CopyWords text={() => code}>code</CopyWords>}
        </>
      );
    },
  },
];

/** Requests that the page keeps. */
export const MAX_ENTRIES = 1000;
/** Rows that are drawn. */
const MAX_SHOWN = 200;
const EVERY_MS = 1000;

interface Wanted {
  readonly text: string;
  readonly onlyMisses: boolean;
}

/** Filters the entries, and returns the newest first. */
const filtered = (entries: readonly Entry[], { text, onlyMisses }: Wanted): readonly Entry[] =>
  entries
    .filter(
      (entry) =>
        (!onlyMisses || isMiss(entry)) &&
        `${entry.target} ${nameOf(entry.operation)} ${entry.status} ${entry.faults}`
          .toLowerCase()
          .includes(text.toLowerCase()),
    )
    .slice(-MAX_SHOWN)
    .reverse();

function Journal() {
  const { value, error, retry } = useQuery<JournalState>(
    ["journal"],
    (signal, previous) => readJournal(previous, signal),
    { every: EVERY_MS },
  );
  const entries = value?.entries;
  const [wanted, setWanted] = useState<Wanted>({ text: "", onlyMisses: false });
  const shown = useMemo(() => filtered(entries ?? [], wanted), [entries, wanted]);
  return (
    <section class="card">
      <h1>Requests</h1>
      <div class="inline">
        <FieldInput
          field={{
            ...{ name: "text", label: "Only with", type: "search" },
            placeholder: "an address, an operation, a status",
            onInput: (text) => setWanted({ ...wanted, text }),
          }}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={wanted.onlyMisses}
            onChange={(event) => setWanted({ ...wanted, onlyMisses: event.currentTarget.checked })}
          />
          Near misses
        </label>
        <Form
          action="Clear the journal"
          question="Forget all requests?"
          what="Not cleared"
          run={() => admin("clearJournal", {}).then(retry)}
        />
        <span class="quiet" role="status">
          {entries && `${grouped(shown.length)} of ${grouped(entries.length)} shown`}
          {entries?.length === MAX_ENTRIES && `, the newest ${grouped(MAX_ENTRIES)}`}
        </span>
      </div>
      <Failure error={error} what="Could not load the journal" retry={retry} />
      {entries === undefined && error === undefined && <Skeleton lines={6} />}
      {entries?.length === 0 && (
        <p class="empty">
          No request yet. Point a program at <code>{location.origin}</code>, and its requests show
          up here.
        </p>
      )}
      {shown.length > 0 && (
        <div class="list">
          <Table
            label="Requests, newest first"
            columns={columns}
            rows={shown}
            keyOf={({ number }) => `${number}`}
            classOf={(entry) => (isMiss(entry) ? "miss" : undefined)}
          />
        </div>
      )}
    </section>
  );
}

export const RequestsView = ({ subject }: { subject: string }) =>
  subject === "" ? (
    <AdminGate title="Requests">{() => <Journal />}</AdminGate>
  ) : (
    <RequestView number={subject} />
  );

export interface JournalState {
  readonly generation: number;
  readonly revision: number;
  /** Oldest first. */
  readonly entries: readonly Entry[];
}

/** Replaces the entries that changed, adds new ones, and keeps the newest of all. */
export function merged(
  entries: readonly Entry[],
  changed: readonly Entry[],
  most = MAX_ENTRIES,
): readonly Entry[] {
  if (changed.length === 0) return entries;
  const byNumber = new Map(entries.map((entry) => [entry.number, entry]));
  for (const entry of changed) byNumber.set(entry.number, entry);
  return [...byNumber.values()].sort((left, right) => left.number - right.number).slice(-most);
}

/** Asks for what has changed since. Returns the same object if nothing has. */
async function readJournal(
  previous: JournalState | undefined,
  signal: AbortSignal,
): Promise<JournalState> {
  const input = { after: previous?.revision, limit: MAX_ENTRIES };
  const { generation, revision, entries } = await admin("journal", input, { signal });
  // A journal that was cleared begins again.
  if (previous !== undefined && previous.generation !== generation)
    return readJournal(undefined, signal);
  if (previous?.revision === revision) return previous;
  return { generation, revision, entries: merged(previous?.entries ?? [], entries) };
}
