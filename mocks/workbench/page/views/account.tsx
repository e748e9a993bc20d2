// An account: what it has, how that came, and everything it took part in.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Address } from "../../../../src/models/primitives.ts";
import { byteCount, exactAmount, exactTime, grouped, shortHex } from "../format/values.ts";
import { hasIds } from "../inspect/records.ts";
import type { AnswerOf } from "../inspect/views.ts";
import {
  eventLogs,
  internalTransactions,
  minedBlocks,
  mrc20Transfers,
  mrc721Transfers,
  transactions,
} from "../parts/account-columns.tsx";
import { Code } from "../parts/code.tsx";
import { Loaded } from "../parts/failure.tsx";
import { formFields } from "../parts/field.tsx";
import { List } from "../parts/list.tsx";
import { StepPlot } from "../parts/plot.tsx";
import type { Column } from "../parts/table.tsx";
import { type Tab, Tabs } from "../parts/tabs.tsx";
import {
  AddressLink,
  Amount,
  BlockLink,
  ChainText,
  Copy,
  Facts,
  Identicon,
  TransactionLink,
} from "../parts/text.tsx";
import { href } from "../router.ts";
import { explorer } from "../service/explorer.ts";
import { MAX_NAME, nameAccount, useOwnName } from "../service/inspect.ts";
import type { Pages } from "../service/pages.ts";
import { useInspect } from "../service/queries.ts";
import { Collectibles, Inventory } from "./collectibles.tsx";

const smaller = (one: bigint, other: bigint) => (one < other ? one : other);
const larger = (one: bigint, other: bigint) => (one > other ? one : other);

/** The balance after each block that changed it. */
function BalancePlot({ address }: { address: Address }) {
  const loading = useInspect("balances", { address, limit: 100 });
  return (
    <Loaded of={loading} what="Could not load the balances" lines={2}>
      {({ points, complete }) => {
        if (points.length < 2) return null;
        const plotted = points.map(({ balance, block_number, timestamp }) => ({
          // A double is exact enough for a plot.
          value: Number(balance) / 1e18,
          title: `Block ${block_number}, ${exactTime(timestamp)}: ${exactAmount(balance, 18)}`,
        }));
        const all = points.map(({ balance }) => balance);
        const [least, most] = [all.reduce(smaller), all.reduce(larger)];
        const span = `blocks ${points[0]?.block_number} to ${points.at(-1)?.block_number}`;
        return (
          <figure>
            <StepPlot label={`Balance, ${span}`} points={plotted} />
            <figcaption class="quiet">
              Balance between <Amount value={least} /> and <Amount value={most} />, {span}
              {!complete && ` (its last ${points.length} changes)`}
            </figcaption>
          </figure>
        );
      }}
    </Loaded>
  );
}

const counted = (title: string, count: number) => `${title} ${grouped(count)}`;

const fileOf = (name: string, address: Address) => `${name}-${address.slice(0, 10)}.csv`;

/** The lists that hold something; the transactions always. */
const tab = (
  id: string,
  title: string,
  count: number,
  content: () => ComponentChildren,
): readonly Tab[] =>
  count > 0 || id === "transactions" ? [{ id, title: counted(title, count), content }] : [];

const byHash = (one: { transaction_hash: string }, index: number) =>
  `${one.transaction_hash} ${index}`;

function transferTabs(account: AnswerOf<"account">): readonly Tab[] {
  const { address } = account;
  return [
    ...tab("mrc20", "Token transfers", account.mrc20_transfer_count, () => (
      <List
        label="Token transfers"
        request={["mrc20", address]}
        open={(limit) => explorer.accounts.mrc20Transfers(address, { limit })}
        columns={mrc20Transfers(address)}
        keyOf={byHash}
        empty="No transfers."
        file={fileOf("token-transfers", address)}
      />
    )),
    ...tab("mrc721", "Collectible transfers", account.mrc721_transfer_count, () => (
      <List
        label="Collectible transfers"
        request={["mrc721", address]}
        open={(limit) => explorer.accounts.mrc721Transfers(address, { limit })}
        columns={mrc721Transfers(address)}
        keyOf={byHash}
        empty="No transfers."
        file={fileOf("collectible-transfers", address)}
      />
    )),
  ];
}

function tabsOf(account: AnswerOf<"account">): readonly Tab[] {
  const { address, token } = account;
  return [
    ...tab("transactions", "Transactions", account.transaction_count, () => (
      <List
        label="Transactions"
        request={["transactions", address]}
        open={(limit) => explorer.accounts.transactions(address, { limit })}
        columns={transactions(address)}
        keyOf={({ transaction_hash }) => transaction_hash}
        classOf={({ tx_status }) => (tx_status === "0" ? "failed" : undefined)}
        empty="No transactions."
        file={fileOf("transactions", address)}
      />
    )),
    ...tab("internal", "Internal", account.internal_transaction_count, () => (
      <List
        label="Internal transactions"
        request={["internal", address]}
        open={(limit) => explorer.accounts.internalTransactions(address, { limit, input: true })}
        columns={internalTransactions(address)}
        keyOf={(one) => `${one.transaction_hash} ${one.trace_address}`}
        classOf={({ status }) => (status === "0" ? "failed" : undefined)}
        empty="No internal transactions."
        file={fileOf("internal-transactions", address)}
      />
    )),
    ...transferTabs(account),
    ...tab("tokens", "Tokens", account.mrc20_count, () => <Holdings address={address} />),
    ...tab("collectibles", "Collectibles", account.mrc721_count, () => (
      <Collectibles address={address} />
    )),
    ...(token && hasIds(token.standard)
      ? [{ id: "inventory", title: "Inventory", content: () => <Inventory address={address} /> }]
      : []),
    ...tab("mined", "Mined blocks", account.mined_block_count, () => (
      <List
        label="Mined blocks"
        request={["mined", address]}
        open={(limit) => explorer.accounts.minedBlocks(address, { limit })}
        columns={minedBlocks}
        keyOf={({ block_number }) => `${block_number}`}
        empty="No blocks."
        file={fileOf("mined-blocks", address)}
      />
    )),
    ...tab("logs", "Event logs", account.log_count, () => (
      <List
        label="Event logs"
        request={["logs", address]}
        open={(limit) => explorer.eventLogs.list({ address, limit })}
        columns={eventLogs}
        keyOf={(log) => `${log.transaction_hash} ${log.log_index}`}
        empty="No logs."
        file={fileOf("event-logs", address)}
      />
    )),
    ...(account.is_contract
      ? [{ id: "code", title: "Code", content: () => <RuntimeCode code={account.code} /> }]
      : []),
  ];
}

function RuntimeCode({ code }: { code: string }) {
  return (
    <>
      <p class="quiet">
        {byteCount((code.length - 2) / 2)} of runtime code{" "}
        <Copy text={code} label="Copy the code" />
      </p>
      <Code wrap label="Runtime code">
        {code.slice(0, 50_000)}
        {code.length > 50_000 && "…"}
      </Code>
    </>
  );
}

function Kind({ account }: { account: AnswerOf<"account"> }) {
  const { token, contract, address } = account;
  return (
    <>
      {account.is_contract ? "Contract" : "Account"}{" "}
      {contract && (
        <a class="badge good" href={href("contract", address)}>
          <ChainText text={contract.contract_name} length={40} /> · verified
        </a>
      )}{" "}
      {token && (
        <a class="badge" href={href("token", address)}>
          <ChainText text={token.token_name || "Unnamed"} length={40} /> ·{" "}
          {hasIds(token.standard) ? "collection" : "token"}
        </a>
      )}{" "}
      {account.is_contract && !contract && (
        <a class="badge" href={href("contract", address)}>
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
  const save = (event: SubmitEvent) => {
    nameAccount(address, formFields(event)("name"));
    setOpen(false);
  };
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
  return (
    <form class="inline naming" onSubmit={save}>
      <input
        name="name"
        aria-label="Your name for this account"
        placeholder="Your name for this account"
        title="Kept in this browser; empty takes it away"
        value={name ?? ""}
        maxLength={MAX_NAME}
        autocomplete="off"
        autofocus
      />
      <button type="submit">Save</button>
    </form>
  );
}

export function AccountView({ subject }: { subject: string }) {
  const loading = useInspect("account", { address: subject });
  return (
    <Loaded of={loading} what="Could not load the account" lines={8}>
      {(account) => (
        <>
          <section class="card">
            <h1 class="small">
              <Kind account={account} />
            </h1>
            <p class="subject">
              <Identicon address={account.address} />
              <span class="hex">{account.address}</span>{" "}
              <Copy text={account.address} label="Copy the address" />
              <OwnName address={account.address} />
            </p>
            <div class="summary">
              <div>
                <p class="big" data-testid="balance">
                  <Amount value={account.balance} />
                </p>
                <p class="quiet exact">
                  <Amount exact value={account.balance} />{" "}
                  <Copy text={`${account.balance}`} label="Copy the balance in the smallest unit" />
                </p>
                {account.creation && (
                  <Facts
                    facts={[
                      ["Created by", <AddressLink to={account.creation.creator} />],
                      ["In", <TransactionLink to={account.creation.transaction_hash} />],
                      ["Block", <BlockLink to={account.creation.block_number} />],
                    ]}
                  />
                )}
              </div>
              <BalancePlot address={account.address} />
            </div>
          </section>
          <Tabs label="Lists of the account" tabs={tabsOf(account)} />
        </>
      )}
    </Loaded>
  );
}

type Held =
  ReturnType<typeof explorer.accounts.tokens> extends AsyncIterable<infer One>
    ? Extract<One, { standard: "mrc20" }>
    : never;

const columns: readonly Column<Held>[] = [
  {
    title: "Token",
    kind: "wide",
    cell: ({ token_address, token_name }) => (
      <a class="named" data-row href={href("token", token_address)} title={token_address}>
        <ChainText text={token_name || shortHex(token_address)} length={48} />
      </a>
    ),
  },
  {
    title: "Balance",
    kind: "number",
    cell: ({ balance, token_decimals }) => <Amount value={balance} decimals={token_decimals} />,
  },
  {
    title: "Symbol",
    cell: ({ token_symbol }) => <ChainText text={token_symbol ?? ""} length={12} />,
  },
];

/** Of the list of both standards, the tokens; collectibles have a view of their own. */
function heldTokens(address: Address, limit: number): Pages<Held> {
  const list = explorer.accounts.tokens(address, { limit });
  const isToken = (one: { standard: string }): one is Held => one.standard === "mrc20";
  return {
    async *pages() {
      for await (const page of list.pages())
        yield {
          data: page.data.filter(isToken),
          count: page.mrc_20.count,
          hasNextPage: () => page.hasNextPage(),
        };
    },
    async *[Symbol.asyncIterator]() {
      for await (const one of list) if (isToken(one)) yield one;
    },
  };
}

export function Holdings({ address }: { address: Address }) {
  return (
    <List
      label="Tokens"
      request={["tokens", address]}
      open={(limit) => heldTokens(address, limit)}
      columns={columns}
      keyOf={({ token_address }) => token_address}
      empty="No tokens."
      file={fileOf("tokens", address)}
    />
  );
}
