// State derived from a chain's records: nonces, owners, allowances and approvals.

import { addressInWord, ZERO_ADDRESS } from "../chain/hex.ts";
import { isCreation } from "../chain/kinds.ts";
import { countBefore, items } from "../chain/listing.ts";
import type { ChainReader, Listing } from "../chain/reader.ts";
import type { Address, Frame, Hash, Log, Nft } from "../chain/records.ts";
import { tokenEvents, word } from "./evm.ts";

const last = <Item>(list: Listing<Item>): Item | undefined =>
  list.count === 0 ? undefined : list.at(list.count - 1);

/** Whether the frame at `inner` runs inside the one at `outer`. */
const isInside = (inner: readonly number[], outer: readonly number[]): boolean =>
  inner.length > outer.length && outer.every((at, depth) => inner[depth] === at);

/** Whether a creation raised its creator's nonce: even a failed one does, unless a frame around it failed too. */
function raisesNonce(chain: ChainReader, creation: Frame): boolean {
  return (
    !creation.undone ||
    (creation.transaction.succeeded !== false &&
      !items(chain.framesOf(creation.transaction)).some(
        (frame) => frame.error !== null && isInside(creation.traceAddress, frame.traceAddress),
      ))
  );
}

/** The nonce of an account's next transaction, or of a contract's next creation. */
export function nonceOf(chain: ChainReader, account: Address): number {
  const sent = last(chain.transactions(account, "from", {}));
  if (sent !== undefined) {
    return sent.nonce + 1;
  }
  const frames = items(chain.frames(account, {}));
  const creations = frames.filter(
    (frame) => frame.from === account && isCreation(frame.type) && raisesNonce(chain, frame),
  );
  return creations.length + (isContract(chain, account, frames) ? 1 : 0);
}

/** A contract's nonce starts at 1, even if its code is empty. */
const isContract = (chain: ChainReader, account: Address, frames: readonly Frame[]): boolean =>
  chain.code(account) !== "0x" ||
  items(chain.transactions(account, "contract", {})).some(({ succeeded }) => succeeded !== false) ||
  frames.some(({ created, undone }) => created === account && !undone);

/** The live token with this id. */
function nftOf(chain: ChainReader, token: Address, id: bigint): Nft | undefined {
  const list = chain.nfts(token);
  const at = countBefore(list, ({ tokenId }) => tokenId < id);
  const found = at < list.count ? list.at(at) : undefined;
  return found?.tokenId === id ? found : undefined;
}

/** The owner of a collection's token; null if the token does not exist. */
export const ownerOf = (chain: ChainReader, token: Address, id: bigint): Address | null =>
  nftOf(chain, token, id)?.owner ?? null;

const lastLog = (chain: ChainReader, address: Address, ...topics: (Hash | undefined)[]) =>
  last(chain.logs({ address, topics, operand: "and" }));

/** What a spender may still take, by the last Approval event. */
export function allowanceOf(
  chain: ChainReader,
  token: Address,
  owner: Address,
  spender: Address,
): bigint {
  const approval = lastLog(chain, token, tokenEvents.approval, word(owner), word(spender));
  return approval === undefined ? 0n : BigInt(approval.data);
}

const isAfter = (one: Log, other: Log): boolean =>
  one.transaction.block.number === other.transaction.block.number
    ? one.index > other.index
    : one.transaction.block.number > other.transaction.block.number;

/** The account approved to move a token, by the last Approval event, unless the token moved since. */
export function approvedFor(chain: ChainReader, token: Address, id: bigint): Address {
  const approval = lastLog(chain, token, tokenEvents.approval, undefined, undefined, word(id));
  const moved = lastLog(chain, token, tokenEvents.transfer, undefined, undefined, word(id));
  const topic = approval?.topics[2];
  return approval === undefined ||
    topic === undefined ||
    (moved !== undefined && isAfter(moved, approval))
    ? ZERO_ADDRESS
    : addressInWord(topic);
}

/** Whether an operator may move all of an owner's tokens, by the last ApprovalForAll event. */
export function isOperator(
  chain: ChainReader,
  token: Address,
  owner: Address,
  operator: Address,
): boolean {
  const approval = lastLog(chain, token, tokenEvents.approvalForAll, word(owner), word(operator));
  return approval !== undefined && BigInt(approval.data) !== 0n;
}
