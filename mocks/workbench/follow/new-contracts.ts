// Requests the code of contracts that are new in blocks, and which kind of token they are; everything else is requested when it is read.
import { createdIn } from "../../double/chain/block-effects.ts";
import type { HeadRead } from "../../double/chain/live-chain.ts";
import type { Address, BlockInput, Execution, Hex } from "../../double/chain/records.ts";
import { CONSECUTIVE_TOPIC, TRANSFER_TOPIC } from "../../double/chain/transfer-event.ts";
import type { ChainWriter } from "../../double/chain/writer.ts";
import { SELECTORS } from "../../double/sources/ingest/head-state.ts";
import type { RpcNode } from "./rpc/node.ts";
import { askState, readKey, type StateAnswer } from "./state-calls.ts";

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
  /** What is to be requested, by its key. */
  readonly #open = new Map<string, HeadRead>();
  #answers: StateAnswer[] = [];

  constructor(chain: ChainWriter, node: RpcNode) {
    this.#chain = chain;
    this.#node = node;
  }

  /** The calls still to be made. */
  get missing(): readonly string[] {
    return Array.from(this.#open.values(), (read) =>
      "account" in read ? `eth_getCode ${read.account}` : `eth_call to ${read.token}`,
    );
  }

  get isComplete(): boolean {
    return this.#open.size === 0;
  }

  /** Another chain begins. */
  reset(): void {
    this.#runs.clear();
    this.#open.clear();
    this.#answers = [];
  }

  #want(read: HeadRead): void {
    this.#open.set(readKey(read), read);
  }

  /** Notes what is new in blocks. */
  note(inputs: readonly BlockInput[]): void {
    const { rewindCount } = this.#chain;
    if (rewindCount !== this.#rewindCount || this.#runs.size > MAX_KNOWN) this.#runs.clear();
    this.#rewindCount = rewindCount;
    const ran = new Set<Address>();
    for (const { executions } of inputs)
      for (const execution of executions) this.#noteExecution(execution, ran);
    for (const contract of ran) this.#noteRun(contract);
  }

  #noteExecution(execution: Execution, ran: Set<Address>): void {
    const { transaction, frames, logs } = execution;
    for (const created of createdIn(execution)) {
      this.#runs.delete(created);
      ran.add(created);
      this.#want({ kind: "code", account: created });
    }
    if (transaction.to !== null && hasSelector(transaction.input)) ran.add(transaction.to);
    for (const { type, to, from, input, undone } of frames) {
      if (undone) continue;
      if (type === "call" && to !== null && hasSelector(input)) ran.add(to);
      if (type === "selfdestruct") this.#want({ kind: "code", account: from });
    }
    for (const { address, topics } of logs) {
      if (topics[0] !== TRANSFER_TOPIC && topics[0] !== CONSECUTIVE_TOPIC) continue;
      ran.add(address);
      if (!this.#runs.has(address)) this.#want({ kind: "token", token: address });
    }
  }

  #noteRun(contract: Address): void {
    const runs = (this.#runs.get(contract) ?? 0) + 1;
    this.#runs.set(contract, runs);
    if (runs === SETTLED || (runs & (runs - 1)) !== 0) return;
    const isToken = runs > 1 && this.#chain.token(contract) !== undefined;
    const code = this.#chain.code(contract);
    if (isToken) this.#runs.set(contract, SETTLED);
    else if (code === "0x") this.#want({ kind: "code", account: contract });
    else if (mayBeToken(code)) this.#want({ kind: "token", token: contract });
    else this.#runs.set(contract, SETTLED);
  }

  /** Requests the noted data; what the node does not return is requested again the next time. @throws PostError if it cannot be reached */
  async ask(): Promise<void> {
    // Code says whether a contract's kind is to be requested, too.
    for (const kind of ["code", "token"]) {
      const reads = [...this.#open.values()].filter((read) => read.kind === kind);
      if (reads.length === 0) continue;
      const answer = await askState(this.#node, reads, "latest");
      this.#answers.push(answer);
      for (const read of reads) {
        if (answer.failure(read) !== undefined) continue;
        this.#open.delete(readKey(read));
        if ("account" in read) this.#noteCode(read.account, answer.code(read.account));
      }
    }
  }

  #noteCode(account: Address, code: Hex | undefined): void {
    if (!this.#runs.has(account)) return;
    const kind: HeadRead = { kind: "token", token: account };
    if (code !== undefined && mayBeToken(code)) this.#want(kind);
    else if (!this.#open.has(readKey(kind))) this.#runs.set(account, SETTLED);
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
