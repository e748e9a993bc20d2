// Changes by a transaction: balances before and after it, and the state, if the node can trace it.
import type { BalanceChange, StateChange } from "../../inspect/records.ts";
import { grouped, oneLine } from "../format/values.ts";
import { Loaded } from "../parts/failure.tsx";
import { type Column, FirstOf, Table } from "../parts/table.tsx";
import { AddressLink, AddressText, Amount, ChainText, NamedLink } from "../parts/text.tsx";
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
  const { token_address, token_symbol, token_name } = token;
  return <NamedLink to={token_address} text={token_symbol || token_name || "token"} length={16} />;
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
      kind: "exact",
      cell: (balance) => <Amount exact value={balance[end]} decimals={decimalsOf(balance)} />,
    }),
  ),
  { title: "Change", kind: "exact", cell: (balance) => <Difference balance={balance} /> },
];

/** Removes the zeros at the start of a word. */
const shortWord = (word: string): string =>
  /^0x[\da-f]{64}$/.test(word) ? word.replace(/^0x0+(?=.)/, "0x") : word;

/** A change, and the variable in its slot, if that is known. */
type StateRow = StateChange & { readonly variable?: StateChange["variables"][number] };

const rowsOf = (state: readonly StateChange[]): readonly StateRow[] =>
  state.flatMap((change) =>
    change.variables.length === 0
      ? [change]
      : change.variables.map((variable) => ({ ...change, variable })),
  );

/** Replaces the addresses in a text by their names: "balanceOf[Alice]". */
function WithNames({ text }: { text: string }) {
  return (
    <span title={text}>
      {text
        .split(/(0x[\da-f]{40})(?![\da-f])/)
        .map((part, index) =>
          index % 2 === 1 ? (
            <AddressText key={index} address={part} />
          ) : (
            <ChainText key={index} text={part} length={90} />
          ),
        )}
    </span>
  );
}

const stateColumns: readonly Column<StateRow>[] = [
  { title: "Account", cell: ({ address }) => <AddressLink to={address} /> },
  {
    title: "What",
    kind: "text",
    cell: ({ what, slot, variable }) => (
      <>
        {variable ? <WithNames text={variable.name} /> : what}{" "}
        {slot !== null && (
          <small class="quiet">
            {variable && (
              <>
                <ChainText text={variable.type} length={60} />, slot{" "}
              </>
            )}
            <span class="hex" title={slot}>
              {oneLine(shortWord(slot), 20)}
            </span>
          </small>
        )}
      </>
    ),
  },
  ...(["before", "after"] as const).map(
    (end): Column<StateRow> => ({
      title: end === "before" ? "Before" : "After",
      kind: "text",
      cell({ variable, [end]: word }) {
        const shown = variable?.[end] ?? shortWord(word);
        return (
          <span class="hex" title={word}>
            <WithNames text={/^-?\d+$/.test(shown) ? grouped(shown) : shown} />
          </span>
        );
      },
    }),
  ),
];

const hasNoNames = (state: readonly StateChange[]) =>
  state.some(({ slot }) => slot !== null) && state.every(({ variables }) => variables.length === 0);

function State({ state, count }: { state: readonly StateChange[]; count: number }) {
  const rows = rowsOf(state);
  return (
    <>
      {hasNoNames(state) && (
        <p class="quiet">
          Slots are shown without variables, because no storage layout is known. Verify the source
          here, or give <code>serve --artifacts</code> a build with <code>storageLayout</code>.
        </p>
      )}
      {rows.length === 0 ? (
        <p class="empty">No such changes of the state.</p>
      ) : (
        <div class="list">
          <Table
            label="Changes of the state"
            columns={stateColumns}
            rows={rows}
            keyOf={({ address, what, slot, variable }) =>
              `${address} ${what} ${slot} ${variable?.name}`
            }
          />
        </div>
      )}
      <FirstOf shown={state.length} count={count} />
    </>
  );
}

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
          <FirstOf shown={balances.length} count={count} />
          <h3>Changes of the state</h3>
          {state === null ? (
            <p class="quiet">
              <ChainText text={state_message ?? ""} length={300} />
            </p>
          ) : (
            <State state={state} count={state_count} />
          )}
        </>
      )}
    </Loaded>
  );
}
