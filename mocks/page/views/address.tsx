// An address: what it is and has, and as tabs everything about it: the lists of an account, of a token, and the parts of a contract.
import { useState } from "preact/hooks";
import type { Address } from "../../../src/models/primitives.ts";
import { hasIds } from "../../inspect/records.ts";
import type { AnswerOf } from "../../inspect/views.ts";
import { exactAmount, exactTime, grouped } from "../format/values.ts";
import { Copy, Facts } from "../parts/facts.tsx";
import { Loaded } from "../parts/failure.tsx";
import { formFields } from "../parts/field.tsx";
import { Columns, StepPlot } from "../parts/plot.tsx";
import { Tabs } from "../parts/tabs.tsx";
import {
  AddressLink,
  Amount,
  BlockLink,
  ChainText,
  Identicon,
  TransactionLink,
} from "../parts/text.tsx";
import { href, route } from "../router.ts";
import { MAX_NAME, nameAccount, useOwnName } from "../service/inspect.ts";
import { useInspect } from "../service/queries.ts";
import { accountTabs, tokenTabs } from "./address-lists.tsx";
import { contractTabs } from "./contract.tsx";

type Account = AnswerOf<"account">;

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

/** The transfers of a token over time. */
function TransferPlot({ activity }: { activity: NonNullable<Account["transfer_activity"]> }) {
  const { first_block, step, counts } = activity;
  const points = counts.map((value, index) => {
    const from = first_block + index * step;
    const blocks = step === 1 ? `Block ${from}` : `Blocks ${from} to ${from + step - 1}`;
    return { value, title: `${blocks}: ${grouped(value)} transfers` };
  });
  const span = `Transfers, blocks ${first_block} to ${first_block + counts.length * step - 1}`;
  return (
    <figure>
      <Columns label={span} points={points} />
      <figcaption class="quiet">{span}</figcaption>
    </figure>
  );
}

/** What it is called and what it is. */
function Kind({ account }: { account: Account }) {
  const { token, contract, address } = account;
  return (
    <>
      {token ? (
        <>
          <ChainText text={token.token_name || "Unnamed token"} length={60} />{" "}
          <span class="quiet">
            <ChainText text={token.token_symbol ?? ""} length={16} />
          </span>{" "}
          <span class="badge">{hasIds(token.standard) ? "collection" : "token"}</span>
        </>
      ) : account.is_contract ? (
        "Contract"
      ) : (
        "Account"
      )}{" "}
      {contract && (
        <a class="badge good" href={href("account", address, { list: "source" })}>
          <ChainText text={contract.contract_name} length={40} /> · verified
        </a>
      )}
      {account.is_contract && !contract && (
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

function TokenFacts({ token }: { token: NonNullable<Account["token"]> }) {
  const { token_decimals, standard, total_supply } = token;
  return (
    <Facts
      facts={[
        [
          "Supply",
          <>
            <Amount exact value={total_supply} decimals={token_decimals} />{" "}
            <Copy text={`${total_supply}`} label="Copy the supply in the smallest unit" />
          </>,
        ],
        !hasIds(standard) && ["Decimals", token_decimals ?? "unknown"],
        ["Holders", grouped(token.holder_count)],
      ]}
    />
  );
}

function Summary({ account }: { account: Account }) {
  const { address, balance, creation, token, target } = account;
  return (
    <section class="card">
      <h1 class={token ? undefined : "small"}>
        <Kind account={account} />
      </h1>
      <p class="subject">
        <Identicon address={address} />
        <span class="hex">{address}</span> <Copy text={address} label="Copy the address" />
        <OwnName address={address} />
      </p>
      {target !== null && (
        <p>
          A proxy: forwards calls to <AddressLink to={target} />
        </p>
      )}
      <div class="summary">
        <div>
          <p class="big" data-testid="balance">
            <Amount value={balance} />
          </p>
          <p class="quiet exact">
            <Amount exact value={balance} />{" "}
            <Copy text={`${balance}`} label="Copy the balance in the smallest unit" />
          </p>
          {token && <TokenFacts token={token} />}
          {creation && (
            <Facts
              facts={[
                ["Created by", <AddressLink to={creation.creator} />],
                ["In", <TransactionLink to={creation.transaction_hash} />],
                ["Block", <BlockLink to={creation.block_number} />],
              ]}
            />
          )}
        </div>
        {account.transfer_activity ? (
          <TransferPlot activity={account.transfer_activity} />
        ) : (
          <BalancePlot address={address} />
        )}
      </div>
    </section>
  );
}

/** The tab that the name of the view means. */
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
              label="What there is of the address"
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
