// The events of a contract in a table: a column and a filter for each value, by its name.
import * as AbiItem from "ox/AbiItem";
import { useMemo } from "preact/hooks";
import { type Member, membersOf } from "../../../src/cli/abi.ts";
import type { Address } from "../../../src/models/primitives.ts";
import type { ListedLog } from "../../inspect/records.ts";
import { standardSignatures } from "../../inspect/standard-abi.ts";
import { labelOf } from "../format/abi.ts";
import { Value } from "../parts/code.tsx";
import { logStart } from "../parts/columns.tsx";
import { FieldInput, Form } from "../parts/form.tsx";
import { InspectList } from "../parts/list.tsx";
import type { Column } from "../parts/table.tsx";
import { choose, route } from "../router.ts";

const nameOf = ({ inputs }: Member, index: number): string => inputs[index]?.name || `${index}`;

const columnsOf = (event: Member): readonly Column<ListedLog>[] => {
  const [transaction, ...time] = logStart;
  const values = event.inputs.map(
    ({ name, type }, index): Column<ListedLog> => ({
      title: name || `argument ${index + 1}`,
      ...(/^u?int\d*$/.test(type) && { kind: "number" as const }),
      cell(log) {
        const value = log.event?.arguments[index];
        return value && <Value {...value} length={80} short />;
      },
    }),
  );
  return [...(transaction ? [transaction] : []), ...values, ...time];
};

/** The events of the ABI, or those of standards. */
function eventsOf(abi: readonly unknown[]): readonly Member[] {
  const declared = membersOf(abi).filter(({ type }) => type === "event");
  if (declared.length > 0) return declared;
  const standard = standardSignatures.filter((text) => text.startsWith("event "));
  return membersOf(standard.map((text) => AbiItem.from(text)));
}

/** Two events with one signature may differ in what is indexed. */
const keyOf = ({ selector, inputs }: Member): string =>
  `${selector} ${inputs.map(({ indexed }) => (indexed ? 1 : 0)).join("")}`;

export function Events({ address, abi }: { address: Address; abi: readonly unknown[] }) {
  const events = useMemo(() => eventsOf(abi), [abi]);
  const { query } = route.use();
  const event = events.find((candidate) => keyOf(candidate) === query.get("event")) ?? events[0];
  if (event === undefined) return <p class="empty">The source has no events.</p>;
  const filters = new URLSearchParams(query.get("values") ?? "");
  const fields = event.inputs.map((input, index) => ({
    name: `values.${nameOf(event, index)}`,
    label: labelOf(input, index),
    placeholder: "all",
    isAddress: input.type === "address",
    value: filters.get(nameOf(event, index)) ?? "",
  }));
  return (
    <>
      <div class="inline">
        <FieldInput
          field={{
            name: "event",
            label: "Event",
            options: events.map((each) => [keyOf(each), each.signature.slice(0, 120)] as const),
            value: keyOf(event),
            onInput: (chosen) => choose({ event: chosen, values: "" }),
          }}
        />
      </div>
      <InspectList
        view="logs"
        label={`Events ${event.name.slice(0, 60)}`}
        parameters={{
          address,
          event: event.selector,
          ...(filters.size > 0 && { values: `${filters}` }),
        }}
        columns={columnsOf(event)}
        hidden={["start_block", "end_block", "order"]}
        form={(error) => (
          <Form
            key={keyOf(event)}
            fields={fields}
            action="Filter"
            error={error}
            run={(texts) => {
              const values = event.inputs.flatMap((_, index) => {
                const text = texts(`values.${nameOf(event, index)}`);
                return text === "" ? [] : [[nameOf(event, index), text]];
              });
              choose({ event: keyOf(event), values: `${new URLSearchParams(values)}` });
            }}
          />
        )}
      />
    </>
  );
}
