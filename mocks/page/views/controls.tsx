// The controls of the chain: of its own, or of the development node that it follows.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Action, AskedSubmit } from "../parts/action.tsx";
import { Failure, Loaded } from "../parts/failure.tsx";
import { Field, formFields } from "../parts/field.tsx";
import { ChainText } from "../parts/text.tsx";
import { admin } from "../service/admin.ts";
import { head, refreshHead } from "../service/head.ts";
import { useQuery } from "../service/queries.ts";

/** Snapshots to choose from; the service keeps the last 100. */
const MAX_SNAPSHOTS = 20;

interface ControlProps {
  readonly label: string;
  /** Asked before it destroys something. */
  readonly question?: string;
  /** Its fields. */
  readonly children?: ComponentChildren;
  readonly onSubmit: (field: (name: string) => string) => void;
}

const Control = ({ label, question, children, onSubmit }: ControlProps) => (
  <form class="actions" onSubmit={(event) => onSubmit(formFields(event))}>
    {children}
    {question === undefined ? (
      <button type="submit">{label}</button>
    ) : (
      <AskedSubmit question={question}>{label}</AskedSubmit>
    )}
  </form>
);

const Blocks = () => (
  <Field label="Blocks" name="blocks" type="number" min="1" defaultValue="1" required />
);

/** Does something to the chain, and says what came of it. */
type Act = <Results>(ask: () => Promise<Results>, say: (results: Results) => string) => void;

interface ControlsProps {
  readonly act: Act;
  readonly snapshots: readonly string[];
  /** Remembers a new one; says so. */
  readonly keep: (results: { readonly snapshot: string }) => string;
}

const headOf = ({ head }: { readonly head: number }) => `The head is now ${head}.`;

const OwnControls = ({ act, snapshots, keep }: ControlsProps) => (
  <>
    <Control
      label="Mine"
      onSubmit={(field) => act(() => admin("mine", { blocks: Number(field("blocks")) }), headOf)}
    >
      <Blocks />
    </Control>
    <Control
      label="Reorganise"
      question="Replace these blocks?"
      onSubmit={(field) =>
        act(() => admin("reorganise", { blocks: Number(field("blocks")) }), headOf)
      }
    >
      <Blocks />
    </Control>
    <Control label="Take a snapshot" onSubmit={() => act(() => admin("snapshot", {}), keep)} />
    {snapshots.map((snapshot) => (
      <Control
        key={snapshot}
        label={`Restore ${snapshot}`}
        question="Drop what came after it?"
        onSubmit={() =>
          act(
            () => admin("restore", { snapshot }),
            () => `Snapshot ${snapshot} is restored.`,
          )
        }
      />
    ))}
    <Reset act={act} what="chain, faults and journal" />
  </>
);

const Reset = ({ act, what }: { act: Act; what: string }) => (
  <Control
    label="Reset everything"
    question={`Reset ${what}?`}
    onSubmit={() =>
      act(
        () => admin("reset", {}),
        () => `${what.slice(0, 1).toUpperCase()}${what.slice(1)} are reset.`,
      )
    }
  />
);

/** What an empty or a filled field for a time means. */
function timestampOf(text: string): number | undefined {
  if (text === "") return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new Error(`Time: expected a date and time, received "${text}"`);
  return Math.floor(time / 1000);
}

const NodeControls = ({ act, snapshots, keep }: ControlsProps) => (
  <>
    <Control
      label="Mine"
      onSubmit={(field) =>
        act(async () => {
          const timestamp = timestampOf(field("time"));
          const input = { blocks: Number(field("blocks")), ...(timestamp && { timestamp }) };
          return admin("nodeMine", input);
        }, headOf)
      }
    >
      <Blocks />
      <Field label="First block at (local time)" name="time" type="datetime-local" step="1" />
    </Control>
    <Control label="Take a snapshot" onSubmit={() => act(() => admin("nodeSnapshot", {}), keep)} />
    {snapshots.map((snapshot) => (
      <Control
        key={snapshot}
        label={`Revert to ${snapshot}`}
        question="Drop what came after it?"
        onSubmit={() => act(() => admin("nodeRevert", { snapshot }), headOf)}
      />
    ))}
    <Control
      label="Impersonate"
      onSubmit={(field) =>
        act(
          () => admin("nodeImpersonate", { account: field("account") as `0x${string}` }),
          () => `The node sends transactions for ${field("account")}.`,
        )
      }
    >
      <Field label="Account" name="account" placeholder="0x…" required />
    </Control>
  </>
);

/** The controls of a node, if it has them. */
function FollowedControls(controls: ControlsProps) {
  const loading = useQuery(["node"], (signal) => admin("node", {}, { signal }));
  return (
    <Loaded of={loading} what="Could not ask the node" lines={2}>
      {({ client, controls: hasControls }) => (
        <>
          <p class="quiet">
            The chain follows <ChainText text={client} length={60} />
            {hasControls ? "" : ", which cannot be controlled from here."}
          </p>
          {hasControls && <NodeControls {...controls} />}
          <Reset act={controls.act} what="faults and journal" />
        </>
      )}
    </Loaded>
  );
}

export function ChainControls({ action }: { action: Action }) {
  const [said, setSaid] = useState("");
  const [snapshots, setSnapshots] = useState<readonly string[]>([]);
  const isFollowing = (head.use()?.node ?? null) !== null;
  const controls: ControlsProps = {
    snapshots,
    act(ask, say) {
      setSaid("");
      action.run(async () => {
        setSaid(say(await ask()));
        await refreshHead();
      });
    },
    keep({ snapshot }) {
      setSnapshots((known) => [snapshot, ...known].slice(0, MAX_SNAPSHOTS));
      return `Snapshot ${snapshot} is saved.`;
    },
  };
  return (
    <section class="card">
      <h2>Chain</h2>
      <div class="controls">
        {isFollowing ? <FollowedControls {...controls} /> : <OwnControls {...controls} />}
      </div>
      <p role="status" class="quiet">
        {said}
      </p>
      <Failure error={action.error} what="Not done" retry={action.retry} />
    </section>
  );
}
