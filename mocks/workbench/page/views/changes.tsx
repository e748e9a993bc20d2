// What a transaction changed: balances before and after it, and the state where the node says it.

import { grouped, oneLine } from "../format/values.ts";
import type { BalanceChange, StateChange } from "../inspect/records.ts";
import { Loaded } from "../parts/failure.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { AddressLink, Amount, ChainText } from "../parts/text.tsx";
import { href } from "../router.ts";
import { access } from "../service/head.ts";
import { useInspectOnce } from "../service/queries.ts";

function Unit({ token }: Pick<BalanceChange, "token">) {
  const coin = access.use()?.coin ?? "coins";
  if (token === null)
    return (
      <span class="quiet">
        <ChainText text={coin} length={12} />
      </span>
    );
  return (
    <a class="named" href={href("token", token.token_address)} title={token.token_address}>
      <ChainText text={token.token_symbol || token.token_name || "token"} length={16} />
    </a>
  );
}

const decimalsOf = ({ token }: BalanceChange) => (token === null ? 18 : token.token_decimals);

/** "+1.5", "-1.5", "none" */
function Difference({ balance }: { balance: BalanceChange }) {
  const change = BigInt(balance.change);
  if (change === 0n) return <span class="quiet">none</span>;
  return (
    <>
      {change > 0n && "+"}
      <Amount exact value={change} decimals={decimalsOf(balance)} />
    </>
  );
}

const balanceColumns: readonly Column<BalanceChange>[] = [
  { title: "Account", kind: "wide", cell: ({ address }) => <AddressLink row to={address} /> },
  { title: "Of", cell: ({ token }) => <Unit token={token} /> },
  ...(["before", "after"] as const).map(
    (end): Column<BalanceChange> => ({
      title: end === "before" ? "Before" : "After",
      kind: "number",
      cell: (one) => <Amount exact value={one[end]} decimals={decimalsOf(one)} />,
    }),
  ),
  { title: "Change", kind: "number", cell: (one) => <Difference balance={one} /> },
];

/** A word without the zeros before it. */
const shortWord = (word: string): string =>
  /^0x[\da-f]{64}$/.test(word) ? word.replace(/^0x0+(?=.)/, "0x") : word;

const stateColumns: readonly Column<StateChange>[] = [
  { title: "Account", cell: ({ address }) => <AddressLink row to={address} /> },
  {
    title: "What",
    cell: ({ what, slot }) => (
      <>
        {what}{" "}
        {slot !== null && (
          <span class="hex" title={slot}>
            {oneLine(shortWord(slot), 20)}
          </span>
        )}
      </>
    ),
  },
  ...(["before", "after"] as const).map(
    (end): Column<StateChange> => ({
      title: end === "before" ? "Before" : "After",
      kind: "text",
      cell: (one) => (
        <span class="hex">
          <ChainText text={shortWord(one[end])} length={70} />
        </span>
      ),
    }),
  ),
];

/** The balances and the state before and after it. */
export function Changes({ hash }: { hash: string }) {
  const loading = useInspectOnce("changes", { hash });
  return (
    <Loaded of={loading} what="Could not load the changes">
      {({ balances, count, state, state_count, state_message }) => (
        <>
          <div class="list">
            <Table
              label="Balances before and after"
              columns={balanceColumns}
              rows={balances}
              keyOf={({ address, token }) => `${address} ${token?.token_address}`}
            />
          </div>
          {count > balances.length && (
            <p class="quiet">
              The first {grouped(balances.length)} of {grouped(count)} are shown.
            </p>
          )}
          <details>
            <summary>
              Changes of the state {state !== null && <small>{grouped(state_count)}</small>}
            </summary>
            {state === null ? (
              <p class="quiet">
                <ChainText text={state_message ?? ""} length={300} />
              </p>
            ) : (
              <div class="list">
                <Table
                  label="Changes of the state"
                  columns={stateColumns}
                  rows={state}
                  keyOf={({ address, what, slot }) => `${address} ${what} ${slot}`}
                />
              </div>
            )}
          </details>
        </>
      )}
    </Loaded>
  );
}
