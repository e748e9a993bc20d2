// Requests: those of the program under test as they arrive, with the faults applied and what was probably meant.
import { useMemo, useState } from "preact/hooks";
import {
  clientCodeOf,
  curlOf,
  MAX_ENTRIES,
  merged,
  rawRequestOf,
  testOf,
} from "../code/request-code.ts";
import { grouped, milliseconds } from "../format/values.ts";
import { AskedSubmit, useAction } from "../parts/action.tsx";
import { AdminGate } from "../parts/admin-gate.tsx";
import { CopyWords } from "../parts/facts.tsx";
import { Failure, Skeleton } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { ChainText, Time } from "../parts/text.tsx";
import { href } from "../router.ts";
import { admin, type Entry } from "../service/admin.ts";
import { head } from "../service/head.ts";
import { useQuery } from "../service/queries.ts";
import { nameOf, outcomeOf, RequestView, statusClass, statusText } from "./request.tsx";

const isMiss = ({ notes, status }: Entry): boolean =>
  notes.length > 0 || [400, 404, 405].includes(status);

/** Path and query without what every request has. */
function Parameters({ entry }: { entry: Entry }) {
  const { notes, message } = entry;
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
      {message !== undefined && (
        <div class="quiet">
          <ChainText text={message} length={200} />
        </div>
      )}
    </>
  );
}

/** The request in full; null once newer ones took its place. */
const exchangeOf = async ({ number }: Entry) => (await admin("journalEntry", { number })).exchange;

/** A vitest test that sends these requests again. */
async function testOfAll(entries: readonly Entry[]): Promise<string> {
  const recorded = await Promise.all(
    entries.map(async (entry) => {
      const exchange = await exchangeOf(entry);
      return { entry, exchange, outcome: exchange ? await outcomeOf(entry, exchange) : undefined };
    }),
  );
  return testOf(recorded, head.get()?.source ?? { kind: "built", name: null });
}

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
  { title: "Request", kind: "text", cell: (entry) => <Parameters entry={entry} /> },
  {
    title: "Status",
    cell: ({ status, message, faults }) => (
      <>
        <span class={statusClass(status, message)}>{statusText(status)}</span>
        {faults.map((fault, index) => (
          <span key={`${index} ${fault}`} class="badge warn" title="A fault that applied">
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

/** Rows on the page at once, of those that are kept. */
const MAX_SHOWN = 200;
const EVERY_MS = 1000;

/** The numbers of the rows that are chosen, and the column to choose them in. */
function useChoice(): { readonly chosen: ReadonlySet<number>; readonly column: Column<Entry> } {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const choose = (number: number, isChosen: boolean) => {
    const others = [...chosen].filter((one) => one !== number);
    setChosen(new Set(isChosen ? [...others, number] : others));
  };
  const column: Column<Entry> = {
    title: "Select",
    cell: ({ number }) => (
      <input
        type="checkbox"
        aria-label={`Select request ${number}`}
        checked={chosen.has(number)}
        onChange={(event) => choose(number, event.currentTarget.checked)}
      />
    ),
  };
  return { chosen, column };
}

interface Wanted {
  readonly text: string;
  readonly onlyMisses: boolean;
}

/** The newest of the entries that are wanted, the newest first. */
const wantedOf = (entries: readonly Entry[], { text, onlyMisses }: Wanted): readonly Entry[] =>
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

interface WantedFieldsProps {
  readonly wanted: Wanted;
  readonly onChange: (wanted: Wanted) => void;
}

const WantedFields = ({ wanted, onChange }: WantedFieldsProps) => (
  <>
    <Field
      label="Only with"
      name="text"
      type="search"
      placeholder="an address, an operation, a status"
      value={wanted.text}
      onInput={(event) => onChange({ ...wanted, text: event.currentTarget.value })}
    />
    <label class="check">
      <input
        type="checkbox"
        checked={wanted.onlyMisses}
        onChange={(event) => onChange({ ...wanted, onlyMisses: event.currentTarget.checked })}
      />
      Near misses
    </label>
  </>
);

const NoRequests = () => (
  <p class="empty">
    No request yet. Point a program at <code>{location.origin}</code>, and its requests show up
    here.
  </p>
);

function Journal() {
  const { value, error, retry } = useQuery<JournalState>(
    ["journal"],
    (signal, known) => readJournal(known, signal),
    { every: EVERY_MS },
  );
  const entries = value?.entries;
  const clearing = useAction();
  const [wanted, setWanted] = useState<Wanted>({ text: "", onlyMisses: false });
  const shown = useMemo(() => wantedOf(entries ?? [], wanted), [entries, wanted]);
  const { chosen, column } = useChoice();
  const selection = shown.filter(({ number }) => chosen.has(number)).reverse();
  const clear = (event: SubmitEvent) => {
    event.preventDefault();
    clearing.run(() => admin("clearJournal", {}).then(retry));
  };
  return (
    <section class="card">
      <h1>Requests</h1>
      <div class="inline toolbar">
        <WantedFields wanted={wanted} onChange={setWanted} />
        <form onSubmit={clear}>
          <AskedSubmit small question="Forget all requests?">
            Clear the journal
          </AskedSubmit>
        </form>
        {shown.length > 0 && (
          <CopyWords text={() => testOfAll(selection.length > 0 ? selection : shown.toReversed())}>
            {`Copy ${selection.length > 0 ? grouped(selection.length) : "all"} as a test`}
          </CopyWords>
        )}
        <span class="quiet" role="status">
          {entries && `${grouped(shown.length)} of ${grouped(entries.length)} shown`}
          {entries?.length === MAX_ENTRIES && `, the newest ${grouped(MAX_ENTRIES)}`}
        </span>
      </div>
      <Failure error={error} what="Could not load the journal" retry={retry} />
      <Failure error={clearing.error} what="Not cleared" retry={clearing.retry} />
      {entries === undefined && error === undefined && <Skeleton lines={6} />}
      {entries?.length === 0 && <NoRequests />}
      {shown.length > 0 && (
        <div class="list">
          <Table
            label="Requests, newest first"
            columns={[column, ...columns]}
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
