// The answers of `/inspect` about one thing: a block, a transaction, an account, a token.

import { countBefore } from "../../../double/chain/listing.ts";
import type { LiveChain } from "../../../double/chain/live-chain.ts";
import type { Listing } from "../../../double/chain/reader.ts";
import type { Address, Log, Token } from "../../../double/chain/records.ts";
import type { ChainWriter } from "../../../double/chain/writer.ts";
import { proxyOn } from "../../../double/operations/contract-on.ts";
import { confirmations, decimal, decimalOrNull, time } from "../../../double/operations/format.ts";
import { ServiceError } from "../../../double/service/api.ts";
import { balanceHistory } from "./balance-history.ts";
import { callOf, callRecords, failureIn } from "./calls.ts";
import { changesBy } from "./changes.ts";
import { Decoder } from "./decode.ts";
import { filteredHolders, listedTransferOf, transferLogs } from "./filters.ts";
import {
  blockRecord,
  contractRecord,
  logRecord,
  tokenRecord,
  transactionRecord,
  transferRecord,
} from "./format.ts";
import { common, partiesOf, partiesOfTransfers } from "./lists.ts";
import { filledPage } from "./pages.ts";
import { placeInSource } from "./source-line.ts";
import { outputsOf } from "./tracers.ts";
import type { AnswerWireOf, ParametersOf } from "./views.ts";

/** The node that a chain follows, if it does. */
interface Followed {
  readonly live: LiveChain | undefined;
}

/** The steps of a transaction that uses more are not read: they may be a hundred megabytes. */
const MAX_TRACED_GAS = 1_000_000;

/** The logs of a transaction that are shown. */
const MAX_LOGS = 500;

/** Frames that are searched for the one that created a contract: no other comes before it but calls to its future address. */
const SEARCHED_FRAMES = 20;

export function block(
  chain: ChainWriter,
  { number }: ParametersOf<"block">,
): AnswerWireOf<"block"> {
  const found = chain.block(number);
  if (found === undefined)
    throw new ServiceError(
      404,
      `number: no block ${number}, the chain has ${chain.head.number - chain.length + 1} to ${chain.head.number}`,
    );
  return {
    ...common(chain, [found.miner]),
    block: blockRecord(found),
    confirmations: confirmations(chain.head, found),
  };
}

export function transaction(
  chain: ChainWriter,
  { hash }: ParametersOf<"transaction">,
  { live }: Followed,
): AnswerWireOf<"transaction"> {
  const execution = chain.execution(hash);
  if (execution === undefined) throw new ServiceError(404, `hash: no transaction ${hash}`);
  const { transaction, frames } = execution;
  const decoder = new Decoder(chain, live);
  const record = transactionRecord(transaction, decoder.method(transaction));
  const failure = failureIn(execution, decoder);
  const logs = execution.logs.slice(0, MAX_LOGS);
  const transfers = logs.flatMap((log) => {
    const transfer = listedTransferOf(chain, log);
    return transfer ? [transferRecord(transfer, record.method_name)] : [];
  });
  return {
    ...common(chain, [
      transaction.block.miner,
      ...partiesOf([record]),
      transaction.feePayer,
      ...logs.map(({ address }) => address),
      ...partiesOfTransfers(transfers),
      ...(failure?.path ?? []).map(({ address }) => address),
    ]),
    transaction: record,
    block: blockRecord(transaction.block),
    confirmations: confirmations(chain.head, transaction.block),
    nonce: decimalOrNull(transaction.nonce),
    gas_limit: decimalOrNull(transaction.gasLimit),
    gas_used: decimalOrNull(transaction.gasUsed),
    cumulative_gas_used: decimalOrNull(transaction.cumulativeGasUsed),
    gas_price: decimalOrNull(transaction.gasPrice),
    fee_payer: transaction.feePayer ?? null,
    l1_fee: decimalOrNull(transaction.l1Fee ?? null),
    max_fee_per_gas: decimalOrNull(transaction.maxFeePerGas),
    max_priority_fee_per_gas: decimalOrNull(transaction.maxPriorityFeePerGas),
    input: transaction.input,
    call: callOf(transaction, decoder),
    failure,
    internal_transaction_count: decimal(frames.length),
    log_count: decimal(execution.logs.length),
    logs: logs.map((log) => logRecord(log, decoder.log(log))),
    transfers,
  };
}

const addressesIn = (...texts: readonly string[]): readonly Address[] =>
  texts.flatMap((text) => text.match(/0x[\da-f]{40}(?![\da-f])/g) ?? []) as Address[];

/** The changes of a transaction; data that only the followed node has is requested from it. */
export async function changes(
  chain: ChainWriter,
  { hash }: ParametersOf<"changes">,
  { live }: Followed,
): Promise<AnswerWireOf<"changes">> {
  const found = await changesBy(chain, hash, live);
  if (found === undefined) throw new ServiceError(404, `hash: no transaction ${hash}`);
  const { balances, state, message } = found;
  const shown = [...balances, ...(state ?? [])].map(({ address }) => address);
  const tokens = balances.map(({ token }) => token?.token_address);
  const variables = (state ?? []).flatMap((change) => change.variables);
  const keys = variables.flatMap(({ name, before, after }) => addressesIn(name, before, after));
  return {
    ...common(chain, [...shown, ...tokens, ...keys]),
    count: decimal(found.count),
    balances: [...balances],
    state_count: decimal(found.stateCount),
    state: state && [...state],
    state_message: message,
  };
}

/** Where the failure of a transaction began in the files of a project at hand: by the steps that the followed node has. */
export async function source(
  chain: ChainWriter,
  { hash }: ParametersOf<"source">,
  { live }: Followed,
): Promise<AnswerWireOf<"source">> {
  const gasUsed = chain.transaction(hash)?.gasUsed ?? 0;
  const isSmall = gasUsed <= MAX_TRACED_GAS;
  const steps = isSmall ? await live?.stepsOf?.(hash).catch(() => undefined) : undefined;
  const execution = chain.execution(hash);
  if (execution === undefined) throw new ServiceError(404, `hash: no transaction ${hash}`);
  return { ...common(chain), place: placeInSource(chain, execution, steps, live) ?? null };
}

/** A loop of a contract may call without end. */
const MAX_CALLS = 1000;

/** The calls of a transaction; their return values are requested from the followed node. */
export async function calls(
  chain: ChainWriter,
  { hash }: ParametersOf<"calls">,
  { live }: Followed,
): Promise<AnswerWireOf<"calls">> {
  const outputs = await outputsOf(live, hash);
  const execution = chain.execution(hash);
  if (execution === undefined) throw new ServiceError(404, `hash: no transaction ${hash}`);
  const shown = callRecords(execution, new Decoder(chain, live), MAX_CALLS, outputs);
  return {
    ...common(
      chain,
      shown.flatMap(({ sender, receiver, created }) => [sender, receiver, created]),
    ),
    count: decimal(execution.frames.length),
    calls: shown,
  };
}

/** The transaction that created a contract: itself, or in a frame. */
function creationOf(chain: ChainWriter, address: Address): AnswerWireOf<"account">["creation"] {
  const own = chain.transactions(address, "contract", {});
  const frames = chain.frames(address, {}).slice(0, SEARCHED_FRAMES);
  const creating = frames.find(({ created, undone }) => created === address && !undone);
  const made = creating ?? (own.count > 0 ? own.at(0) : undefined);
  if (made === undefined) return null;
  const { hash, block } = "transaction" in made ? made.transaction : made;
  return { transaction_hash: hash, creator: made.from, block_number: decimal(block.number) };
}

/** Columns of a plot of transfers. */
const MAX_COLUMNS = 60;

/** How many transfers of a token there were over time. */
function activityOf(transfers: Listing<Log>): AnswerWireOf<"account">["transfer_activity"] {
  const { count } = transfers;
  if (count < 2) return null;
  const numberOf = ({ transaction }: Log) => transaction.block.number;
  const first = numberOf(transfers.at(0));
  const blocks = numberOf(transfers.at(count - 1)) - first + 1;
  const step = Math.ceil(blocks / MAX_COLUMNS);
  const ends = Array.from({ length: Math.ceil(blocks / step) }, (_, index) =>
    countBefore(transfers, (log) => numberOf(log) < first + (index + 1) * step),
  );
  if (ends.length < 2) return null;
  const counts = ends.map((end, index) => decimal(end - (ends[index - 1] ?? 0)));
  return { first_block: decimal(first), step: decimal(step), counts };
}

export function account(
  chain: ChainWriter,
  { address }: ParametersOf<"account">,
): AnswerWireOf<"account"> {
  const code = chain.code(address);
  const [token, contract] = [chain.token(address), chain.verified(address)];
  const creation = code === "0x" ? null : creationOf(chain, address);
  const logs = chain.logs({ address, topics: [], operand: "and" });
  const transfers = token ? transferLogs(chain, address) : undefined;
  return {
    ...common(chain, [address, creation?.creator]),
    address,
    balance: decimal(chain.balance(address)),
    is_contract: code !== "0x",
    code,
    target: (code !== "0x" && proxyOn(chain, address)?.target) || null,
    creation,
    transaction_count: decimal(chain.transactions(address, "all", {}).count),
    internal_transaction_count: decimal(chain.frames(address, {}).count),
    mrc20_transfer_count: decimal(chain.transfers(address, "mrc20", {}).count),
    mrc721_transfer_count: decimal(chain.transfers(address, "mrc721", {}).count),
    transfer_count: transfers ? decimal(transfers.count) : null,
    transfer_activity: transfers ? activityOf(transfers) : null,
    mrc20_count: decimal(chain.holdings(address, "mrc20").count),
    mrc721_count: decimal(chain.holdings(address, "mrc721").count),
    mined_block_count: decimal(chain.blocksMinedBy(address).count),
    log_count: decimal(logs.count),
    token: token ? tokenRecord(token) : null,
    contract: contract ? contractRecord(chain)(contract) : null,
  };
}

export function balances(
  chain: ChainWriter,
  { address, limit }: ParametersOf<"balances">,
): AnswerWireOf<"balances"> {
  const { points, complete } = balanceHistory(chain, address, limit);
  return {
    ...common(chain, [address]),
    address,
    points: points.map(({ block, balance }) => ({
      block_number: decimal(block.number),
      timestamp: time(block.timestamp),
      balance: decimal(balance),
    })),
    complete,
  };
}

function tokenAt(chain: ChainWriter, address: Address): Token {
  const token = chain.token(address);
  if (token === undefined) throw new ServiceError(404, `address: no token at ${address}`);
  return token;
}

export function token(
  chain: ChainWriter,
  { address, ...parameters }: ParametersOf<"token">,
): AnswerWireOf<"token"> {
  const found = tokenAt(chain, address);
  const { items: holders, ...listed } = filledPage(
    filteredHolders(chain, found, parameters),
    parameters,
  );
  return {
    ...common(chain, [address, ...holders.map((holder) => holder.address)]),
    token: tokenRecord(found),
    transfer_count: decimal(transferLogs(chain, address).count),
    holders: holders.map((holder) => ({
      address: holder.address,
      balance: decimal(holder.balance),
    })),
    ...listed,
  };
}
