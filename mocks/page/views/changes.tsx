// What a transaction changed: balances before and after it, and the state where the node says it.

import type { BalanceChange, StateChange } from "../../inspect/records.ts";
import { grouped, oneLine } from "../format/values.ts";
import { Loaded } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { ChoiceForm } from "../parts/filters.tsx";
import { type Column, FirstOf, Table } from "../parts/table.tsx";
import { AddressLink, AddressText, Amount, ChainText, NamedLink } from "../parts/text.tsx";
import { choose, route } from "../router.ts";
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
      kind: "number",
      cell: (one) => <Amount exact value={one[end]} decimals={decimalsOf(one)} />,
    }),
  ),
  { title: "Change", kind: "number", cell: (one) => <Difference balance={one} /> },
];

/** A word without the zeros before it. */
const shortWord = (word: string): string =>
  /^0x[\da-f]{64}$/.test(word) ? word.replace(/^0x0+(?=.)/, "0x") : word;

/** A variable in a slot, or a change that has none. */
type StateRow = StateChange & { readonly variable?: StateChange["variables"][number] };

const rowsOf = (state: readonly StateChange[]): readonly StateRow[] =>
  state.flatMap((change) =>
    change.variables.length === 0
      ? [change]
      : change.variables.map((variable) => ({ ...change, variable })),
  );

/** Whether a row is about what the reader looks for: a variable, a slot, an account. */
const isAbout = (wanted: string) => {
  const text = wanted.toLowerCase();
  return ({ address, what, slot, variable }: StateRow) =>
    [address, what, slot && shortWord(slot), slot, variable?.name].some((one) =>
      one?.toLowerCase().includes(text),
    );
};

/** "balanceOf[Alice]": the addresses in a text by their names. */
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

/** The name of the filter in the address of the view. */
const VARIABLE = "variable";

function State({ state, count }: { state: readonly StateChange[]; count: number }) {
  const wanted = route.use().query.get(VARIABLE)?.trim() ?? "";
  const rows = rowsOf(state).filter(isAbout(wanted));
  return (
    <>
      <ChoiceForm onSubmit={(field) => choose({ [VARIABLE]: field(VARIABLE) })}>
        <Field label="Variable or slot" name={VARIABLE} placeholder="all" />
        <button type="submit">Filter</button>
      </ChoiceForm>
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
