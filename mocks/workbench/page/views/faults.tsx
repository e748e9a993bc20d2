// Faults: those that are on, new ones for the operations of the contract, and the controls of the chain.
import { useState } from "preact/hooks";
import { operations } from "../../../../src/contract/index.ts";
import {
  type Fault,
  type FaultName,
  type FaultPreset,
  faultPresets,
  isUsedUp,
} from "../../../double/faults/fault.ts";
import { faultKinds, faultOf, matchFields } from "../format/fault-form.ts";
import { grouped } from "../format/values.ts";
import { AdminFailure, AdminGate } from "../parts/admin-gate.tsx";
import { Loaded } from "../parts/failure.tsx";
import { Field, formFields, Select } from "../parts/field.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { ChainText } from "../parts/text.tsx";
import { type Loading, useLoad } from "../parts/use-load.ts";
import { type ActiveFault, admin } from "../service/admin.ts";
import { refreshHead } from "../service/head.ts";
import { clock } from "../store.ts";

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

function Active({ loading, onChange }: { loading: FaultsLoading; onChange: () => void }) {
  const [error, setError] = useState<unknown>();
  const remove = (removed: Promise<unknown>) =>
    removed.then(() => {
      setError(undefined);
      onChange();
    }, setError);
  const columns: readonly Column<ActiveFault>[] = [
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
    { title: "Struck", kind: "number", cell: ({ struck }) => grouped(struck) },
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
            onClick={() => remove(admin("removeFault", { id: one.id }))}
          >
            {what}
          </button>
        );
      },
    },
  ];
  return (
    <section class="card">
      <h1>Faults</h1>
      {error !== undefined && (
        <AdminFailure error={error} what="Not switched off" retry={() => setError(undefined)} />
      )}
      {loading.error !== undefined ? (
        <AdminFailure
          error={loading.error}
          what="Could not load the faults"
          retry={loading.retry}
        />
      ) : (
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
                    onClick={() => remove(admin("clearFaults", {}))}
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
      )}
    </section>
  );
}

const kindOptions = Object.entries(faultKinds).map(([id, { says }]) => [id, says] as const);
const isFaultName = (name: string): name is FaultName => Object.hasOwn(faultKinds, name);

const presets = Object.keys(faultPresets) as FaultPreset[];

/** What is wanted most often, by one click. */
function Presets({ onChange }: { onChange: () => void }) {
  const [error, setError] = useState<unknown>();
  const add = (preset: FaultPreset) =>
    admin("addFaults", { faults: { preset } }).then(() => {
      setError(undefined);
      onChange();
    }, setError);
  return (
    <section class="card">
      <h2>Break something</h2>
      <p class="actions">
        {presets.map((preset) => (
          <button key={preset} type="button" onClick={() => add(preset)}>
            {preset}
          </button>
        ))}
      </p>
      {error !== undefined && (
        <AdminFailure error={error} what="Not arranged" retry={() => setError(undefined)} />
      )}
    </section>
  );
}

function NewFault({ onChange }: { onChange: () => void }) {
  const [kind, setKind] = useState<FaultName>("latency");
  const [error, setError] = useState<unknown>();
  const submit = async (event: SubmitEvent) => {
    const field = formFields(event);
    const form = new FormData(event.currentTarget as HTMLFormElement);
    try {
      const chosen = form.getAll("operation").map(String);
      await admin("addFaults", { faults: faultOf(kind, chosen, field) as Fault });
      setError(undefined);
      onChange();
    } catch (error) {
      setError(error);
    }
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
          {faultKinds[kind].fields.map(({ name, label, kind: type, initial, required }) => (
            <Field
              key={`${kind} ${name}`}
              label={label}
              name={name}
              inputMode={type === "number" ? "decimal" : "text"}
              defaultValue={initial ?? ""}
              required={required ?? false}
            />
          ))}
          {matchFields.map(({ name, label, kind: type }) => (
            <Field
              key={name}
              label={label}
              name={name}
              inputMode={type === "number" ? "decimal" : "text"}
            />
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
      {error !== undefined && (
        <AdminFailure error={error} what="Not arranged" retry={() => setError(undefined)} />
      )}
    </section>
  );
}

function FaultsAndControls() {
  const [changes, setChanges] = useState(0);
  const onChange = () => setChanges((count) => count + 1);
  const loading = useLoad(
    (signal) => admin("faults", {}, { signal }),
    [
      changes,
      // How often they struck.
      clock.use(),
    ],
  );
  return (
    <>
      <Active loading={loading} onChange={onChange} />
      <Presets onChange={onChange} />
      <NewFault onChange={onChange} />
      <ChainControls onChange={onChange} />
    </>
  );
}

export const FaultsView = () => <AdminGate title="Faults">{() => <FaultsAndControls />}</AdminGate>;

/** Snapshots to choose from; the service keeps the last 100. */
const MAX_SNAPSHOTS = 20;

export function ChainControls({ onChange }: { onChange: () => void }) {
  const [said, setSaid] = useState("");
  const [error, setError] = useState<unknown>();
  const [snapshots, setSnapshots] = useState<readonly string[]>([]);

  async function act<Results>(asked: Promise<Results>, say: (results: Results) => string) {
    try {
      setSaid(say(await asked));
      setError(undefined);
      onChange();
      await refreshHead();
    } catch (error) {
      setSaid("");
      setError(error);
    }
  }
  const headOf = ({ head }: { head: number }) => `The head is now ${head}.`;
  const blocksOf = (event: SubmitEvent) => ({ blocks: Number(formFields(event)("blocks")) });

  return (
    <section class="card">
      <h2>Chain</h2>
      <div class="controls">
        <form class="actions" onSubmit={(event) => act(admin("mine", blocksOf(event)), headOf)}>
          <Field label="Blocks" name="blocks" type="number" min="1" defaultValue="1" required />
          <button type="submit">Mine</button>
        </form>
        <form
          class="actions"
          onSubmit={(event) => act(admin("reorganise", blocksOf(event)), headOf)}
        >
          <Field label="Blocks" name="blocks" type="number" min="1" defaultValue="1" required />
          <button type="submit">Reorganise</button>
        </form>
        <div class="actions">
          <button
            type="button"
            onClick={() =>
              act(admin("snapshot", {}), ({ snapshot }) => {
                setSnapshots((known) => [snapshot, ...known].slice(0, MAX_SNAPSHOTS));
                return `Snapshot ${snapshot} is saved.`;
              })
            }
          >
            Take a snapshot
          </button>
          {snapshots.map((snapshot) => (
            <button
              key={snapshot}
              type="button"
              onClick={() =>
                act(admin("restore", { snapshot }), () => `Snapshot ${snapshot} is restored.`)
              }
            >
              Restore {snapshot}
            </button>
          ))}
        </div>
        <div class="actions">
          <button
            type="button"
            onClick={() => act(admin("reset", {}), () => "Chain, faults and journal are reset.")}
          >
            Reset everything
          </button>
        </div>
      </div>
      <p role="status" class="quiet">
        {said}
      </p>
      {error !== undefined && (
        <AdminFailure error={error} what="Not done" retry={() => setError(undefined)} />
      )}
    </section>
  );
}
