// Faults: those that are on, presets, a form for new ones, and the controls of the chain.
import { useState } from "preact/hooks";
import { type OperationId, operations } from "../../../src/contract/index.ts";
import {
  type Fault,
  type FaultName,
  type FaultPreset,
  faultPresets,
  isUsedUp,
} from "../../faults/fault.ts";
import { faultKinds, faultOf, matchFields } from "../format/fault-form.ts";
import { grouped } from "../format/values.ts";
import { AdminGate } from "../parts/admin-gate.tsx";
import { Failure, Loaded } from "../parts/failure.tsx";
import { type Field, Form, useAction } from "../parts/form.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { ChainText } from "../parts/text.tsx";
import { type ActiveFault, admin } from "../service/admin.ts";
import { useQuery } from "../service/queries.ts";
import { ChainControls } from "./controls.tsx";

/** The labels of a fault's parameters in its form. */
const labelsOf = (fault: FaultName): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...faultKinds[fault].fields, ...matchFields].map(({ name, label }) => [name, label]),
  );

const nameOf = (operation: string): string =>
  operations[operation as OperationId]?.name ?? operation;

/** "Status: 503 · Operations: blocks.get" */
function detailsOf({ fault: { fault, ...parameters } }: ActiveFault): string {
  const labels = labelsOf(fault as FaultName);
  const textOf = (name: string, value: unknown) =>
    name === "operation"
      ? `Operations: ${[value].flat().map(String).map(nameOf).join(", ")}`
      : value === true
        ? name
        : `${labels[name] ?? name}: ${typeof value === "object" ? JSON.stringify(value) : value}`;
  return Object.entries(parameters)
    .map(([name, value]) => textOf(name, value))
    .join(" · ");
}

/** The service has checked the fault. */
const isOff = ({ fault, ...counts }: ActiveFault) => isUsedUp(Object(fault) as Fault, counts);

/** "2 on, 1 used up" */
function onAndOff(faults: readonly ActiveFault[]): string {
  const off = faults.filter(isOff).length;
  const on = `${grouped(faults.length - off)} on`;
  return off === 0 ? on : `${on}, ${grouped(off)} used up`;
}

const columnsWith = (remove: (id: number) => void): readonly Column<ActiveFault>[] => [
  {
    title: "Fault",
    cell: (active) => (
      <>
        <span class={isOff(active) ? "badge" : "badge warn"}>
          {active.preset ?? active.fault.fault}
        </span>
        {isOff(active) && <span class="quiet"> off: used up</span>}
      </>
    ),
  },
  {
    title: "For",
    kind: "text",
    cell: (active) => <ChainText text={detailsOf(active) || "every request"} length={200} />,
  },
  { title: "Matched", kind: "number", cell: ({ matched }) => grouped(matched) },
  { title: "Applied", kind: "number", cell: ({ applied }) => grouped(applied) },
  {
    title: "Action",
    cell(active) {
      const words = isOff(active) ? "Remove" : "Switch off";
      const label = `${words} ${active.fault.fault}`;
      return (
        <button type="button" class="small" aria-label={label} onClick={() => remove(active.id)}>
          {words}
        </button>
      );
    },
  },
];

interface ChangeProps {
  /** Loads the faults again. */
  readonly onChange: () => void;
}

/** Faults are counted while requests arrive, so they are polled. */
const EVERY_MS = 1000;

const useFaults = () => useQuery(["faults"], () => admin("faults", {}), { every: EVERY_MS });

function Active({ loading }: { loading: ReturnType<typeof useFaults> }) {
  const { error, run } = useAction();
  const change = (act: () => Promise<unknown>) => run(() => act().then(loading.retry));
  const columns = columnsWith((id) => change(() => admin("removeFault", { id })));
  return (
    <section class="card">
      <h1>Faults</h1>
      <Failure error={error} what="Not switched off" />
      <Loaded of={loading} what="Could not load the faults">
        {({ faults }) =>
          faults.length === 0 ? (
            <p class="empty">No fault is on: the service responds as usual.</p>
          ) : (
            <div class="list">
              <div class="list-bar">
                <span class="quiet">{onAndOff(faults)}</span>
                <button
                  type="button"
                  class="small"
                  onClick={() => change(() => admin("clearFaults", {}))}
                >
                  {faults.every(isOff) ? "Remove all" : "Switch all off"}
                </button>
              </div>
              <Table
                label="Faults that are on"
                columns={columns}
                rows={faults}
                keyOf={({ id }) => `${id}`}
              />
            </div>
          )
        }
      </Loaded>
    </section>
  );
}

const presets = Object.keys(faultPresets) as FaultPreset[];

function Presets({ onChange }: ChangeProps) {
  const { error, run, retry } = useAction();
  return (
    <>
      <div class="buttons">
        <span class="quiet">Presets</span>
        {presets.map((preset) => (
          <button
            key={preset}
            type="button"
            class="small"
            onClick={() => run(() => admin("addFaults", { faults: { preset } }).then(onChange))}
          >
            {preset}
          </button>
        ))}
      </div>
      <Failure {...{ error, retry }} what="Not added" />
    </>
  );
}

const kindOptions = Object.entries(faultKinds).map(([id, { says }]) => [id, says] as const);
const isFaultName = (name: string): name is FaultName => Object.hasOwn(faultKinds, name);
const operationField: Field = {
  name: "operation",
  label: "Operations",
  multiple: true,
  options: Object.values(operations).map(({ id, name }) => [id, `${id} ${name}`] as const),
};

function NewFault({ onChange }: ChangeProps) {
  const [kind, setKind] = useState<FaultName>("latency");
  const kindField: Field = {
    name: "fault",
    label: "What happens",
    options: kindOptions,
    onInput: (name) => isFaultName(name) && setKind(name),
  };
  return (
    <section class="card">
      <h2>New fault</h2>
      <Presets onChange={onChange} />
      <Form
        fields={[kindField, ...faultKinds[kind].fields]}
        folded={{ title: "Only some requests", fields: [operationField, ...matchFields] }}
        layout="grid"
        action="Add the fault"
        isPrimary
        what="Not added"
        run={(texts) => {
          const faults = faultOf(kind, texts.all("operation"), texts) as Fault;
          return admin("addFaults", { faults }).then(onChange);
        }}
      />
    </section>
  );
}

function FaultsAndControls() {
  const loading = useFaults();
  return (
    <>
      <Active loading={loading} />
      <NewFault onChange={loading.retry} />
      <ChainControls onChange={loading.retry} />
    </>
  );
}

export const FaultsView = () => <AdminGate title="Faults">{() => <FaultsAndControls />}</AdminGate>;
