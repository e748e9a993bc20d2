// The calls of a transaction as a tree, and the gas of each as a flame chart.
import type { CallFailure, InspectedCall } from "../../inspect/records.ts";
import { grouped } from "../format/values.ts";
import { CallWords, Returned } from "../parts/code.tsx";
import { Loaded } from "../parts/failure.tsx";
import { FirstOf, moveByArrows } from "../parts/table.tsx";
import { AddressLink, AddressText, Amount, ChainText } from "../parts/text.tsx";
import { useInspectOnce } from "../service/queries.ts";

interface ReasonProps {
  readonly of: Pick<CallFailure, "reason" | "error">;
  readonly length: number;
}

/** A custom error with its arguments, or the reason as text. */
export const Reason = ({ of: { reason, error }, length }: ReasonProps) =>
  error ? <CallWords named decoded={error} /> : <ChainText text={reason} length={length} />;

interface CallProps {
  readonly of: InspectedCall;
  /** The contract that the call around it runs, which is nearly always the caller. */
  readonly parent: string | null | undefined;
}

function Call({ of, parent }: CallProps) {
  const { trace_address, type, sender, receiver, created, value, undone, reason, error, call } = of;
  const to = receiver ?? created;
  const isRoot = trace_address.length === 0;
  const depth = Math.min(trace_address.length, 12);
  return (
    <li style={{ "--depth": depth }} class={undone ? "failed" : undefined}>
      <span class="badge">{isRoot ? "transaction" : type}</span>{" "}
      {sender !== parent && (
        <>
          <AddressLink to={sender} />
          <span class="quiet"> → </span>
        </>
      )}
      {to === null ? <span class="quiet">nothing</span> : <AddressLink to={to} row />}
      {call && (
        <>
          {" "}
          <CallWords decoded={call} />
        </>
      )}
      {value > 0n && (
        <>
          {" with "}
          <Amount value={value} />
        </>
      )}
      {of.returned !== null && <Returned values={of.returned} />}
      {reason !== null && (
        <>
          {" "}
          <span class="badge bad">failed</span> <Reason of={{ reason, error }} length={120} />
        </>
      )}
      {of.gas_used !== null && <small class="quiet"> {grouped(of.gas_used)} gas</small>}
    </li>
  );
}

/** A bar of the flame chart. `start` and `width` are fractions of the chart's width. */
interface Bar {
  readonly call: InspectedCall;
  readonly depth: number;
  readonly start: number;
  readonly width: number;
}

/**
 * Places child calls side by side below their parent. The rest of the parent's width is the gas
 * that the parent itself used.
 */
function barsOf(calls: readonly InspectedCall[]): readonly Bar[] {
  const whole = calls[0]?.gas_used ?? 0;
  /** Where the next call of each depth begins. */
  const next: number[] = [0];
  return calls.flatMap((call): Bar[] => {
    const depth = call.trace_address.length;
    const start = next[depth] ?? 0;
    const width = whole === 0 ? 0 : Math.min((call.gas_used ?? 0) / whole, 1 - start);
    next[depth] = start + width;
    next[depth + 1] = start;
    return width > 0 ? [{ call, depth, start, width }] : [];
  });
}

/** Smallest visible width, as a fraction of the chart's width. */
const MIN_WIDTH = 0.002;
/** Smallest width with room for a name. */
const MIN_NAMED_WIDTH = 0.04;

const percent = (part: number) => `${(100 * part).toFixed(2)}%`;

function Flame({ calls }: { calls: readonly InspectedCall[] }) {
  const bars = barsOf(calls).filter(({ width }) => width >= MIN_WIDTH);
  if (bars.length < 2) return null;
  const rows = 1 + Math.max(...bars.map(({ depth }) => depth));
  const gas = grouped(calls[0]?.gas_used ?? null);
  return (
    <figure class="flame" style={{ "--rows": rows }} aria-label={`Gas of each call, ${gas} in all`}>
      {bars.map(({ call, depth, start, width }) => {
        const name = call.call?.name ?? call.type;
        const to = call.receiver ?? call.created;
        return (
          <div
            key={call.trace_address.join(".")}
            class={call.undone ? "bar-failed" : undefined}
            style={{ left: percent(start), width: percent(width), "--depth": depth }}
            title={`${name.slice(0, 60)}: ${grouped(call.gas_used)} gas, ${percent(width)}`}
          >
            {width >= MIN_NAMED_WIDTH && (
              <>
                <ChainText text={name} length={30} /> {to && <AddressText address={to} />}
              </>
            )}
          </div>
        );
      })}
    </figure>
  );
}

export function CallTree({ hash }: { hash: string }) {
  const loading = useInspectOnce("calls", { hash });
  return (
    <Loaded of={loading} what="Could not load the internal transactions">
      {({ calls, count }) => {
        /** The contract of the last call at each depth. */
        const contracts: (string | null)[] = [];
        return (
          <>
            <Flame calls={calls} />
            <ol class="calls" onKeyDown={moveByArrows}>
              {calls.map((call) => {
                const depth = call.trace_address.length;
                contracts[depth] = call.receiver ?? call.created;
                return (
                  <Call
                    key={call.trace_address.join(".")}
                    of={call}
                    parent={contracts[depth - 1]}
                  />
                );
              })}
            </ol>
            <FirstOf shown={calls.length - 1} count={count} />
          </>
        );
      }}
    </Loaded>
  );
}
