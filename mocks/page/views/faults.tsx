// Faults: those that are on, new ones for the operations of the contract, and the controls of the chain.
import { useState } from "preact/hooks";
import { operations } from "../../../src/contract/index.ts";
import {
  type Fault,
  type FaultName,
  type FaultPreset,
  faultPresets,
  isUsedUp,
} from "../../faults/fault.ts";
import { type FaultField, faultKinds, faultOf, matchFields } from "../format/fault-form.ts";
import { grouped } from "../format/values.ts";
import { type Action, useAction } from "../parts/action.tsx";
import { AdminGate } from "../parts/admin-gate.tsx";
import { Failure, Loaded } from "../parts/failure.tsx";
import { Field, formFields, Select } from "../parts/field.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { ChainText } from "../parts/text.tsx";
import { type ActiveFault, admin } from "../service/admin.ts";
import { type Loading, useQuery } from "../service/queries.ts";
import { ChainControls } from "./controls.tsx";

type FaultsLoading = Loading<{ readonly faults: readonly ActiveFault[] }>;

/** Its parameters, next to its name. */
const detailsOf = ({ fault: { fault, ...rest } }: ActiveFault): string =>
  Object.entries(rest)
    .map(([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : value}`)
    .join(", ");

/** A fault that the service accepted. */
const isOff = ({ fault, ...counts }: ActiveFault) => isUsedUp(Object(fault) as Fault, counts);

/** "2 on, 1 used up" */
function onAndOff(faults: readonly ActiveFault[]): string {
  const off = faults.filter(isOff).length;
  const on = `${grouped(faults.length - off)} on`;
  return off === 0 ? on : `${on}, ${grouped(off)} used up`;
}

const columnsWith = (action: Action): readonly Column<ActiveFault>[] => [
  {
    title: "Fault",
    cell: (one) => (
      <>
        <span class={isOff(one) ? "badge" : "badge warn"}>{one.preset ?? one.fault.fault}</span>
        {isOff(one) && <span class="quiet"> off: used up</span>}
      </>
    ),
  },
  {
    title: "For",
    kind: "text",
    cell: (one) => <ChainText text={detailsOf(one) || "every request"} length={200} />,
  },
  { title: "Matched", kind: "number", cell: ({ matched }) => grouped(matched) },
  { title: "Applied", kind: "number", cell: ({ applied }) => grouped(applied) },
  {
    title: "Off",
    kind: "number",
    cell(one) {
      const what = isOff(one) ? "Remove" : "Switch off";
      return (
        <button
          type="button"
          class="small"
          aria-label={`${what} ${one.fault.fault}`}
          onClick={() => action.run(() => admin("removeFault", { id: one.id }))}
        >
          {what}
        </button>
      );
    },
  },
];

function Active({ loading, action }: { loading: FaultsLoading; action: Action }) {
  return (
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
                onClick={() => action.run(() => admin("clearFaults", {}))}
              >
                {faults.every(isOff) ? "Remove all" : "Switch all off"}
              </button>
            </div>
            <Table
              label="Faults that are on"
              columns={columnsWith(action)}
              rows={faults}
              keyOf={({ id }) => `${id}`}
            />
          </div>
        )
      }
    </Loaded>
  );
}

const kindOptions = Object.entries(faultKinds).map(([id, { says }]) => [id, says] as const);
const isFaultName = (name: string): name is FaultName => Object.hasOwn(faultKinds, name);

const presets = Object.keys(faultPresets) as FaultPreset[];

/** What is wanted most often, by one click. */
const Presets = ({ action }: { action: Action }) => (
  <section class="card">
    <h2>Break something</h2>
    <p class="actions">
      {presets.map((preset) => (
        <button
          key={preset}
          type="button"
          onClick={() => action.run(() => admin("addFaults", { faults: { preset } }))}
        >
          {preset}
        </button>
      ))}
    </p>
    <Failure {...action} what="Not arranged" />
  </section>
);

const FaultInput = ({ name, label, kind, initial, required }: FaultField) => (
  <Field
    label={label}
    name={name}
    inputMode={kind === "number" ? "decimal" : "text"}
    defaultValue={initial}
    required={required}
  />
);

function NewFault({ action }: { action: Action }) {
  const [kind, setKind] = useState<FaultName>("latency");
  const submit = (event: SubmitEvent) => {
    const field = formFields(event);
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const chosen = form.getAll("operation").map(String);
    action.run(async () => admin("addFaults", { faults: faultOf(kind, chosen, field) as Fault }));
  };
  return (
    <section class="card">
      <h2>Arrange a fault</h2>
      <form onSubmit={submit}>
        <div class="fields">
          <Select
            label="What happens"
            name="fault"
            options={kindOptions}
            value={kind}
            onChange={(name) => isFaultName(name) && setKind(name)}
          />
          {faultKinds[kind].fields.map((field) => (
            <FaultInput key={`${kind} ${field.name}`} {...field} />
          ))}
          {matchFields.map((field) => (
            <FaultInput key={field.name} {...field} />
          ))}
          <label>
            <span>Operations (none: all)</span>
            <select name="operation" multiple size={5}>
              {Object.values(operations).map(({ id, name }) => (
                <option key={id} value={id}>
                  {id} {name}
                </option>
              ))}
            </select>
          </label>
        </div>
        <button type="submit" class="primary">
          Arrange it
        </button>
      </form>
      <Failure {...action} what="Not arranged" />
    </section>
  );
}

/** Interval at which the counts are read again. */
const EVERY_MS = 1000;

function FaultsAndControls() {
  const loading = useQuery(["faults"], (signal) => admin("faults", {}, { signal }), {
    every: EVERY_MS,
  });
  const useChange = (): Action => {
    const action = useAction();
    return {
      ...action,
      run: (act) => action.run(() => act().then(loading.retry)),
    };
  };
  const removing = useChange();
  const presets = useChange();
  const adding = useChange();
  const controls = useChange();
  return (
    <>
      <section class="card">
        <h1>Faults</h1>
        <Failure {...removing} what="Not switched off" />
        <Active loading={loading} action={removing} />
      </section>
      <Presets action={presets} />
      <NewFault action={adding} />
      <ChainControls action={controls} />
    </>
  );
}

export const FaultsView = () => <AdminGate title="Faults">{() => <FaultsAndControls />}</AdminGate>;
