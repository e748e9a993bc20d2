// Formats records for `/inspect`. Cuts texts from the chain, because they may have any length.

import { feeOf } from "../chain/block-effects.ts";
import type { ChainReader } from "../chain/reader.ts";
import {
  type Address,
  type Block,
  type Token as ChainToken,
  type ChainTransaction,
  type ContractVerification,
  type Frame,
  hasIds,
  type Log,
  selectorOf,
  type Transfer,
} from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { cut } from "../ingest/read.ts";
import { decimal, decimalOrNull, outcome, time } from "../operations/format.ts";
import type { DecodedWire } from "./records.ts";
import { isShared } from "./whole-chain.ts";

/** Characters of a name or symbol. */
const MAX_TEXT = 200;
const MAX_REASON = 2000;

const cutOrNull = (text: string | null): string | null =>
  text === null ? null : cut(text, MAX_TEXT);

export const cutReason = (text: string): string => cut(text, MAX_REASON);

export const headBlock = ({ number, hash, timestamp }: Block) => ({
  block_number: decimal(number),
  block_hash: hash,
  timestamp: time(timestamp),
});

export const blockRecord = (block: Block) => ({
  ...headBlock(block),
  parent_hash: block.parentHash,
  miner: block.miner,
  gas_used: decimalOrNull(block.gasUsed),
  gas_limit: decimalOrNull(block.gasLimit),
  base_fee_per_gas: decimalOrNull(block.baseFeePerGas),
  transaction_count: decimal(block.transactionCount),
  fees: decimal(block.fees),
  mining_reward: decimal(block.miningReward),
});

export const transactionRecord = (transaction: ChainTransaction, methodName: string | null) => ({
  transaction_hash: transaction.hash,
  block_number: decimal(transaction.block.number),
  timestamp: time(transaction.block.timestamp),
  transaction_index: decimal(transaction.index),
  sender: transaction.from,
  receiver: transaction.to,
  contract_address: transaction.created,
  value: decimal(transaction.value),
  tx_status: outcome(transaction.succeeded),
  tx_fee: decimalOrNull(feeOf(transaction)),
  method: selectorOf(transaction),
  method_name: methodName,
});

export const tokenFields = ({ address, standard, name, symbol, decimals }: ChainToken) => ({
  token_address: address,
  standard,
  token_name: cutOrNull(name),
  token_symbol: cutOrNull(symbol),
  token_decimals: decimalOrNull(decimals),
});

export const tokenRecord = (token: ChainToken) => ({
  ...tokenFields(token),
  total_supply: decimal(token.totalSupply),
  holder_count: decimal(token.holderCount),
});

export const contractRecord = (chain: ChainReader) => (contract: ContractVerification) => ({
  address: contract.address,
  contract_name: cut(contract.contractName, MAX_TEXT),
  compiler: cut(contract.compiler, MAX_TEXT),
  verify_date: time(contract.verifiedAt),
  verify_level: contract.level ?? null,
  token_symbol: cutOrNull(chain.token(contract.address)?.symbol || null),
});

export const partOf = ({ hash, block }: ChainTransaction) => ({
  transaction_hash: hash,
  block_number: decimal(block.number),
  timestamp: time(block.timestamp),
});

export const internalRecord = (frame: Frame, methodName: string | null) => ({
  ...partOf(frame.transaction),
  trace_address: [...frame.traceAddress],
  type: frame.type,
  sender: frame.from,
  receiver: frame.to,
  contract_address: frame.created,
  value: decimal(frame.value),
  gas_used: decimalOrNull(frame.gasUsed),
  undone: frame.undone,
  method: selectorOf(frame),
  method_name: methodName,
});

export const logRecord = (log: Log, event: DecodedWire | null) => ({
  log_index: decimal(log.index),
  address: log.address,
  topics: [...log.topics],
  data: log.data,
  event,
});

export function transferRecord(transfer: Transfer, methodName: string | null) {
  const { log, token, from, to, value } = transfer;
  const isId = hasIds(token.standard);
  return {
    ...partOf(log.transaction),
    log_index: decimal(log.index),
    method: selectorOf(log.transaction),
    method_name: methodName,
    ...tokenFields(token),
    sender: from,
    receiver: to,
    value: isId ? null : decimal(value),
    token_id: isId ? decimal(value) : null,
  };
}

const cutName = (name: string): string => cut(name, 60);

/** "Vault", or "Vault (VLT 0x5fbd…0aa3)" if several tokens or contracts have the name. */
function uniqueName(chain: ChainWriter, address: Address, name: string, symbol?: string | null) {
  if (!isShared(chain, name)) return cutName(name);
  const ends = `${address.slice(0, 6)}…${address.slice(-4)}`;
  return `${cutName(name)} (${symbol && symbol !== name ? `${cut(symbol, 12)} ` : ""}${ends})`;
}

/** The name of an address by its token, else by its verified source. */
export function addressName(chain: ChainWriter, address: Address) {
  const token = chain.token(address);
  const name = token?.name || token?.symbol;
  if (name)
    return {
      address,
      name: uniqueName(chain, address, name, token?.symbol),
      kind: "token" as const,
    };
  const contract = chain.verified(address);
  if (contract === undefined) return undefined;
  return {
    address,
    name: uniqueName(chain, address, contract.contractName),
    kind: "contract" as const,
  };
}
