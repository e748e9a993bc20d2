// An address: its head, its lists, and the parts of a contract.
import { useState } from "preact/hooks";
import type { Address } from "../../../src/models/primitives.ts";
import { hasIds, type standards } from "../../inspect/records.ts";
import type { AnswerOf } from "../../inspect/views.ts";
import { grouped, share } from "../format/values.ts";
import {
  accountTransactions,
  accountTransfers,
  holdingColumns,
  internalTransactions,
  logColumns,
  minedBlocks,
  tokenTransferColumns,
} from "../parts/columns.tsx";
import { Copy, type Fact, Head } from "../parts/facts.tsx";
import { Loaded } from "../parts/failure.tsx";
import { Form } from "../parts/form.tsx";
import { InspectList, type ListProps, type ListView } from "../parts/list.tsx";
import type { Column } from "../parts/table.tsx";
import { type Tab, Tabs, tab } from "../parts/tabs.tsx";
import {
  AddressLink,
  Amount,
  BlockLink,
  ChainText,
  Identicon,
  Time,
  TransactionLink,
} from "../parts/text.tsx";
import { href, route } from "../router.ts";
import { MAX_NAME, nameAccount, useOwnName } from "../service/inspect.ts";
import { useInspect } from "../service/queries.ts";
import { Inventory } from "./collectibles.tsx";
import { contractTabs } from "./contract.tsx";

type Account = AnswerOf<"account">;
type Token = NonNullable<Account["token"]>;

/** The name of the token or contract, and badges for its kind and source. */
function Title({ account }: { account: Account }) {
  const { token, contract, address, is_contract } = account;
  const tokenName = token && (token.token_name || "Unnamed token");
  const name = tokenName ?? contract?.contract_name ?? (is_contract ? "Contract" : "Account");
  return (
    <>
      <ChainText text={name} length={60} />{" "}
      {token && (
        <>
          <span class="quiet">
            <ChainText text={token.token_symbol ?? ""} length={16} />
          </span>{" "}
          <span class="badge">{hasIds(token.standard) ? "collection" : "token"}</span>{" "}
        </>
      )}
      {contract && (
        <a class="badge good" href={href("account", address, { list: "source" })}>
          {token && <ChainText text={`${contract.contract_name} ·`} length={40} />} verified
        </a>
      )}
      {is_contract && !contract && (
        <a class="badge" href={href("account", address, { list: "verify" })}>
          not verified
        </a>
      )}
    </>
  );
}

/** The reader's own name for the account, and the form to change it. */
function OwnName({ address }: { address: Address }) {
  const name = useOwnName(address);
  const [isOpen, setOpen] = useState(false);
  if (!isOpen)
    return (
      <span class="address">
        {name !== undefined && (
          <span class="own">
            <ChainText text={name} />
          </span>
        )}{" "}
        <button type="button" class="small" onClick={() => setOpen(true)}>
          {name === undefined ? "Name it" : "Rename"}
        </button>
      </span>
    );
  const label = "Your name for this account";
  const title = `Kept in this browser, at most ${MAX_NAME} characters; empty removes it`;
  return (
    <Form
      fields={[{ name: "name", label, title, value: name ?? "" }]}
      action="Save"
      run={(texts) => {
        nameAccount(address, texts("name"));
        setOpen(false);
      }}
    />
  );
}

const exact = (what: string, value: bigint, decimals?: number | null): Fact => [
  `Exact ${what}`,
  <Amount exact value={value} decimals={decimals} />,
  <Copy text={`${value}`} label={`Copy the ${what} in the smallest unit`} />,
];

/** A token leads with its supply, an account with its balance. */
function figuresOf(account: Account): readonly Fact[] {
  const { token, balance, last_activity } = account;
  const last: Fact = last_activity && ["Last activity", <Time at={last_activity} />];
  if (token)
    return [
      ["Supply", <Amount value={token.total_supply} decimals={token.token_decimals} />],
      ["Holders", grouped(token.holder_count)],
      ["Transfers", grouped(account.transfer_count)],
      last,
    ];
  return [
    ["Balance", <Amount value={balance} />],
    ["Transactions", grouped(account.transaction_count)],
    account.creation
      ? ["Created by", <AddressLink to={account.creation.creator} />]
      : ["Tokens", grouped(account.mrc20_count + account.mrc721_count)],
    last,
  ];
}

function detailsOf({ token, balance, creation, target }: Account): readonly Fact[] {
  return [
    token && exact("supply", token.total_supply, token.token_decimals),
    token && !hasIds(token.standard) && ["Decimals", token.token_decimals ?? "unknown"],
    exact("balance", balance),
    creation && ["Created by", <AddressLink to={creation.creator} />],
    creation && ["Created in", <TransactionLink to={creation.transaction_hash} />],
    creation && ["In block", <BlockLink to={creation.block_number} />],
    target && ["Forwards calls to", <AddressLink to={target} />],
  ];
}

function Summary({ account }: { account: Account }) {
  const { address, target } = account;
  return (
    <Head
      title={<Title account={account} />}
      id={address}
      idLabel="address"
      picture={<Identicon address={address} />}
      beside={<OwnName address={address} />}
      figures={figuresOf(account)}
      details={detailsOf(account)}
    >
      {target !== null && (
        <p>
          A proxy: forwards calls to <AddressLink to={target} />
        </p>
      )}
    </Head>
  );
}

/** Tabs that stay even if their list is empty. */
const always: ReadonlySet<string> = new Set(["transactions", "transfers", "holders"]);

const listTab = <Name extends ListView>(
  id: string,
  title: string,
  count: number,
  list: Omit<ListProps<Name>, "label">,
): readonly Tab[] => {
  const content = () => <InspectList<Name> {...{ ...list, label: title }} />;
  return count === 0 && always.has(id)
    ? tab(id, `${title} 0`, content)
    : tab(id, title, content, count);
};

function accountTabs(account: Account): readonly Tab[] {
  const { address } = account;
  const parameters = { account: address };
  const transfers = (standard: (typeof standards)[number], title: string) =>
    listTab(standard, title, account[`${standard}_transfer_count`], {
      ...{ view: "transfers", parameters: { ...parameters, standard } },
      hidden: hiddenOf(hasIds(standard)),
      columns: accountTransfers(address, hasIds(standard)),
    });
  const holdings = (standard: (typeof standards)[number], id: string, title: string) =>
    listTab(id, title, account[`${standard}_count`], {
      ...{ view: "holdings", parameters: { ...parameters, standard } },
      columns: hasIds(standard) ? collectionColumns(address) : holdingColumns,
    });
  return [
    ...listTab("transactions", "Transactions", account.transaction_count, {
      ...{ view: "transactions", parameters, columns: accountTransactions(address) },
    }),
    ...listTab("internal", "Internal", account.internal_transaction_count, {
      ...{ view: "internal", parameters, columns: internalTransactions(address) },
    }),
    ...transfers("mrc20", "Token transfers"),
    ...transfers("mrc721", "Collectible transfers"),
    ...holdings("mrc20", "tokens", "Tokens"),
    ...holdings("mrc721", "collectibles", "Collectibles"),
    ...listTab("mined", "Mined blocks", account.mined_block_count, {
      ...{ view: "blocks", parameters: { miner: address }, columns: minedBlocks },
    }),
    ...listTab("logs", "Logs", account.log_count, {
      ...{ view: "logs", parameters: { address } },
      columns: logColumns.filter(({ title }) => title !== "Contract"),
    }),
  ];
}

/** Collectibles are filtered by id, tokens by amount. */
const hiddenOf = (areIds: boolean): readonly string[] =>
  areIds ? ["min_amount", "max_amount"] : ["token_id"];

/** The collections of an account, each with a link to the tokens that it holds. */
const collectionColumns = (owner: Address): typeof holdingColumns => [
  ...holdingColumns,
  {
    title: "Held",
    cell: ({ token_address, balance }) => (
      <a href={href("token", token_address, { list: "inventory", owner })}>
        {balance === 1n ? "Show it" : `Show all ${grouped(balance)}`}
      </a>
    ),
  },
];

type Holder = AnswerOf<"token">["holders"][number];

const holderColumns = ({
  standard,
  token_decimals,
  total_supply,
}: Token): readonly Column<Holder>[] => [
  { title: "Holder", kind: "wide", cell: ({ address }) => <AddressLink row to={address} /> },
  {
    title: hasIds(standard) ? "Tokens" : "Balance",
    kind: "number",
    cell: ({ balance }) => (
      <Amount value={balance} decimals={hasIds(standard) ? 0 : token_decimals} />
    ),
  },
  { title: "Share", kind: "number", cell: ({ balance }) => share(balance, total_supply) },
];

function tokenTabs({ address, token, transfer_count }: Account): readonly Tab[] {
  if (token === null) return [];
  const areIds = hasIds(token.standard);
  return [
    ...listTab("transfers", "Transfers", transfer_count ?? 0, {
      ...{ view: "transfers", parameters: { token: address } },
      hidden: hiddenOf(areIds),
      columns: tokenTransferColumns(areIds),
    }),
    ...listTab("holders", "Holders", token.holder_count, {
      ...{ view: "token", parameters: { address }, columns: holderColumns(token) },
    }),
    ...(areIds ? tab("inventory", "Inventory", () => <Inventory address={address} />) : []),
  ];
}

/** The first tab for a link to a contract; undefined for other links. */
const initialTab = (view: string, { contract, target }: Account): string | undefined => {
  if (view !== "contract") return undefined;
  if (contract) return "source";
  // A proxy is used by the functions of its target.
  return target === null ? "verify" : "functions";
};

export function AddressView({ subject }: { subject: string }) {
  const loading = useInspect("account", { address: subject });
  const { view } = route.use();
  return (
    <Loaded of={loading} what="Could not load the address" lines={8}>
      {(account) => {
        const initial = initialTab(view, account);
        return (
          <>
            <Summary account={account} />
            <Tabs
              label="Parts of the address"
              tabs={[
                ...tokenTabs(account),
                ...accountTabs(account),
                ...contractTabs(account, loading.retry),
              ]}
              {...(initial ? { initial } : {})}
            />
          </>
        );
      }}
    </Loaded>
  );
}
