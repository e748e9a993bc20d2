// Requests the code of contracts that are new in blocks, and which kind of token they are; everything else is requested when it is read.
import { getSignPayload } from "ox/Authorization";
import { recoverAddress } from "ox/Secp256k1";
import * as z from "zod/mini";
import { check, isObject } from "../../../src/models/issues.ts";
import { createdIn } from "../../double/chain/block-effects.ts";
import { wordOf } from "../../double/chain/hex.ts";
import type { HeadRead } from "../../double/chain/live-chain.ts";
import type { Address, BlockInput, Execution, Hex } from "../../double/chain/records.ts";
import { CONSECUTIVE_TOPIC, TRANSFER_TOPIC } from "../../double/chain/transfer-event.ts";
import type { ChainWriter } from "../../double/chain/writer.ts";
import type { RpcBlock } from "../../double/sources/ingest/block.ts";
import { SELECTORS } from "../../double/sources/ingest/head-state.ts";
import { address, count, quantity } from "../../double/sources/ingest/node-schemas.ts";
import type { RpcNode } from "./rpc/node.ts";
import { askState, type StateAnswer } from "./state-calls.ts";

/** Known contracts are dropped when there are more than this. */
const MAX_KNOWN = 2 ** 20;

/** How often a contract that may become a token has run: it is checked again after 1, 2, 4, 8 … runs. */
type Runs = number;
/** The contract is a token, or can never be one. */
const SETTLED: Runs = Number.POSITIVE_INFINITY;

export class NewContracts {
  readonly #chain: ChainWriter;
  readonly #node: RpcNode;
  readonly #runs = new Map<Address, Runs>();
  #rewindCount = 0;
  /** Accounts whose code is to be requested. */
  readonly #codes = new Set<Address>();
  /** Contracts whose kind is to be requested, whatever their code. */
  readonly #kinds = new Set<Address>();
  #answers: StateAnswer[] = [];

  constructor(chain: ChainWriter, node: RpcNode) {
    this.#chain = chain;
    this.#node = node;
  }

  /** The calls still to be made. */
  get missing(): readonly string[] {
    return [
      ...Array.from(this.#codes, (account) => `eth_getCode ${account}`),
      ...Array.from(this.#kinds, (contract) => `eth_call to ${contract}`),
    ];
  }

  get isComplete(): boolean {
    return this.#codes.size + this.#kinds.size === 0;
  }

  /** Another chain begins. */
  reset(): void {
    this.#runs.clear();
    this.#codes.clear();
    this.#kinds.clear();
    this.#answers = [];
  }

  /** Notes what is new in blocks; `blocks` are the same ones as the node returned them, if available. */
  note(inputs: readonly BlockInput[], blocks: readonly RpcBlock[] = []): void {
    const { rewindCount } = this.#chain;
    if (rewindCount !== this.#rewindCount || this.#runs.size > MAX_KNOWN) this.#runs.clear();
    this.#rewindCount = rewindCount;
    const ran = new Set<Address>();
    for (const { executions } of inputs)
      for (const execution of executions) this.#noteExecution(execution, ran);
    for (const contract of ran) this.#noteRun(contract);
    for (const block of blocks) for (const account of authorities(block)) this.#codes.add(account);
  }

  #noteExecution(execution: Execution, ran: Set<Address>): void {
    const { transaction, frames, logs } = execution;
    for (const created of createdIn(execution)) {
      this.#runs.delete(created);
      ran.add(created);
      this.#codes.add(created);
    }
    if (transaction.to !== null && hasSelector(transaction.input)) ran.add(transaction.to);
    for (const { type, to, from, input, undone } of frames) {
      if (undone) continue;
      if (type === "call" && to !== null && hasSelector(input)) ran.add(to);
      if (type === "selfdestruct") this.#codes.add(from);
    }
    for (const { address, topics } of logs) {
      if (topics[0] !== TRANSFER_TOPIC && topics[0] !== CONSECUTIVE_TOPIC) continue;
      ran.add(address);
      if (!this.#runs.has(address)) this.#kinds.add(address);
    }
  }

  #noteRun(contract: Address): void {
    const runs = (this.#runs.get(contract) ?? 0) + 1;
    this.#runs.set(contract, runs);
    if (runs === SETTLED || (runs & (runs - 1)) !== 0) return;
    const isToken = runs > 1 && this.#chain.token(contract) !== undefined;
    const code = this.#chain.code(contract);
    if (isToken) this.#runs.set(contract, SETTLED);
    else if (code === "0x") this.#codes.add(contract);
    else if (mayBeToken(code)) this.#kinds.add(contract);
    else this.#runs.set(contract, SETTLED);
  }

  /** Requests the noted data; what the node does not return is requested again the next time. @throws PostError if it cannot be reached */
  async ask(): Promise<void> {
    const codes = [...this.#codes];
    const ofCodes = codes.map((account): HeadRead => ({ kind: "code", account }));
    if (codes.length > 0) {
      const answer = await askState(this.#node, ofCodes, "latest");
      this.#answers.push(answer);
      for (const [index, account] of codes.entries()) {
        const read = ofCodes[index] as HeadRead;
        if (answer.failure(read) !== undefined) continue;
        this.#codes.delete(account);
        const code = answer.code(account);
        if (!this.#runs.has(account)) continue;
        if (code !== undefined && mayBeToken(code)) this.#kinds.add(account);
        else if (!this.#kinds.has(account)) this.#runs.set(account, SETTLED);
      }
    }
    const kinds = [...this.#kinds];
    if (kinds.length === 0) return;
    const ofKinds = kinds.map((token): HeadRead => ({ kind: "token", token }));
    const answer = await askState(this.#node, ofKinds, "latest");
    this.#answers.push(answer);
    for (const [index, contract] of kinds.entries())
      if (answer.failure(ofKinds[index] as HeadRead) === undefined) this.#kinds.delete(contract);
  }

  /** Sets on the chain what the node returned. */
  apply(): void {
    for (const answer of this.#answers) answer.applyKindsTo(this.#chain);
    this.#answers = [];
  }
}

/** Whether a call names a function. */
const hasSelector = (input: Hex): boolean => input.length >= 10;

const TOKEN_SELECTORS = [SELECTORS.totalSupply, SELECTORS.balanceOf].map((one) => one.slice(2));

/** Whether a contract with this code may be a token: it names a token's functions, or runs the code of another contract. */
function mayBeToken(code: Hex): boolean {
  return TOKEN_SELECTORS.every((selector) => code.includes(selector)) || delegates(code);
}

const DELEGATECALL = 0xf4;
const [PUSH1, PUSH32] = [0x60, 0x7f] as const;

/** Whether code has a DELEGATECALL. */
function delegates(code: Hex): boolean {
  for (let at = 2; at < code.length; at += 2) {
    const opcode = Number.parseInt(code.slice(at, at + 2), 16);
    if (opcode === DELEGATECALL) return true;
    if (opcode >= PUSH1 && opcode <= PUSH32) at += 2 * (opcode - PUSH1 + 1);
  }
  return false;
}

const authorizationSchema = z.object({
  chainId: count,
  address,
  nonce: quantity,
  r: quantity,
  s: quantity,
  yParity: count,
});

/** The accounts whose code authorizations (EIP-7702) in a block may have set or removed. */
function* authorities({ block }: RpcBlock): Generator<Address> {
  const transactions = isObject(block) ? block.transactions : undefined;
  if (!Array.isArray(transactions)) return;
  for (const transaction of transactions) {
    if (!Array.isArray(transaction?.authorizationList)) continue;
    for (const given of transaction.authorizationList) {
      const { value } = check(authorizationSchema, given);
      const authority = value && authorityOf(value);
      if (authority !== undefined) yield authority;
    }
  }
}

/** Who signed an authorization; undefined if nobody did, in which case it has no effect. */
function authorityOf({
  chainId,
  address,
  nonce,
  r,
  s,
  yParity,
}: z.output<typeof authorizationSchema>): Address | undefined {
  try {
    const payload = getSignPayload({ chainId, address, nonce });
    const signature = { r: wordOf(r), s: wordOf(s), yParity };
    return recoverAddress({ payload, signature }).toLowerCase() as Address;
  } catch {
    return undefined;
  }
}
