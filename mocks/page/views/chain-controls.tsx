// The controls of the chain: reset, snapshot and restore, mine, reorganise.
import { useState } from "preact/hooks";
import { AdminFailure } from "../parts/admin-gate.tsx";
import { Field, fieldsOf } from "../parts/field.tsx";
import { admin } from "../service/admin.ts";
import { refreshHead } from "../service/head.ts";

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
  const blocksOf = (event: SubmitEvent) => ({ blocks: Number(fieldsOf(event)("blocks")) });

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
