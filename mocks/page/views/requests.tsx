// Requests: what the program under test asked, as it asks, with what struck it and what it probably meant.
import { useEffect, useMemo, useState } from "preact/hooks";
import { type OperationId, operations } from "../../../src/contract/index.ts";
import { clientCodeOf, curlOf, MAX_ENTRIES, merged } from "../format/request-code.ts";
import { grouped, milliseconds } from "../format/values.ts";
import { AdminFailure, AdminGate } from "../parts/admin-gate.tsx";
import { Skeleton } from "../parts/failure.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { ChainText, CopyWords } from "../parts/text.tsx";
import { Time } from "../parts/values.tsx";
import { admin, type Entry } from "../service/admin.ts";
import { poll } from "../service/head.ts";

const nameOf = (operation: string | undefined): string =>
  operation !== undefined && Object.hasOwn(operations, operation)
    ? operations[operation as OperationId].name
    : "no operation";

const isMiss = ({ notes, status }: Entry): boolean =>
  notes.length > 0 || [400, 404, 405].includes(status);

const statusClass = (status: number): string =>
  status >= 200 && status < 300 ? "badge good" : status === 0 ? "badge warn" : "badge bad";

/** Path and query without what every request has. */
function Parameters({ entry }: { entry: Entry }) {
  const { notes, message, status } = entry;
  return (
    <>
      <code>
        <ChainText text={entry.target} length={160} />
      </code>
      {notes.map((note) => (
        <div key={note} class="note">
          <ChainText text={note} length={200} />
        </div>
      ))}
      {message !== undefined && status !== 200 && (
        <div class="quiet">
          <ChainText text={message} length={200} />
        </div>
      )}
    </>
  );
}

const columns: readonly Column<Entry>[] = [
  { title: "#", cell: ({ number }) => <span class="number">{number}</span> },
  { title: "Time", cell: ({ at }) => <Time at={new Date(at)} /> },
  {
    title: "Operation",
    cell: ({ operation, method }) => (
      <>
        {nameOf(operation)} <span class="quiet">{operation ?? method}</span>
      </>
    ),
  },
  { title: "Request", kind: "text", cell: (entry) => <Parameters entry={entry} /> },
  {
    title: "Status",
    cell: ({ status, faults }) => (
      <>
        <span class={statusClass(status)}>{status === 0 ? "none" : status}</span>
        {faults.map((fault, index) => (
          <span key={`${index} ${fault}`} class="badge warn" title="A fault that struck">
            {fault}
          </span>
        ))}
      </>
    ),
  },
  { title: "Took", kind: "number", cell: ({ duration }) => milliseconds(duration) },
  {
    title: "Copy",
    cell: (entry) => {
      const code = clientCodeOf(entry);
      return (
        <>
          <CopyWords text={() => curlOf(entry, location.origin)}>curl</CopyWords>{" "}
          {code !== undefined && <CopyWords text={() => code}>code</CopyWords>}
        </>
      );
    },
  },
];

/** Rows on the page at once, of those that are kept. */
const MAX_SHOWN = 200;
const EVERY_MS = 1000;

function useJournal() {
  const [state, setState] = useState<JournalState>();
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    let known: JournalState | undefined;
    const stop = poll(async () => {
      try {
        known = await readJournal(known, controller.signal);
        setState(known);
        setError(undefined);
      } catch (error) {
        if (!controller.signal.aborted) setError(error);
      }
    }, EVERY_MS);
    return () => {
      stop();
      controller.abort();
    };
  }, [attempt]);
  return { state, error, retry: () => setAttempt((count) => count + 1) };
}

function Journal() {
  const { state, error, retry } = useJournal();
  const [filter, setFilter] = useState("");
  const [onlyMisses, setOnlyMisses] = useState(false);
  const entries = state?.entries;
  const shown = useMemo(() => {
    const wanted = filter.toLowerCase();
    return (entries ?? [])
      .filter(
        (entry) =>
          (!onlyMisses || isMiss(entry)) &&
          `${entry.target} ${nameOf(entry.operation)} ${entry.status} ${entry.faults}`
            .toLowerCase()
            .includes(wanted),
      )
      .slice(-MAX_SHOWN)
      .reverse();
  }, [entries, filter, onlyMisses]);
  const clear = () => admin("clearJournal", {}).then(retry, retry);

  return (
    <section class="card">
      <h1>Requests</h1>
      <div class="inline toolbar">
        <label>
          <span>Only with</span>
          <input
            type="search"
            placeholder="an address, an operation, a status"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={onlyMisses}
            onChange={(event) => setOnlyMisses(event.currentTarget.checked)}
          />
          Near misses
        </label>
        <button type="button" onClick={clear}>
          Clear the journal
        </button>
        <span class="quiet" role="status">
          {entries && `${grouped(shown.length)} of ${grouped(entries.length)} shown`}
          {entries?.length === MAX_ENTRIES && `, the newest ${grouped(MAX_ENTRIES)}`}
        </span>
      </div>
      {error !== undefined && (
        <AdminFailure error={error} what="Could not load the journal" retry={retry} />
      )}
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

export const Requests = () => <AdminGate title="Requests">{() => <Journal />}</AdminGate>;

export interface JournalState {
  readonly generation: number;
  readonly revision: number;
  /** Oldest first. */
  readonly entries: readonly Entry[];
}

const nothing: JournalState = { generation: 0, revision: 0, entries: [] };

/** What is known after asking again; the same object where nothing has changed. */
export async function readJournal(
  known: JournalState | undefined,
  signal: AbortSignal,
): Promise<JournalState> {
  const answer = await admin("journal", { after: known?.revision, limit: MAX_ENTRIES }, { signal });
  const { generation, revision } = answer;
  if (known !== undefined && known.generation !== generation) return readJournal(undefined, signal);
  if (known !== undefined && known.revision === revision) return known;
  const { entries } = known ?? nothing;
  return { generation, revision, entries: merged(entries, answer.entries) };
}
