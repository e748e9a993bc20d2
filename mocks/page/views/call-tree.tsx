// The internal transactions of a transaction as the tree of calls they were.
import type { InternalTransaction } from "../../../src/models/internal-transaction.ts";
import type { InspectedTransaction } from "../../inspect/records.ts";
import { grouped } from "../format/numbers.ts";
import { Loaded } from "../parts/failure.tsx";
import { moveByArrows } from "../parts/table.tsx";
import { AddressLink, ChainText } from "../parts/text.tsx";
import { useLoad } from "../parts/use-load.ts";
import { Amount } from "../parts/values.tsx";
import { explorer } from "../service/explorer.ts";

/** A loop of a contract may call without end. */
const mostFrames = 1000;

function Frame({ frame }: { frame: InternalTransaction }) {
  const { trace_type, sender, receiver, contract_address, value, status, message } = frame;
  const to = receiver ?? contract_address;
  const depth = Math.min(frame.trace_address.length, 12);
  return (
    <li style={{ "--depth": depth }} class={status === "0" ? "failed" : undefined}>
      <span class="badge">{trace_type ?? "call"}</span> <AddressLink to={sender} row />
      <span class="quiet"> → </span>
      {to === null ? <span class="quiet">nothing</span> : <AddressLink to={to} />}
      {value > 0n && (
        <>
          {" "}
          <Amount value={value} />
        </>
      )}
      {status === "0" && (
        <>
          {" "}
          <span class="badge bad">reverted</span> <ChainText text={message ?? ""} length={80} />
        </>
      )}
      {frame.gas_used !== null && <small class="quiet"> {grouped(frame.gas_used)} gas</small>}
    </li>
  );
}

const byPath = (one: InternalTransaction, other: InternalTransaction): number => {
  const [left, right] = [one.trace_address, other.trace_address];
  for (let depth = 0; depth < Math.min(left.length, right.length); depth++) {
    const difference = (left[depth] ?? 0) - (right[depth] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
};

export function CallTree({ transaction }: { transaction: InspectedTransaction }) {
  const { transaction_hash, receiver, contract_address } = transaction;
  const loading = useLoad(
    (signal) =>
      explorer.transactions
        .internalTransactions(transaction_hash, {}, { signal })
        .collect({ max: mostFrames }),
    [],
  );
  const to = receiver ?? contract_address;
  return (
    <Loaded of={loading} what="Could not load the internal transactions">
      {(frames) => (
        <>
          <ol class="calls" onKeyDown={moveByArrows}>
            <li>
              <span class="badge">transaction</span> <AddressLink to={transaction.sender} row />
              <span class="quiet"> → </span>
              {to !== null && <AddressLink to={to} />} <Amount value={transaction.value} />
            </li>
            {frames.toSorted(byPath).map((frame) => (
              <Frame key={frame.trace_address.join(".")} frame={frame} />
            ))}
          </ol>
          {frames.length === mostFrames && (
            <p class="quiet">The first {grouped(mostFrames)} are shown.</p>
          )}
        </>
      )}
    </Loaded>
  );
}
