// The controls of the chain: reset, snapshot and restore, mine, reorganise.
import { useState } from "preact/hooks";
import type { AnySchema } from "../../../src/contract/index.ts";
import { AdminFailure } from "../parts/admin-gate.tsx";
import { Field, fieldsOf } from "../parts/field.tsx";
import { admin, Done, NewHead, Snapshot } from "../service/admin.ts";
import { refreshHead } from "../service/head.ts";

/** Snapshots to choose from; the service keeps the last 100. */
const maxSnapshots = 20;

export function ChainControls({ onChange }: { onChange: () => void }) {
  const [said, setSaid] = useState("");
  const [error, setError] = useState<unknown>();
  const [snapshots, setSnapshots] = useState<readonly string[]>([]);

  async function act<S extends AnySchema>(
    action: string,
    answer: S,
    body: unknown,
    tell: (answer: unknown) => string,
  ) {
    try {
      const done = await admin(action, answer, body === undefined ? {} : { body });
      setSaid(tell(done));
      setError(undefined);
      onChange();
      await refreshHead();
    } catch (error) {
      setSaid("");
      setError(error);
    }
  }
  const headOf = (answer: unknown) => `The head is now ${Object(answer).head}.`;
  const blocksOf = (event: SubmitEvent) => ({ blocks: fieldsOf(event)("blocks") });

  return (
    <section class="card">
      <h2>Chain</h2>
      <div class="controls">
        <form
          class="actions"
          onSubmit={(event) => act("POST mine", NewHead, blocksOf(event), headOf)}
        >
          <Field label="Blocks" name="blocks" type="number" min="1" defaultValue="1" required />
          <button type="submit">Mine</button>
        </form>
        <form
          class="actions"
          onSubmit={(event) => act("POST reorganise", NewHead, blocksOf(event), headOf)}
        >
          <Field label="Blocks" name="blocks" type="number" min="1" defaultValue="1" required />
          <button type="submit">Reorganise</button>
        </form>
        <div class="actions">
          <button
            type="button"
            onClick={() =>
              act("POST snapshot", Snapshot, undefined, (answer) => {
                const { snapshot } = Object(answer);
                setSnapshots((known) => [`${snapshot}`, ...known].slice(0, maxSnapshots));
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
                act("POST restore", Done, { snapshot }, () => `Snapshot ${snapshot} is restored.`)
              }
            >
              Restore {snapshot}
            </button>
          ))}
        </div>
        <div class="actions">
          <button
            type="button"
            onClick={() =>
              act("POST reset", Done, undefined, () => "Chain, faults and journal are as at first.")
            }
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
