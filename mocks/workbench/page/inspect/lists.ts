// The answers of `/inspect` that are lists of a whole chain: the home page, blocks, transactions, accounts, tokens, contracts.
import { isAddress } from "../../../../src/models/hex.ts";
import type { BusyAccount } from "../../../double/chain/reader.ts";
import type { Address, ChainTransaction, Hash, Hex } from "../../../double/chain/records.ts";
import type { ChainWriter } from "../../../double/chain/writer.ts";
import { decimal, lower } from "../../../double/operations/format.ts";
import { Decoder } from "./decode.ts";
import {
  blockRecord,
  contractRecord,
  headBlock,
  namesOf,
  tokenRecord,
  transactionRecord,
} from "./format.ts";
import { blocksBefore, transactionsBefore } from "./pages.ts";
import type { InspectedAccountWire, InspectedTransactionWire } from "./records.ts";
import { findCandidates as find } from "./search.ts";
import type { AnswerWireOf, ParametersOf } from "./views.ts";
import { busiestAccounts, wholeChain } from "./whole-chain.ts";

/** What the home page shows of each list, and the blocks of its plot. */
export const MAX_SHOWN = 10;
const PLOTTED = 120;

/** The newest transactions, which are looked at one by one. */
const EXAMINED = 2000;

/** What every answer has: the head it was read at, and what the addresses in it are called. */
export const common = (
  chain: ChainWriter,
  addresses: Iterable<Address | null | undefined> = [],
) => ({
  head: headBlock(chain.head),
  names: namesOf(chain, addresses),
});

/** The addresses in a list of transactions. */
export const partiesOf = (transactions: readonly InspectedTransactionWire[]) =>
  transactions.flatMap(({ sender, receiver, contract_address }) => [
    sender,
    receiver,
    contract_address,
  ]);

/** The records of one answer. */
export function recordIn(chain: ChainWriter) {
  const decoder = new Decoder(chain);
  return (transaction: ChainTransaction) =>
    transactionRecord(transaction, decoder.method(transaction));
}

const accountRecord =
  (chain: ChainWriter) =>
  ({ address, transactions }: BusyAccount): InspectedAccountWire => ({
    address,
    transaction_count: decimal(transactions),
    balance: decimal(chain.balance(address)),
    is_contract: chain.code(address) !== "0x",
  });

function activity(chain: ChainWriter): AnswerWireOf<"overview">["activity"] {
  const blocks = blocksBefore(chain, { limit: PLOTTED }).items.toReversed();
  const first = blocks[0]?.number ?? 0;
  const recent = chain.allTransactions({ startBlock: first });
  const failed = new Map<number, number>();
  for (const { succeeded, block } of recent.slice(Math.max(0, recent.count - EXAMINED), EXAMINED))
    if (succeeded === false) failed.set(block.number, (failed.get(block.number) ?? 0) + 1);
  return {
    first_block: decimal(first),
    failed_counts: blocks.map(({ number }) => decimal(failed.get(number) ?? 0)),
    transaction_counts: blocks.map(({ transactionCount }) => decimal(transactionCount)),
    gas_used: blocks.map(({ gasUsed }) => decimal(gasUsed ?? 0)),
  };
}

export function overview(chain: ChainWriter): AnswerWireOf<"overview"> {
  const { tokens, contracts } = wholeChain(chain);
  const blocks = blocksBefore(chain, { limit: MAX_SHOWN }).items;
  const transactions = transactionsBefore(chain, { limit: MAX_SHOWN }).items.map(recordIn(chain));
  const accounts = busiestAccounts(chain).slice(0, MAX_SHOWN);
  return {
    ...common(chain, [
      ...blocks.map(({ miner }) => miner),
      ...partiesOf(transactions),
      ...accounts.map(({ address }) => address),
    ]),
    latest_blocks: blocks.map(blockRecord),
    latest_transactions: transactions,
    activity: activity(chain),
    busiest_accounts: accounts.map(accountRecord(chain)),
    token_count: decimal(tokens.length),
    tokens: tokens.slice(0, MAX_SHOWN).map(tokenRecord),
    contract_count: decimal(contracts.length),
    contracts: contracts.slice(0, MAX_SHOWN).map(contractRecord),
  };
}

export function blocks(
  chain: ChainWriter,
  parameters: ParametersOf<"blocks">,
): AnswerWireOf<"blocks"> {
  const { items, next } = blocksBefore(chain, parameters);
  const miners = items.map(({ miner }) => miner);
  return { ...common(chain, miners), blocks: items.map(blockRecord), next };
}

export function transactions(
  chain: ChainWriter,
  parameters: ParametersOf<"transactions">,
): AnswerWireOf<"transactions"> {
  const { items, next } = transactionsBefore(chain, parameters);
  const records = items.map(recordIn(chain));
  return { ...common(chain, partiesOf(records)), transactions: records, next };
}

export function accounts(
  chain: ChainWriter,
  { limit }: ParametersOf<"accounts">,
): AnswerWireOf<"accounts"> {
  const busiest = busiestAccounts(chain).slice(0, limit);
  const addresses = busiest.map(({ address }) => address);
  return { ...common(chain, addresses), accounts: busiest.map(accountRecord(chain)) };
}

export function tokens(
  chain: ChainWriter,
  { offset, limit }: ParametersOf<"tokens">,
): AnswerWireOf<"tokens"> {
  const all = wholeChain(chain).tokens;
  const page = all.slice(offset, offset + limit);
  return { ...common(chain), count: decimal(all.length), tokens: page.map(tokenRecord) };
}

export function contracts(
  chain: ChainWriter,
  { offset, limit }: ParametersOf<"contracts">,
): AnswerWireOf<"contracts"> {
  const all = wholeChain(chain).contracts;
  const page = all.slice(offset, offset + limit);
  return { ...common(chain), count: decimal(all.length), contracts: page.map(contractRecord) };
}

export const names = (
  chain: ChainWriter,
  { addresses }: ParametersOf<"names">,
): AnswerWireOf<"names"> => common(chain, addresses.split(",").filter(isAddress).map(lower));

export function methods(
  chain: ChainWriter,
  { hashes }: ParametersOf<"methods">,
): AnswerWireOf<"methods"> {
  const record = recordIn(chain);
  const found = hashes.split(",").flatMap((hash) => chain.transaction(lower(hash as Hash)) ?? []);
  return {
    ...common(chain),
    methods: found.map(record).map(({ transaction_hash, method, method_name }) => ({
      ...{ transaction_hash, method, method_name },
    })),
  };
}

export function functions(
  chain: ChainWriter,
  { calls }: ParametersOf<"functions">,
): AnswerWireOf<"functions"> {
  const decoder = new Decoder(chain);
  const found = calls.split(",").flatMap((call) => {
    const [address, selector] = call.toLowerCase().split(".") as [Address, Hex];
    const name = decoder.method({ to: address, input: selector });
    return name === null ? [] : [{ address, selector, name }];
  });
  return { ...common(chain), functions: found };
}

export function search(chain: ChainWriter, { q }: ParametersOf<"search">): AnswerWireOf<"search"> {
  const result = find(chain, q);
  const addresses = result.candidates.map((candidate) =>
    candidate.kind === "account" ? candidate.address : null,
  );
  return { ...common(chain, addresses), query: q, ...result };
}
