// Keys of records for user interfaces, databases and sets: the same on every page and in every
// process.
import { identities } from "../contract/lists.ts";
import { ParameterError } from "../errors/index.ts";
import type { TokenHolding } from "../lists/records.ts";
import type { BlockReward, MinedBlock } from "../models/block.ts";
import type { EventLog } from "../models/event-log.ts";
import type { TokenEntry } from "../models/holdings.ts";
import type { InternalTransaction } from "../models/internal-transaction.ts";
import type { CollectionToken } from "../models/inventory.ts";
import type { Address, Hash } from "../models/primitives.ts";
import type { SimpleTransaction, Transaction } from "../models/transaction.ts";
import type { Mrc20Transfer, Mrc721Transfer } from "../models/transfer.ts";

/** A record of any list. */
export type KeyedRecord =
  | Transaction
  | SimpleTransaction
  | InternalTransaction
  | Mrc20Transfer
  | Mrc721Transfer
  | EventLog
  | TokenHolding
  | TokenEntry
  | CollectionToken
  | MinedBlock
  | BlockReward;

/** Requires `repeats` for the transfers of an account, because several may look the same. */
type RepeatsOf<Item> = [Item] extends [{ readonly log_index: number }]
  ? [repeats?: Map<string, number> | undefined]
  : [Item] extends [{ readonly transaction_hash: Hash; readonly token_address: Address }]
    ? [repeats: Map<string, number>]
    : [repeats?: Map<string, number> | undefined];

/**
 * The identifying fields of each kind of record, longest first, because a record may also have all
 * fields of a shorter identity.
 */
const longestFirst: readonly (readonly string[])[] = Object.values(identities).sort(
  (left, right) => right.length - left.length,
);

const fieldText = (value: unknown): string =>
  Array.isArray(value) ? `[${value.join()}]` : `${value ?? ""}`.toLowerCase();

/**
 * Returns a key that identifies a record in its list, made of fields such as the hash of a
 * transaction. The key is the same on every page, in every process and for every spelling of an
 * address. Records of different kinds have different keys.
 *
 * Transfers of an account have no log index, so two transfers of one transaction may look the same
 * and share a key. For transfers, therefore pass a map as `repeats`: the key of the second equal
 * transfer then ends in `#2`. Begin with a new map for each rendering, so that every row keeps its
 * key.
 *
 * @throws {@link ParameterError} if the value is not a record of a list.
 * @example
 * const repeats = new Map<string, number>();
 * const rows = new Map<string, bigint>();
 * for await (const transfer of explorer.accounts.mrc20Transfers(address))
 *   rows.set(recordKey(transfer, repeats), transfer.value);
 */
export function recordKey<Item extends KeyedRecord>(
  record: Item,
  ...[repeats]: RepeatsOf<Item>
): string {
  const recordFields: Readonly<Record<string, unknown>> = Object(record);
  // The first two fields are enough, because only some servers send the others.
  const identity = longestFirst.find((fields) =>
    fields.slice(0, 2).every((field) => field in recordFields),
  );
  if (!identity)
    throw new ParameterError("Invalid record", [
      { path: ["record"], expected: "a record of a list", received: record },
    ]);
  const key = identity.map((field) => fieldText(recordFields[field])).join("/");
  if (!repeats) return key;
  const count = repeats.get(key) ?? 0;
  repeats.set(key, count + 1);
  return count ? `${key}#${count + 1}` : key;
}
