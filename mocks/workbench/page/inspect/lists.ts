// The answers of `/inspect` that are lists of a whole chain: the home page, blocks, transactions, accounts, tokens, contracts.
import { isAddress } from "../../../../src/models/hex.ts";
import { reversed } from "../../../double/chain/listing.ts";
import type { BusyAccount } from "../../../double/chain/reader.ts";
import type { Address, ChainTransaction } from "../../../double/chain/records.ts";
import type { ChainWriter } from "../../../double/chain/writer.ts";
import { decimal, lower } from "../../../double/operations/format.ts";
import { ServiceError } from "../../../double/service/api.ts";
import { Decoder } from "./decode.ts";
import {
  filteredAccounts,
  filteredBlocks,
  filteredContracts,
  filteredFrames,
  filteredHoldings,
  filteredInventory,
  filteredLogs,
  filteredTokens,
  filteredTransactions,
  filteredTransferLogs,
  filteredTransfers,
  listedTransferOf,
} from "./filters.ts";
import {
  blockRecord,
  contractRecord,
  headBlock,
  internalRecord,
  listedLog,
  namesOf,
  tokenFields,
  tokenRecord,
  transactionRecord,
  transferRecord,
} from "./format.ts";
import { blocksIn, filledPage } from "./pages.ts";
import type {
  InspectedAccountWire,
  InspectedTransactionWire,
  InspectedTransferWire,
} from "./records.ts";
import { findCandidates as find } from "./search.ts";
import type { AnswerWireOf, ParametersOf } from "./views.ts";
import { busiestAccounts, wholeChain } from "./whole-chain.ts";

/** What the home page shows of each list, and the blocks of its plot. */
export const MAX_SHOWN = 10;
const PLOTTED = 120;

/** What every answer has: the head it was read at, and what the addresses in it are called. */
export const common = (
  chain: ChainWriter,
  addresses: Iterable<Address | null | undefined> = [],
) => ({
  head: headBlock(chain.head),
  names: namesOf(chain, addresses),
});

/** The addresses in a list of transactions. */
export const partiesOf = (
  transactions: readonly Pick<
    InspectedTransactionWire,
    "sender" | "receiver" | "contract_address"
  >[],
) =>
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
  const all = blocksIn(chain, {});
  const blocks = all.slice(Math.max(0, all.count - PLOTTED), PLOTTED);
  const first = blocks[0]?.number ?? 0;
  const failed = new Map<number, number>();
  const failures = chain.allTransactions({ startBlock: first }, "failed");
  for (const { block } of failures.slice(0, failures.count))
    failed.set(block.number, (failed.get(block.number) ?? 0) + 1);
  return {
    first_block: decimal(first),
    failed_counts: blocks.map(({ number }) => decimal(failed.get(number) ?? 0)),
    transaction_counts: blocks.map(({ transactionCount }) => decimal(transactionCount)),
    gas_used: blocks.map(({ gasUsed }) => decimal(gasUsed ?? 0)),
  };
}

export function overview(chain: ChainWriter): AnswerWireOf<"overview"> {
  const { tokens, contracts } = wholeChain(chain);
  const blocks = reversed(blocksIn(chain, {})).slice(0, MAX_SHOWN);
  const transactions = reversed(chain.allTransactions({})).slice(0, MAX_SHOWN).map(recordIn(chain));
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
    contracts: contracts.slice(0, MAX_SHOWN).map(contractRecord(chain)),
  };
}

export function blocks(
  chain: ChainWriter,
  parameters: ParametersOf<"blocks">,
): AnswerWireOf<"blocks"> {
  const { items, ...listed } = filledPage(filteredBlocks(chain, parameters), parameters);
  const miners = items.map(({ miner }) => miner);
  return { ...common(chain, miners), blocks: items.map(blockRecord), ...listed };
}

export function transactions(
  chain: ChainWriter,
  parameters: ParametersOf<"transactions">,
): AnswerWireOf<"transactions"> {
  const { items, next, count } = filledPage(filteredTransactions(chain, parameters), parameters);
  const records = items.map(recordIn(chain));
  return { ...common(chain, partiesOf(records)), count, transactions: records, next };
}

export function internal(
  chain: ChainWriter,
  parameters: ParametersOf<"internal">,
): AnswerWireOf<"internal"> {
  const { items, next, count } = filledPage(filteredFrames(chain, parameters), parameters);
  const decoder = new Decoder(chain);
  const records = items.map((frame) => internalRecord(frame, decoder.method(frame)));
  return { ...common(chain, partiesOf(records)), count, internal: records, next };
}

/** The page of transfers that is asked for. */
export function transfersFor(chain: ChainWriter, parameters: ParametersOf<"transfers">) {
  const { token, account, standard } = parameters;
  if (account !== undefined)
    return filledPage(filteredTransfers(chain, account, standard, parameters), parameters);
  if (token === undefined)
    throw new ServiceError(400, "token: expected one where no account is given");
  if (chain.token(token) === undefined) throw new ServiceError(404, `token: no token at ${token}`);
  const page = filledPage(filteredTransferLogs(chain, token, parameters), parameters);
  return { ...page, items: page.items.flatMap((log) => listedTransferOf(chain, log) ?? []) };
}

export const partiesOfTransfers = (transfers: readonly InspectedTransferWire[]) =>
  transfers.flatMap(({ token_address, sender, receiver }) => [token_address, sender, receiver]);

export function transfers(
  chain: ChainWriter,
  parameters: ParametersOf<"transfers">,
): AnswerWireOf<"transfers"> {
  const { items, next, count } = transfersFor(chain, parameters);
  const decoder = new Decoder(chain);
  const records = items.map((one) => transferRecord(one, decoder.method(one.log.transaction)));
  return { ...common(chain, partiesOfTransfers(records)), count, transfers: records, next };
}

export function logs(chain: ChainWriter, parameters: ParametersOf<"logs">): AnswerWireOf<"logs"> {
  const { items, next, count } = filledPage(filteredLogs(chain, parameters), parameters);
  const decoder = new Decoder(chain);
  const records = items.map((log) => listedLog(log, decoder.log(log)));
  const addresses = records.map(({ address }) => address);
  return { ...common(chain, addresses), count, logs: records, next };
}

/** The page of accounts that is asked for. */
export const accountsFor = (chain: ChainWriter, parameters: ParametersOf<"accounts">) =>
  filledPage(filteredAccounts(chain, parameters), parameters);

export function accounts(
  chain: ChainWriter,
  parameters: ParametersOf<"accounts">,
): AnswerWireOf<"accounts"> {
  const { items, ...listed } = accountsFor(chain, parameters);
  const addresses = items.map(({ address }) => address);
  return { ...common(chain, addresses), accounts: items.map(accountRecord(chain)), ...listed };
}

/** The page of tokens that is asked for. */
export const tokensFor = (chain: ChainWriter, parameters: ParametersOf<"tokens">) =>
  filledPage(filteredTokens(chain, parameters), parameters);

export function tokens(
  chain: ChainWriter,
  parameters: ParametersOf<"tokens">,
): AnswerWireOf<"tokens"> {
  const { items, ...listed } = tokensFor(chain, parameters);
  return { ...common(chain), tokens: items.map(tokenRecord), ...listed };
}

export function contracts(
  chain: ChainWriter,
  parameters: ParametersOf<"contracts">,
): AnswerWireOf<"contracts"> {
  const { items, ...listed } = filledPage(filteredContracts(chain, parameters), parameters);
  return { ...common(chain), contracts: items.map(contractRecord(chain)), ...listed };
}

export function holdings(
  chain: ChainWriter,
  parameters: ParametersOf<"holdings">,
): AnswerWireOf<"holdings"> {
  const { items, ...listed } = filledPage(filteredHoldings(chain, parameters), parameters);
  return {
    ...common(chain),
    holdings: items.map(({ token, balance }) => ({
      ...tokenFields(token),
      balance: decimal(balance),
    })),
    ...listed,
  };
}

/** The page of a collection's tokens that is asked for. */
export const inventoryFor = (chain: ChainWriter, parameters: ParametersOf<"inventory">) =>
  filledPage(filteredInventory(chain, parameters), parameters);

export function inventory(
  chain: ChainWriter,
  parameters: ParametersOf<"inventory">,
): AnswerWireOf<"inventory"> {
  const { items, ...listed } = inventoryFor(chain, parameters);
  return {
    ...common(
      chain,
      items.map(({ owner }) => owner),
    ),
    inventory: items.map(({ tokenId, owner, uri }) => ({
      token_id: decimal(tokenId),
      owner,
      token_uri: uri,
    })),
    ...listed,
  };
}

export const names = (
  chain: ChainWriter,
  { addresses }: ParametersOf<"names">,
): AnswerWireOf<"names"> => common(chain, addresses.split(",").filter(isAddress).map(lower));

export function search(chain: ChainWriter, { q }: ParametersOf<"search">): AnswerWireOf<"search"> {
  const result = find(chain, q);
  const addresses = result.candidates.map((candidate) =>
    candidate.kind === "account" ? candidate.address : null,
  );
  return { ...common(chain, addresses), query: q, ...result };
}
