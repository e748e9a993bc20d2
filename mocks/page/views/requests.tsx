// The requests of the program under test, as they arrive.
import { useMemo, useState } from "preact/hooks";
import { grouped, milliseconds } from "../format/values.ts";
import { AdminGate } from "../parts/admin-gate.tsx";
import { Loaded } from "../parts/failure.tsx";
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
];

/** The newest requests, which the page keeps and filters. */
const MAX_ENTRIES = 1000;
/** Rows that are drawn. */
const MAX_SHOWN = 200;
const EVERY_MS = 1000;

interface Filter {
  readonly text: string;
  readonly onlyMisses: boolean;
}

/** Filters the entries, and returns the newest first. */
const filtered = (entries: readonly Entry[], { text, onlyMisses }: Filter): readonly Entry[] =>
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
  const loading = useQuery(["journal"], readJournal, { every: EVERY_MS });
  const entries = loading.value?.entries;
  const [filter, setFilter] = useState<Filter>({ text: "", onlyMisses: false });
  const shown = useMemo(() => filtered(entries ?? [], filter), [entries, filter]);
  return (
    <section class="card">
      <h1>Requests</h1>
      <div class="inline">
        <FieldInput
          field={{
            ...{ name: "text", label: "Only with", type: "search" },
            placeholder: "an address, an operation, a status",
            onInput: (text) => setFilter({ ...filter, text }),
          }}
        />
        <FieldInput
          field={{
            ...{ name: "misses", label: "Near misses", type: "checkbox" },
            onInput: (value) => setFilter({ ...filter, onlyMisses: value !== "" }),
          }}
        />
        <Form
          action="Clear the journal"
          question="Forget all requests?"
          what="Not cleared"
          run={() => admin("clearJournal", {}).then(loading.retry)}
        />
        <span class="quiet" role="status">
          {entries && `${grouped(shown.length)} of ${grouped(entries.length)} shown`}
          {entries?.length === MAX_ENTRIES && `, the newest ${grouped(MAX_ENTRIES)}`}
        </span>
      </div>
      <Loaded of={loading} what="Could not load the journal" lines={6}>
        {({ entries }) =>
          entries.length === 0 ? (
            <p class="empty">
              No request yet. Point a program at <code>{location.origin}</code>, and its requests
              show up here.
            </p>
          ) : (
            <div class="list">
              <Table
                label="Requests, newest first"
                columns={columns}
                rows={shown}
                keyOf={({ number }) => `${number}`}
                classOf={(entry) => (isMiss(entry) ? "miss" : undefined)}
              />
            </div>
          )
        }
      </Loaded>
    </section>
  );
}

export const RequestsView = ({ subject }: { subject: string }) =>
  subject === "" ? (
    <AdminGate title="Requests">{() => <Journal />}</AdminGate>
  ) : (
    <RequestView number={subject} />
  );

type Entries = Awaited<ReturnType<typeof admin<"journal">>>;

/** Returns the same object if nothing has changed, so that nothing is drawn again. */
async function readJournal(previous: Entries | undefined): Promise<Entries> {
  const journal = await admin("journal", { limit: MAX_ENTRIES });
  const { generation, revision } = previous ?? {};
  const isSame = generation === journal.generation && revision === journal.revision;
  return previous !== undefined && isSame ? previous : journal;
}
