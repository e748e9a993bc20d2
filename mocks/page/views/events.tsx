// The events of a contract in a table: a column for each value, by its name, with a filter.
import * as AbiItem from "ox/AbiItem";
import { useMemo } from "preact/hooks";
import { type Member, membersOf } from "../../../src/cli/abi.ts";
import type { EventLog } from "../../../src/models/event-log.ts";
import type { Address } from "../../../src/models/primitives.ts";
import { standardSignatures } from "../../inspect/standard-abi.ts";
import { labelOf } from "../format/abi.ts";
import {
  decimalsOf,
  matches,
  type TypedFilters,
  topicFilters,
  valuesOf,
} from "../format/events.ts";
import { Value } from "../parts/code.tsx";
import { Field, Select } from "../parts/field.tsx";
import { ChoiceForm } from "../parts/filters.tsx";
import { List, type ListPage, type Place } from "../parts/list.tsx";
import type { Column } from "../parts/table.tsx";
import { Time, TransactionLink } from "../parts/text.tsx";
import { choose, route } from "../router.ts";
import { explorer } from "../service/explorer.ts";

/** A log with its values by column. */
interface Row {
  readonly timestamp: Date;
  readonly transaction_hash: string;
  readonly log_index: number;
  readonly [column: `value ${string}`]: string;
}

const columnOf = (event: Member, index: number) =>
  `value ${event.inputs[index]?.name || index}` as const;

const rowOf = (
  event: Member,
  log: EventLog,
  filters: TypedFilters,
  decimals: number | undefined,
): readonly Row[] => {
  const values = valuesOf(event, log);
  if (values === undefined || !matches(event, values, filters, decimals)) return [];
  const { timestamp, transaction_hash, log_index } = log;
  const named = values.map(({ text }, index) => [columnOf(event, index), text] as const);
  return [{ timestamp, transaction_hash, log_index, ...Object.fromEntries(named) }];
};

interface EventFilter {
  readonly address: Address;
  readonly event: Member;
  readonly filters: TypedFilters;
  readonly decimals: number | undefined;
}

/** Loads pages of an event's logs that have these values. What is not indexed is looked for in all logs, from the first on. */
const loadRows =
  ({ address, event, filters, decimals }: EventFilter) =>
  async ({ from, page = 1, limit }: Place, signal?: AbortSignal): Promise<ListPage<Row>> => {
    const topics = topicFilters(event, filters, decimals);
    const isPlain = event.inputs.every(({ indexed }, index) => indexed || !filters[index]?.trim());
    // Its pages have no numbers: each begins where the one before it ended.
    if (!isPlain && from === undefined && page > 1) return { rows: [], count: null, next: null };
    const rows: Row[] = [];
    let offset = Number(from ?? (isPlain ? (page - 1) * limit : 0));
    for (;;) {
      const found = await explorer.eventLogs.list(
        { address, operand: "and", ...topics, offset, limit },
        { signal },
      );
      offset += found.data.length;
      rows.push(...found.data.flatMap((log) => rowOf(event, log, filters, decimals)));
      const next = found.hasNextPage() ? `${offset}` : null;
      // A page on which nothing has the values is not worth a click.
      if (next === null || isPlain || rows.length >= limit)
        return { rows, count: isPlain ? found.count : null, next };
    }
  };

/** `decimals`: of the token that the contract is. */
const columnsOf = (event: Member, decimals: number | undefined): readonly Column<Row>[] => [
  {
    title: "Transaction",
    cell: ({ transaction_hash }) => <TransactionLink row to={transaction_hash} />,
  },
  ...event.inputs.map((input, index): Column<Row> => {
    const { name, type } = input;
    const column = columnOf(event, index);
    const places = decimalsOf(event, input, decimals);
    return {
      title: name || `argument ${index + 1}`,
      ...(/^u?int\d*$/.test(type) && { kind: "number" as const }),
      cell({ [column]: text = "" }) {
        return <Value {...{ type, name }} value={text} decimals={places} length={80} short />;
      },
    };
  }),
  { title: "Time", cell: ({ timestamp }) => <Time at={timestamp} /> },
];

/** The events of the source, or those that many contracts have. */
function eventsOf(abi: readonly unknown[]): readonly Member[] {
  const own = membersOf(abi).filter(({ type }) => type === "event");
  if (own.length > 0) return own;
  const standard = standardSignatures.filter((text) => text.startsWith("event "));
  return membersOf(standard.map((text) => AbiItem.from(text)));
}

interface EventsProps {
  readonly address: Address;
  readonly abi: readonly unknown[];
  /** Of the token that the contract is. */
  readonly decimals: number | undefined;
}

/** The name of a value's filter in the address of the view. */
const filterName = ({ inputs }: Member, index: number) => `value.${inputs[index]?.name || index}`;

export function Events({ address, abi, decimals }: EventsProps) {
  const events = useMemo(() => eventsOf(abi), [abi]);
  const { query } = route.use();
  const event = events.find((one) => logKey(one) === query.get("event")) ?? events[0];
  if (event === undefined) return <p class="empty">The source has no events.</p>;
  const filters = event.inputs.map((_, index) => query.get(filterName(event, index)) ?? "");
  const choices = (chosen: (index: number) => string) =>
    Object.fromEntries(
      event.inputs.map((_, index) => [filterName(event, index), chosen(index)] as const),
    );
  return (
    <>
      <ChoiceForm
        key={logKey(event)}
        onSubmit={(field) => choose(choices((index) => field(filterName(event, index))))}
      >
        <Select
          label="Event"
          name="event"
          options={events.map((one) => [logKey(one), one.signature.slice(0, 120)] as const)}
          value={logKey(event)}
          onChange={(chosen) => choose({ ...choices(() => ""), event: chosen })}
        />
        {event.inputs.map((input, at) => (
          <Field
            key={at}
            label={labelOf(input, at)}
            name={filterName(event, at)}
            placeholder="all"
          />
        ))}
        <button type="submit">Filter</button>
      </ChoiceForm>
      <List
        label={`Events ${event.name.slice(0, 60)}`}
        request={["events", address, logKey(event), filters, decimals]}
        load={loadRows({ address, event, filters, decimals })}
        columns={columnsOf(event, decimals)}
        noun="events"
        file="events"
      />
    </>
  );
}

/** Two events of one signature may differ in what is indexed. */
const logKey = ({ selector, inputs }: Member): string =>
  `${selector} ${inputs.map(({ indexed }) => (indexed ? 1 : 0)).join("")}`;
