// Which contracts are new in a block, so that their code and kind of token are to be requested; everything else is requested when it is read.
import { createdIn } from "../../double/chain/block-effects.ts";
import type { HeadRead } from "../../double/chain/live-chain.ts";
import type { Address, BlockInput, Execution, Hex } from "../../double/chain/records.ts";
import { CONSECUTIVE_TOPIC, TRANSFER_TOPIC } from "../../double/chain/transfer-event.ts";
import type { ChainWriter } from "../../double/chain/writer.ts";
import { SELECTORS } from "../../double/sources/ingest/head-state.ts";
import { readKey } from "./state-calls.ts";

/** Known contracts are dropped when there are more than this. */
const MAX_KNOWN = 2 ** 20;

/** In how many blocks a contract that may become a token has run: it is checked again after 1, 2, 4, 8 … of them. */
type Runs = number;
/** The contract is a token, or can never be one. */
const SETTLED: Runs = Number.POSITIVE_INFINITY;

export class NewContracts {
  readonly #chain: ChainWriter;
  readonly #runs = new Map<Address, Runs>();
  #rewindCount = 0;
  /** What is to be requested, by its key. */
  readonly #open = new Map<string, HeadRead>();

  constructor(chain: ChainWriter) {
    this.#chain = chain;
  }

  /** What is to be requested. */
  open(kind?: HeadRead["kind"]): HeadRead[] {
    return [...this.#open.values()].filter((read) => kind === undefined || read.kind === kind);
  }

  /** Another chain begins. */
  reset(): void {
    this.#runs.clear();
    this.#open.clear();
  }

  #want(read: HeadRead): void {
    this.#open.set(readKey(read), read);
  }

  /** Notes what is new in a block of the chain. */
  note({ executions }: BlockInput): void {
    const { rewindCount } = this.#chain;
    if (rewindCount !== this.#rewindCount || this.#runs.size > MAX_KNOWN) this.#runs.clear();
    this.#rewindCount = rewindCount;
    const ran = new Set<Address>();
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
    else this.#wantKind(contract, code);
  }

  /** The kind of a contract with this code is to be requested, if it may be a token. */
  #wantKind(contract: Address, code: Hex): void {
    const kind: HeadRead = { kind: "token", token: contract };
    if (mayBeToken(code)) this.#want(kind);
    else if (!this.#open.has(readKey(kind))) this.#runs.set(contract, SETTLED);
  }

  /** What was requested is set on the chain. */
  settle(read: HeadRead): void {
    this.#open.delete(readKey(read));
    if ("account" in read && this.#runs.has(read.account))
      this.#wantKind(read.account, this.#chain.code(read.account));
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
