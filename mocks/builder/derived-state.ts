// What a ledger starts from, read out of the chain: nonces, owners, allowances and approvals follow from what is recorded.

import { ZERO_ADDRESS } from "../chain/constants.ts";
import { countBefore, items } from "../chain/listing.ts";
import type { ChainReader, Listing } from "../chain/reader.ts";
import type { Address, Frame, Hash, Log, Nft } from "../chain/records.ts";
import { tokenEvents } from "./events.ts";
import { word } from "./evm.ts";

const last = <Item>(list: Listing<Item>): Item | undefined =>
  list.count === 0 ? undefined : list.at(list.count - 1);

const isCreation = (frame: Frame): boolean => frame.type === "create" || frame.type === "create2";

/** Whether the frame at `inner` runs inside the one at `outer`. */
const isInside = (inner: readonly number[], outer: readonly number[]): boolean =>
  inner.length > outer.length && outer.every((at, depth) => inner[depth] === at);

/** A creation counts for its creator's nonce even if it failed, unless what it ran in failed too. */
function counts(chain: ChainReader, creation: Frame): boolean {
  return (
    !creation.undone ||
    (creation.transaction.succeeded !== false &&
      !items(chain.framesOf(creation.transaction)).some(
        (frame) => frame.error !== null && isInside(creation.traceAddress, frame.traceAddress),
      ))
  );
}

/** The nonce an account's next transaction, or a contract's next creation, has. */
export function nonceOf(chain: ChainReader, account: Address): number {
  const sent = last(chain.transactions(account, "from", {}));
  if (sent !== undefined) {
    return sent.nonce + 1;
  }
  const frames = items(chain.frames(account, {}));
  const creations = frames.filter(
    (frame) => frame.from === account && isCreation(frame) && counts(chain, frame),
  );
  return creations.length + (isContract(chain, account, frames) ? 1 : 0);
}

/** A contract begins with nonce 1, even one whose code is empty. */
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

/** Who owns a token of a collection; null if it does not exist. */
export const ownerOf = (chain: ChainReader, token: Address, id: bigint): Address | null =>
  nftOf(chain, token, id)?.owner ?? null;

const lastLog = (chain: ChainReader, address: Address, ...topics: (Hash | undefined)[]) =>
  last(chain.logs({ address, topics, operand: "and" }));

/** What a spender may still take: the last Approval event says. */
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

/** Who may move a token besides its owner: the last Approval event says, unless the token moved since. */
export function approvedFor(chain: ChainReader, token: Address, id: bigint): Address {
  const approval = lastLog(chain, token, tokenEvents.approval, undefined, undefined, word(id));
  const moved = lastLog(chain, token, tokenEvents.transfer, undefined, undefined, word(id));
  const topic = approval?.topics[2];
  return approval === undefined ||
    topic === undefined ||
    (moved !== undefined && isAfter(moved, approval))
    ? ZERO_ADDRESS
    : `0x${topic.slice(26)}`;
}

/** Whether an operator may move all of an owner's tokens: the last ApprovalForAll event says. */
export function isOperator(
  chain: ChainReader,
  token: Address,
  owner: Address,
  operator: Address,
): boolean {
  const approval = lastLog(chain, token, tokenEvents.approvalForAll, word(owner), word(operator));
  return approval !== undefined && BigInt(approval.data) !== 0n;
}
