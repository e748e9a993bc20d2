// The controls of the chain, or of the development node that it follows.
import { useState } from "preact/hooks";
import { Loaded } from "../parts/failure.tsx";
import { type Field, FieldError, Form } from "../parts/form.tsx";
import { ChainText } from "../parts/text.tsx";
import { admin } from "../service/admin.ts";
import { head, refreshHead } from "../service/head.ts";
import { useQuery } from "../service/queries.ts";
import { createStore } from "../store.ts";

/** Snapshots that are offered; the service keeps the last 100. */
const MAX_SNAPSHOTS = 20;

/** Snapshots that were taken on this page, newest first. They outlive the view. */
const snapshots = createStore<readonly string[]>([]);

const blocks: Field = {
  ...{ name: "blocks", label: "Blocks", type: "number", value: "1", required: true },
};
const headOf = ({ head }: { readonly head: number }) => `The head is now ${head}.`;

function keep({ snapshot }: { readonly snapshot: string }): string {
  snapshots.set([snapshot, ...snapshots.get()].slice(0, MAX_SNAPSHOTS));
  return `Snapshot ${snapshot} is saved.`;
}

/** A snapshot can be restored once, and those taken after it go with it. */
function forget(snapshot: string): void {
  const current = snapshots.get();
  snapshots.set(current.slice(current.indexOf(snapshot) + 1));
}

/** Returns undefined for an empty field. */
function timestampOf(text: string): number | undefined {
  if (text === "") return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time))
    throw new FieldError("time", `expected a date and time, received "${text}"`);
  return Math.floor(time / 1000);
}

/** Sends a request and shows a description of its results. */
type Act = <Results>(
  request: () => Promise<Results>,
  describe: (results: Results) => string,
) => unknown;

interface ControlsProps {
  readonly act: Act;
}

function Snapshots({ act, ofNode }: ControlsProps & { ofNode: boolean }) {
  const restore = (snapshot: string) =>
    ofNode ? admin("nodeRevert", { snapshot }) : admin("restore", { snapshot });
  return (
    <>
      <Form
        action="Take a snapshot"
        run={() => act(() => admin(ofNode ? "nodeSnapshot" : "snapshot", {}), keep)}
      />
      {snapshots.use().map((snapshot) => (
        <Form
          key={snapshot}
          action={`${ofNode ? "Revert to" : "Restore"} ${snapshot}`}
          question="Drop what came after it?"
          run={() =>
            act(
              () => restore(snapshot),
              (results) => {
                forget(snapshot);
                return "head" in results && typeof results.head === "number"
                  ? headOf({ head: results.head })
                  : `Snapshot ${snapshot} is restored.`;
              },
            )
          }
        />
      ))}
    </>
  );
}

const Reset = ({ act, what }: ControlsProps & { what: string }) => (
  <Form
    action="Reset everything"
    question={`Reset ${what}?`}
    run={() =>
      act(
        () => admin("reset", {}),
        () => `${what.slice(0, 1).toUpperCase()}${what.slice(1)} are reset.`,
      )
    }
  />
);

const OwnControls = ({ act }: ControlsProps) => (
  <>
    <Form
      fields={[blocks]}
      action="Mine"
      run={(texts) => act(() => admin("mine", { blocks: Number(texts("blocks")) }), headOf)}
    />
    <Form
      fields={[{ ...blocks, label: "Newest blocks" }]}
      action="Reorganise"
      question="Replace these blocks?"
      run={(texts) => act(() => admin("reorganise", { blocks: Number(texts("blocks")) }), headOf)}
    />
    <Snapshots act={act} ofNode={false} />
    <Reset act={act} what="chain, faults and journal" />
  </>
);

const NodeControls = ({ act }: ControlsProps) => (
  <>
    <Form
      fields={[
        blocks,
        { name: "time", label: "First block at (local time)", type: "datetime-local" },
      ]}
      action="Mine"
      run={(texts) => {
        const timestamp = timestampOf(texts("time"));
        const input = { blocks: Number(texts("blocks")), ...(timestamp && { timestamp }) };
        return act(() => admin("nodeMine", input), headOf);
      }}
    />
    <Snapshots act={act} ofNode />
  </>
);

function FollowedControls({ act }: ControlsProps) {
  const loading = useQuery(["node"], () => admin("node", {}));
  return (
    <Loaded of={loading} what="Could not ask the node" lines={2}>
      {({ client, controls }) => (
        <>
          <p class="quiet">
            The chain follows <ChainText text={client} length={60} />
            {controls ? "" : ", which cannot be controlled from here."}
          </p>
          {controls && <NodeControls act={act} />}
          <Reset act={act} what="faults and journal" />
        </>
      )}
    </Loaded>
  );
}

export function ChainControls({ onChange }: { onChange: () => void }) {
  const [message, setMessage] = useState("");
  const isFollowing = (head.use()?.node ?? null) !== null;
  const act: Act = async (request, describe) => {
    setMessage("");
    setMessage(describe(await request()));
    onChange();
    await refreshHead();
  };
  return (
    <section class="card">
      <h2>Chain</h2>
      <div class="controls">
        {isFollowing ? <FollowedControls act={act} /> : <OwnControls act={act} />}
      </div>
      <p role="status" class="quiet">
        {message}
      </p>
    </section>
  );
}
