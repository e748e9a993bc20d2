// Reads state (balances, code, tokens) from a node, and sets the results on the chain.
import { concat, padLeft, padRight } from "ox/Hex";
import { isHex } from "../../src/models/hex.ts";
import { check } from "../../src/models/issues.ts";
import { wordOf, ZERO_ADDRESS } from "../chain/hex.ts";
import type { HeadRead, TokenRead } from "../chain/live-chain.ts";
import type { Address, HeadState, Hex, TokenState } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import {
  HeadStateReader,
  MAX_RESULT,
  MRC721_INTERFACE,
  NO_INTERFACE,
  SELECTORS,
} from "../ingest/head-state.ts";
import { data, describeIssue, quantity } from "../ingest/read.ts";
import { RpcError } from "./rpc/errors.ts";
import type { RpcNode } from "./rpc/node.ts";
import type { RpcRequest, RpcResponse } from "./rpc/post.ts";

/** Maximum bytes of a contract's code. Metadium allows 253,952. */
const MAX_CODE = 2 ** 20;

/** The first parameter of `eth_call`. */
interface ContractCall {
  readonly to: Address;
  readonly data: Hex;
}

/** A call without its block parameter. */
interface StateCall {
  readonly method: "eth_getBalance" | "eth_getCode" | "eth_call";
  readonly subject: Address | ContractCall;
}

const balanceOf = (holder: Address): Hex => concat(SELECTORS.balanceOf, padLeft(holder, 32));
const supports = (id: Hex): Hex => concat(SELECTORS.supportsInterface, padRight(id, 32));
/** Shows whether a contract implements `balanceOf`; any holder will do. */
const HAS_BALANCES = balanceOf(ZERO_ADDRESS);

/** Calls that show whether a contract claims to be an MRC721 collection. */
const CLAIMS = [supports(MRC721_INTERFACE), supports(NO_INTERFACE)];
/** Calls that tell the metadata and the kind of a token. */
const TOKEN_CALLS = [
  SELECTORS.name,
  SELECTORS.symbol,
  SELECTORS.decimals,
  SELECTORS.totalSupply,
  HAS_BALANCES,
  ...CLAIMS,
];

function dataOf(read: TokenRead): readonly Hex[] {
  switch (read.kind) {
    case "token":
      return TOKEN_CALLS;
    case "token-balance":
      return [balanceOf(read.holder)];
    case "owner":
      // If `ownerOf` fails, the id does not exist, but only if the contract claims to be a
      // collection.
      return [concat(SELECTORS.ownerOf, wordOf(read.id)), ...CLAIMS];
    case "uri":
      return [concat(SELECTORS.tokenURI, wordOf(read.id))];
  }
}

function callsOf(read: HeadRead): readonly StateCall[] {
  if ("account" in read) {
    const method = read.kind === "balance" ? "eth_getBalance" : "eth_getCode";
    return [{ method, subject: read.account }];
  }
  return dataOf(read).map((data) => ({ method: "eth_call", subject: { to: read.token, data } }));
}

/**
 * Returns the number of calls of a read. Does not count `CLAIMS` for an id, because all ids of a
 * token share them.
 */
export const costOf = ({ kind }: HeadRead): number => (kind === "token" ? TOKEN_CALLS.length : 1);

export function readKey(read: HeadRead): string {
  if ("account" in read) return `${read.kind} ${read.account}`;
  switch (read.kind) {
    case "token":
      return `${read.kind} ${read.token}`;
    case "token-balance":
      return `${read.kind} ${read.token} ${read.holder}`;
    default:
      return `${read.kind} ${read.token} ${read.id}`;
  }
}

const keyOfCall = ({ method, subject }: StateCall): string =>
  typeof subject === "string" ? `${method} ${subject}` : `${subject.to} ${subject.data}`;

/** A call with its response: a line of `calls.ndjson`. */
export type AnsweredCall = RpcRequest & RpcResponse;

// Replaces an unreadable result by an error. If the contract answers other calls, the error counts
// as a revert.
function readable(call: AnsweredCall, unreadable: (what: string) => void): AnsweredCall {
  if (!("result" in call)) return call;
  const { method, params, result } = call;
  const { issues } = check(method === "eth_getBalance" ? quantity : data, result);
  const isTooLong = method === "eth_getCode" && `${result}`.length > 2 + 2 * MAX_CODE;
  if (issues === undefined && !isTooLong) {
    const isLong = method === "eth_call" && `${result}`.length > 2 + 2 * MAX_RESULT;
    return isLong ? { ...call, result: `${result}`.slice(0, 2 + 2 * MAX_RESULT) } : call;
  }
  const why = isTooLong
    ? `expected at most ${MAX_CODE} bytes, received ${(`${result}`.length - 2) / 2}`
    : describeIssue(issues?.[0] ?? { expected: "bytes", received: result });
  const [subject] = params;
  const account = typeof subject === "string" ? subject : `to ${Object(subject).to}`;
  unreadable(`${method} ${account}: ${why}`);
  return { method, params, error: { message: `${UNREADABLE}: ${why}`, isForGood: true } };
}

const UNREADABLE = "unreadable result";

/** A node's responses to several reads. */
export class StateAnswer {
  readonly #reads: readonly HeadRead[];
  readonly #calls: ReadonlyMap<string, AnsweredCall>;
  /** The calls whose result could not be read, and why. */
  readonly unreadable: readonly string[];

  constructor(reads: readonly HeadRead[], calls: ReadonlyMap<string, AnsweredCall>) {
    const unreadable: string[] = [];
    const note = (what: string) => void unreadable.push(what);
    this.#reads = reads;
    this.#calls = new Map(Array.from(calls, ([key, call]) => [key, readable(call, note)]));
    this.unreadable = unreadable;
  }

  /** Returns why a read failed; undefined if the node answered it. */
  failure(read: HeadRead): RpcError | undefined {
    let unreadable: RpcError | undefined;
    let answered = 0;
    for (const call of callsOf(read)) {
      const answer = this.#calls.get(keyOfCall(call));
      const { method } = call;
      if (answer !== undefined && "result" in answer) answered += 1;
      else {
        const error = new RpcError(method, answer?.error ?? { message: "no response" });
        if (answer?.error.message.startsWith(UNREADABLE)) unreadable = error;
        else if (error.kind === "reverted" && method === "eth_call") answered += 1;
        else return error;
      }
    }
    return answered === 0 ? unreadable : undefined;
  }

  code(account: Address): Hex | undefined {
    const answer = this.#calls.get(keyOfCall({ method: "eth_getCode", subject: account }));
    const code = answer !== undefined && "result" in answer ? answer.result : undefined;
    return typeof code === "string" && isHex(code) ? code : undefined;
  }

  // Returns the calls of successful reads. Excludes all calls of a failed read, because some of
  // them alone could be misread.
  calls(): readonly AnsweredCall[] {
    const answered = this.#reads.filter((read) => this.failure(read) === undefined);
    const keys = new Set(answered.flatMap(callsOf).map(keyOfCall));
    return [...keys].flatMap((key) => this.#calls.get(key) ?? []);
  }

  // Sets only results that differ from the chain's state, so that lookups of unknown addresses
  // store nothing.
  applyTo(chain: ChainWriter): void {
    const state = this.#headState(chain);
    // Sets codes and tokens first, because balances and owners are set only for known tokens.
    apply(chain, {
      balances: filtered(
        state.balances,
        ([account, balance]) => balance !== chain.balance(account),
      ),
      codes: filtered(state.codes, ([account, code]) => code !== chain.code(account)),
      tokens: filtered(state.tokens, (token) => isChanged(chain, token)),
    });
    const isToken = ([token]: readonly [Address, ...unknown[]]) => chain.token(token) !== undefined;
    apply(chain, {
      tokenBalances: filtered(state.tokenBalances, isToken).filter(
        ([token, holder, balance]) => balance !== chain.tokenBalance(token, holder),
      ),
      owners: filtered(state.owners, isToken),
      uris: filtered(state.uris, isToken),
    });
  }

  /** Sets only codes and kinds of tokens, which do not depend on the block of the request. */
  applyKindsTo(chain: ChainWriter): void {
    const { codes, tokens } = this.#headState(chain);
    apply(chain, {
      codes: filtered(codes, ([account, code]) => code !== chain.code(account)),
      tokens: filtered(tokens, (token) => isChanged(chain, token)).map(
        ({ totalSupply: _, ...kind }) => kind,
      ),
    });
  }

  #headState(chain: ChainWriter): HeadState {
    const reader = new HeadStateReader();
    for (const call of this.calls()) reader.add(call);
    return reader.headState(chain);
  }
}

/** Requests reads at a block in one batch. @throws PostError if the node cannot be reached */
export async function askState(
  node: RpcNode,
  reads: readonly HeadRead[],
  at: string,
): Promise<StateAnswer> {
  const calls = new Map(reads.flatMap(callsOf).map((call) => [keyOfCall(call), call]));
  const responses = await node.callAll(
    Array.from(calls.values(), ({ method, subject }) => ({ method, params: [subject, at] })),
  );
  const answers = new Map<string, AnsweredCall>();
  for (const [index, [key, { method, subject }]] of [...calls].entries()) {
    const response = responses[index];
    // Records "latest", because the chain sets the result as state of its own head.
    if (response !== undefined)
      answers.set(key, { method, params: [subject, "latest"], ...response });
  }
  return new StateAnswer(reads, answers);
}

// Applies a state, unless it is empty, because after each change every watcher reads the chain
// again.
function apply(chain: ChainWriter, state: Record<string, readonly unknown[]> & HeadState): void {
  if (Object.values(state).some(({ length }) => length > 0)) chain.applyHeadState(state);
}

const filtered = <Entry>(
  entries: Iterable<Entry> | undefined,
  keeps: (entry: Entry) => boolean,
): Entry[] => [...(entries ?? [])].filter(keeps);

function isChanged(chain: ChainWriter, { address, ...fields }: TokenState): boolean {
  const current: Partial<TokenState> = chain.token(address) ?? {};
  return Object.entries(fields).some(
    ([field, value]) =>
      value !== undefined && value !== (current[field as keyof TokenState] ?? null),
  );
}
