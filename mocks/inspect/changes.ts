// The balances and the state that a transaction changed.

import { isAddress } from "../../src/models/hex.ts";
import { isObject } from "../../src/models/issues.ts";
import { asObject } from "../../src/models/json.ts";
import { visitCoinMoves } from "../chain/block-effects.ts";
import { quantityOf, wordOf, ZERO_ADDRESS, ZERO_HASH } from "../chain/hex.ts";
import type { LiveChain, NodeAnswer, NodeCall } from "../chain/live-chain.ts";
import {
  type Address,
  type BlockInput,
  type Execution,
  type Hash,
  hasIds,
  type Token,
} from "../chain/records.ts";
import { transferIn } from "../chain/transfer-event.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { proxyOn } from "../operations/contract-on.ts";
import { decimal, lower } from "../operations/format.ts";
import { cutReason, tokenFields } from "./format.ts";
import type { StateChangeWire } from "./records.ts";
import { keysIn, namedChanges, type SlotChange } from "./storage-names.ts";
import { traceBy } from "./tracers.ts";

/** Maximum number of balances requested from the node. */
const MAX_BALANCES = 100;
/** Maximum number of state changes returned. */
const MAX_STATE = 500;

/** An account's coins, or its units of a token. */
interface Balance {
  readonly address: Address;
  readonly token: Token | undefined;
  /** Sum of the transfers in the block before the transaction. */
  earlier: bigint;
  /** Sum of the transaction's own transfers. */
  own: bigint;
  /** Sum of the transfers in the block after the transaction. */
  later: bigint;
}

type Phase = "earlier" | "own" | "later";

/** The balances that a transaction touched, coins before tokens. */
function touchedBalances(
  chain: ChainWriter,
  { transaction, frames }: Execution,
  input: BlockInput,
): readonly Balance[] {
  const balances = new Map<string, Balance>();
  const balanceOf = (address: Address, token?: Token): Balance => {
    const key = `${token?.address} ${address}`;
    const balance = balances.get(key) ?? { address, token, earlier: 0n, own: 0n, later: 0n };
    balances.set(key, balance);
    return balance;
  };
  const touched = new Set<Balance>();
  const touch = (address: Address | null, token?: Token) => {
    if (address !== null) touched.add(balanceOf(address, token));
  };
  const move = (address: Address | null, by: bigint, phase: Phase, token?: Token) => {
    if (address === null || (token !== undefined && address === ZERO_ADDRESS)) return;
    const balance = balanceOf(address, token);
    balance[phase] += by;
    if (phase === "own") touched.add(balance);
  };
  const phaseOf = (index: number | undefined): Phase => {
    if (index === transaction.index) return "own";
    return index !== undefined && index < transaction.index ? "earlier" : "later";
  };
  touch(transaction.from);
  touch(transaction.to ?? transaction.created);
  visitCoinMoves(input, (from, to, value, mover) => {
    const phase = phaseOf(mover?.index);
    move(from, -value, phase);
    move(to, value, phase);
  });
  // Includes callers of tokens, because a call may have failed for lack of a balance.
  for (const { from, to } of [transaction, ...frames]) {
    const token = to === null ? undefined : chain.token(to);
    if (token) touch(from, token);
  }
  for (const { transaction: mover, logs } of input.executions)
    for (const log of logs) {
      const event = transferIn(log);
      const token = event && chain.token(log.address);
      if (event === undefined || token === undefined) continue;
      const value = hasIds(token.standard) ? BigInt(event.count) : event.value;
      move(event.from, -value, phaseOf(mover.index), token);
      move(event.to, value, phaseOf(mover.index), token);
    }
  return [...touched].sort((first, other) => Number(!!first.token) - Number(!!other.token));
}

const callFor = ({ address, token }: Balance, block: string): NodeCall => {
  if (token === undefined) return { method: "eth_getBalance", params: [address, block] };
  // balanceOf(address)
  const data = `0x70a08231${wordOf(BigInt(address)).slice(2)}`;
  return { method: "eth_call", params: [{ to: token.address, data }, block] };
};

const resultIn = (answer: NodeAnswer | undefined): unknown =>
  answer !== undefined && "result" in answer ? answer.result : undefined;

/** A JSON-RPC quantity. */
const QUANTITY = /^0x[\da-f]*$/i;

/**
 * Reads a quantity. "0x" is 0, because a call to a contract that did not exist yet returns no data.
 */
function numberIn(answer: NodeAnswer | undefined): bigint | undefined {
  const result = resultIn(answer);
  if (typeof result !== "string" || !QUANTITY.test(result)) return undefined;
  return result === "0x" ? 0n : BigInt(result.slice(0, 66));
}

/** Derives a change from the balances after the parent block and after the transaction's block. */
function balanceChange(
  { address, token, earlier, own, later }: Balance,
  parentBalance: bigint | undefined,
  blockBalance: bigint | undefined,
) {
  const first = parentBalance === undefined ? undefined : parentBalance + earlier;
  const last = blockBalance === undefined ? undefined : blockBalance - later;
  const before = first ?? (last === undefined ? undefined : last - own);
  const after = last ?? (before === undefined ? undefined : before + own);
  const isKnown = before !== undefined && after !== undefined && before >= 0n && after >= 0n;
  return {
    address,
    token: token === undefined ? null : tokenFields(token),
    before: isKnown ? decimal(before) : null,
    after: isKnown ? decimal(after) : null,
    change: `${isKnown ? after - before : own}`,
  };
}

interface Account {
  readonly balance?: unknown;
  readonly nonce?: unknown;
  readonly code?: unknown;
  readonly storage?: unknown;
}

const accountsIn = (accounts: unknown): ReadonlyMap<Address, Account> =>
  new Map(
    Object.entries(isObject(accounts) ? accounts : {}).flatMap(([address, account]) =>
      isAddress(address) && isObject(account) ? [[lower(address), account] as const] : [],
    ),
  );

const wordIn = (digits: string): Hash => wordOf(BigInt(digits === "0x" ? 0 : digits));

const slotsOf = ({ storage }: Account): ReadonlyMap<Hash, Hash> =>
  new Map(
    Object.entries(isObject(storage) ? storage : {}).flatMap(([slot, value]) =>
      QUANTITY.test(slot) && typeof value === "string" && QUANTITY.test(value)
        ? [[wordIn(slot), wordIn(value)] as const]
        : [],
    ),
  );

/**
 * Reads a diff of geth's prestateTracer. Returns undefined for any other trace, such as opcode
 * steps. https://geth.ethereum.org/docs/developers/evm-tracing/built-in-tracers#prestate-tracer
 */
function stateChanges(diff: unknown): readonly StateChangeWire[] | undefined {
  if (!isObject(diff) || !isObject(diff.pre) || !isObject(diff.post)) return undefined;
  const [before, after] = [accountsIn(diff.pre), accountsIn(diff.post)];
  const changes: StateChangeWire[] = [];
  for (const address of new Set([...before.keys(), ...after.keys()])) {
    const [pre = {}, post] = [before.get(address), after.get(address)];
    // The tracer lists a destroyed account in `pre` only, and omits slots that are zero.
    const [was, is] = [slotsOf(pre), slotsOf(post ?? {})];
    const note = (what: StateChangeWire["what"], slot: Hash | null, from: unknown, to: unknown) => {
      const [first, last] = [cutReason(String(from)), cutReason(String(to))];
      if (first !== last)
        changes.push({ address, what, slot, before: first, after: last, variables: [] });
    };
    const nonceOf = (account: Account) => Number(account.nonce ?? 0);
    if (post === undefined || post.nonce !== undefined)
      note("nonce", null, nonceOf(pre), nonceOf(post ?? {}));
    if (post === undefined || post.code !== undefined)
      note("code", null, pre.code ?? "0x", post?.code ?? "0x");
    for (const slot of new Set([...was.keys(), ...is.keys()]))
      note("storage", slot, was.get(slot) ?? ZERO_HASH, is.get(slot) ?? ZERO_HASH);
  }
  return changes;
}

/**
 * Names the Solidity variables in each changed slot, from the storage layouts of the contract and,
 * if it is a proxy, of its target.
 */
function withVariables(
  chain: ChainWriter,
  execution: Execution,
  changes: readonly StateChangeWire[],
): StateChangeWire[] {
  const slots = new Map<Address, SlotChange[]>();
  for (const { address, slot, before, after } of changes)
    if (slot !== null) slots.set(address, [...(slots.get(address) ?? []), { slot, before, after }]);
  const keys = keysIn(execution, [...slots.values()].flat());
  const named = new Map(
    [...slots].map(([address, own]) => {
      const layouts = [address, proxyOn(chain, address)?.target].flatMap(
        (at) => (at && chain.verified(at)?.compiled?.storage) ?? [],
      );
      return [address, layouts.map((layout) => namedChanges(layout, own, keys))] as const;
    }),
  );
  return changes.map((change) => ({
    ...change,
    variables: (named.get(change.address) ?? []).flatMap(
      (ofLayout) => (change.slot && ofLayout.get(change.slot)) ?? [],
    ),
  }));
}

/** Explains why the state changes are unknown. */
function withoutState(isFollowed: boolean, answer: NodeAnswer | undefined): string {
  if (!isFollowed) return "Only a followed node can tell which storage it changed";
  if (answer === undefined) return "The node did not respond";
  const reason = "error" in answer ? `: ${answer.error.message}` : "";
  return cutReason(`The node has no prestate tracer, which tells the changed storage${reason}`);
}

/**
 * Asks the followed node for the balances before and after the block, and subtracts the moves of
 * the block's other transactions. Without a node, only the differences are known. Returns undefined
 * if a reorg removed the transaction.
 */
export async function changesBy(
  chain: ChainWriter,
  hash: Hash,
  live: Pick<LiveChain, "ask"> | undefined,
) {
  const execution = chain.execution(hash);
  const block = execution?.transaction.block;
  const input = block && chain.blockInput(block.number);
  if (execution === undefined || block === undefined || input === undefined) return undefined;
  const touched = touchedBalances(chain, execution, input);
  const shown = touched.slice(0, MAX_BALANCES);
  // The first block has no parent.
  const parent = quantityOf(Math.max(0, block.number - 1));
  const number = quantityOf(block.number);
  const calls: NodeCall[] = [
    { method: "eth_getBlockByNumber", params: [number, false] },
    ...shown.flatMap((balance) => [callFor(balance, parent), callFor(balance, number)]),
  ];
  const tracer = { tracer: "prestateTracer", tracerConfig: { diffMode: true } };
  const [answers, diff] = await Promise.all([
    live?.ask?.(calls).catch(() => []),
    live?.ask && traceBy(live, hash, tracer),
  ]);
  const [nodeBlock, ...numbers] = answers ?? [];
  const { hash: nodeHash } = asObject(resultIn(nodeBlock));
  // Ignores the balances if the node now has another block at this height.
  const isSame = nodeHash === block.hash;
  const amountAt = (index: number) => (isSame ? numberIn(numbers[index]) : undefined);
  const balances = shown.map((balance, index) =>
    balanceChange(balance, amountAt(2 * index), amountAt(2 * index + 1)),
  );
  const state = stateChanges(resultIn(diff));
  return {
    count: decimal(touched.length),
    balances,
    state_count: decimal(state?.length ?? 0),
    state: state ? withVariables(chain, execution, state.slice(0, MAX_STATE)) : null,
    state_message: state ? null : withoutState(answers !== undefined, diff),
  };
}
