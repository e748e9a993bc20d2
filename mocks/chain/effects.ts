// What undoing a block takes: which coins and tokens its transactions moved, and what they created.
import type { BlockInput } from "./block-input.ts";
import type { CoinExecution } from "./coin-moves.ts";
import type { Address, Block } from "./records.ts";
import type { TransferEvent } from "./transfer-event.ts";

/** The addresses of a segment by their numbers: to read them for every move takes most of the time. */
export interface AddressBook {
  account(number: number): Address;
  /** The holder in a topic, by the topic's number. */
  holder(topic: number): Address;
}

/** A transfer; its holders are numbers of topics, or, if the log has them in its data, addresses. */
export interface PackedTransfer {
  readonly token: Address;
  readonly event: TransferEvent<number | Address>;
}

/** The address of a holder in a packed transfer. */
export const holderIn = (addressBook: AddressBook, holder: number | Address): Address =>
  typeof holder === "number" ? addressBook.holder(holder) : holder;

/** A packed transfer's event with the addresses of its holders. */
export const namedIn = (
  addressBook: AddressBook,
  event: PackedTransfer["event"],
): TransferEvent => ({
  ...event,
  from: holderIn(addressBook, event.from),
  to: holderIn(addressBook, event.to),
});

export interface BlockEffects {
  readonly addressBook: AddressBook;
  readonly block: Block;
  /** What its transactions moved, without what changes no balance, such as their hashes and input. */
  readonly executions: readonly CoinExecution<number>[];
  /** In chain order. */
  readonly transfers: readonly PackedTransfer[];
  readonly credits: NonNullable<BlockInput["credits"]>;
}
