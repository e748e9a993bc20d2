// How a token's Transfer event is shown: MRC20 with a value (specification 2.5), MRC721 without (2.6).
import type { Mrc20TransferWire, Mrc721TransferWire } from "../../src/models/transfer.ts";
import type { Block, Transfer } from "../chain/records.ts";
import { confirmations, decimal, decimalOrNull, time } from "./show.ts";

export const mrc721Transfer =
  (head: Block) =>
  ({ log: { transaction }, token, from, to }: Transfer): Mrc721TransferWire => ({
    timestamp: time(transaction.block.timestamp),
    sender: from,
    receiver: to,
    confirmations: confirmations(head, transaction.block),
    block_number: decimal(transaction.block.number),
    transaction_hash: transaction.hash,
    block_hash: transaction.block.hash,
    token_address: token.address,
    token_name: token.name,
    token_symbol: token.symbol,
    token_decimals: decimalOrNull(token.decimals),
    transaction_index: decimal(transaction.index),
  });

export const mrc20Transfer = (head: Block) => {
  const show = mrc721Transfer(head);
  return (transfer: Transfer): Mrc20TransferWire => ({
    ...show(transfer),
    value: decimal(transfer.value),
  });
};
