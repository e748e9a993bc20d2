// The answers of `/inspect` about one block, transaction, account or contract, and of a search.

import { isObject } from "../../src/models/issues.ts";
import type { LiveChain } from "../chain/live-chain.ts";
import type { Listing } from "../chain/reader.ts";
import {
  type Address,
  type Block,
  type Execution,
  type Hash,
  type Log,
  perStandard,
  standards,
} from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { ServiceError } from "../message/api.ts";
import { proxyOn } from "../operations/contract-on.ts";
import { confirmations, decimal, decimalOrNull, time } from "../operations/format.ts";
import { callOf, callRecords, failureIn } from "./calls.ts";
import { changesBy } from "./changes.ts";
import { Decoder } from "./decode.ts";
import {
  blockRecord,
  contractRecord,
  logRecord,
  tokenRecord,
  transactionRecord,
  transferRecord,
} from "./format.ts";
import { type Answers, listedTransferOf, transferLogs } from "./lists.ts";
import { findCandidates } from "./search.ts";
import { contractAnswer } from "./source.ts";
import { placeInSource } from "./source-line.ts";
import { outputsOf } from "./tracers.ts";
import type { AnswerWireOf } from "./views.ts";

/** Gas of the largest transaction whose steps are requested, because steps may take 100 MB. */
const MAX_TRACED_GAS = 1_000_000;

const MAX_LOGS = 500;

/** Limit of frames to search for a creation, which only calls to the future address precede. */
const SEARCHED_FRAMES = 20;

/** Limit of calls in an answer, because a contract may call in a loop. */
const MAX_CALLS = 1000;

/** @throws ServiceError 404 if the chain has no such transaction */
function existing<Value>(execution: Value | undefined, hash: Hash): Value {
  if (execution === undefined) throw new ServiceError(404, `hash: no transaction ${hash}`);
  return execution;
}

/** The transaction that created a contract, directly or in a call. */
function creationOf(chain: ChainWriter, address: Address): AnswerWireOf<"account">["creation"] {
  const direct = chain.transactions(address, "contract", {});
  const frames = chain.frames(address, {}).slice(0, SEARCHED_FRAMES);
  const creating = frames.find(({ created, undone }) => created === address && !undone);
  const creation = creating ?? (direct.count > 0 ? direct.at(0) : undefined);
  if (creation === undefined) return null;
  const { hash, block } = "transaction" in creation ? creation.transaction : creation;
  return { transaction_hash: hash, creator: creation.from, block_number: decimal(block.number) };
}

/** The time of the newest record about an account, or of the newest transfer of a token. */
function lastActivity(
  chain: ChainWriter,
  account: Address,
  ofToken: Listing<Log> | undefined,
): AnswerWireOf<"account">["last_activity"] {
  const newest = <Item>(list: Listing<Item>, blockOf: (item: Item) => Block) =>
    list.count === 0 ? [] : [blockOf(list.at(list.count - 1)).timestamp];
  const ofLog = ({ transaction }: Log) => transaction.block;
  const times = ofToken
    ? newest(ofToken, ofLog)
    : [
        ...newest(chain.transactions(account, "all", {}), ({ block }) => block),
        ...newest(chain.frames(account, {}), ({ transaction }) => transaction.block),
        ...standards.flatMap((standard) =>
          newest(chain.transfers(account, standard, {}), ({ log }) => ofLog(log)),
        ),
      ];
  return times.length === 0 ? null : time(Math.max(...times));
}

/** Whether the followed node has a transaction that is in no block yet. */
async function isPending(live: LiveChain | undefined, hash: Hash): Promise<boolean> {
  const call = { method: "eth_getTransactionByHash", params: [hash] };
  const [answer] = (await live?.ask?.([call]).catch(() => [])) ?? [];
  const transaction = answer !== undefined && "result" in answer ? answer.result : undefined;
  return isObject(transaction) && (transaction.blockNumber ?? null) === null;
}

function transactionAnswer(
  chain: ChainWriter,
  execution: Execution,
  live: LiveChain | undefined,
): Omit<AnswerWireOf<"transaction">, "head" | "names"> {
  const { transaction, frames } = execution;
  const decoder = new Decoder(chain, live);
  const record = transactionRecord(transaction, decoder.method(transaction));
  const logs = execution.logs.slice(0, MAX_LOGS);
  return {
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
    failure: failureIn(execution, decoder),
    internal_transaction_count: decimal(frames.length),
    log_count: decimal(execution.logs.length),
    logs: logs.map((log) => logRecord(log, decoder.log(log))),
    transfers: logs.flatMap((log) => {
      const transfer = listedTransferOf(chain, log);
      return transfer ? [transferRecord(transfer, record.method_name)] : [];
    }),
  };
}

export const details = {
  block(chain, { number }) {
    const block = chain.block(number);
    if (block === undefined)
      throw new ServiceError(
        404,
        `number: no block ${number}, the chain has ${chain.head.number - chain.length + 1} to ${chain.head.number}`,
      );
    return { block: blockRecord(block), confirmations: confirmations(chain.head, block) };
  },
  async transaction(chain, { hash }, { live }) {
    if (chain.execution(hash) === undefined && (await isPending(live, hash)))
      throw new ServiceError(404, `hash: transaction ${hash} is pending: no block contains it yet`);
    return () => transactionAnswer(chain, existing(chain.execution(hash), hash), live);
  },
  async changes(chain, { hash }, { live }) {
    const changes = await changesBy(chain, hash, live);
    return () => existing(changes, hash);
  },
  /** The source line is found by the transaction's steps, which only a followed node has. */
  async source(chain, { hash }, { live }) {
    const gasUsed = chain.transaction(hash)?.gasUsed ?? 0;
    const isSmall = gasUsed <= MAX_TRACED_GAS;
    const steps = isSmall ? await live?.stepsOf?.(hash).catch(() => undefined) : undefined;
    return () => ({
      place: placeInSource(chain, existing(chain.execution(hash), hash), steps, live),
    });
  },
  /** Return values come from the followed node, because the chain does not store them. */
  async calls(chain, { hash }, { live }) {
    const outputs = await outputsOf(live, hash);
    return () => {
      const execution = existing(chain.execution(hash), hash);
      return {
        count: decimal(execution.frames.length),
        calls: callRecords(execution, new Decoder(chain, live), MAX_CALLS, outputs),
      };
    };
  },
  account(chain, { address }) {
    const code = chain.code(address);
    const [token, contract] = [chain.token(address), chain.verified(address)];
    const transfers = token ? transferLogs(chain, address) : undefined;
    const logs = chain.logs({ address, topics: [], operand: "and" });
    return {
      address,
      balance: decimal(chain.balance(address)),
      is_contract: code !== "0x",
      code,
      target: (code !== "0x" && proxyOn(chain, address)?.target) || null,
      creation: code === "0x" ? null : creationOf(chain, address),
      transaction_count: decimal(chain.transactions(address, "all", {}).count),
      internal_transaction_count: decimal(chain.frames(address, {}).count),
      ...perStandard("_transfer_count", (standard) =>
        decimal(chain.transfers(address, standard, {}).count),
      ),
      transfer_count: transfers ? decimal(transfers.count) : null,
      ...perStandard("_count", (standard) => decimal(chain.holdings(address, standard).count)),
      mined_block_count: decimal(chain.blocksMinedBy(address).count),
      log_count: decimal(logs.count),
      last_activity: lastActivity(chain, address, transfers),
      token: token ? tokenRecord(token) : null,
      contract: contract ? contractRecord(chain)(contract) : null,
    };
  },
  contract: (chain, { address }, { live }) =>
    contractAnswer(chain, address, new Decoder(chain, live)),
  search: (chain, { q }) => ({ query: q, ...findCandidates(chain, q) }),
} satisfies Partial<Answers>;
