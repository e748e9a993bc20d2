// Formats a Transfer event: MRC20 with a value (specification 2.5), MRC721 without (2.6).
import type { Mrc20TransferWire, Mrc721TransferWire } from "../../src/models/transfer.ts";
import type { Block, ChainTransaction, Token, Transfer } from "../chain/records.ts";
import { confirmations, decimal, decimalOrNull, time } from "./format.ts";

export const mrc721Transfer =
  (head: Block) =>
  ({ log, token, from, to }: Transfer): Mrc721TransferWire => ({
    timestamp: time(log.transaction.block.timestamp),
    sender: from,
    receiver: to,
    ...transferContext(head, log.transaction, token),
  });

export const mrc20Transfer =
  (head: Block) =>
  ({ log, token, from, to, value }: Transfer): Mrc20TransferWire => ({
    timestamp: time(log.transaction.block.timestamp),
    sender: from,
    receiver: to,
    value: decimal(value),
    ...transferContext(head, log.transaction, token),
  });

/** Block, transaction and token, the same in both forms. */
const transferContext = (head: Block, { block, hash, index }: ChainTransaction, token: Token) => ({
  confirmations: confirmations(head, block),
  block_number: decimal(block.number),
  transaction_hash: hash,
  block_hash: block.hash,
  token_address: token.address,
  token_name: token.name,
  token_symbol: token.symbol,
  token_decimals: decimalOrNull(token.decimals),
  transaction_index: decimal(index),
});
