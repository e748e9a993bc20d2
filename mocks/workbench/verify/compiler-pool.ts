// A pool of compiler threads: each is loaded once and kept while memory allows, few run at a time, and one that takes too much CPU is terminated.

import type { Constructed, Construction, Turn } from "../../double/operations/verifier.ts";
import { CompilerStopped, CompilerThread, MEBIBYTE, type StartThread } from "./compiler-thread.ts";
import type { CompilerInput, CompilerOutput } from "./compiler-worker.ts";
import { Turns } from "./turns.ts";

export interface PoolLimits {
  /** The CPU time that one submission may take, in milliseconds. */
  readonly timeout: number;
  /** The memory limit of a compiler, in mebibytes. */
  readonly memory: number;
  /** The memory up to which idle compilers are kept, in mebibytes. */
  readonly compilersMemory: number;
  /** How many compilers may run at the same time. */
  readonly parallel: number;
  /** How many submissions may be queued. */
  readonly waiting: number;
  /** How many submissions of one submitter may be queued. */
  readonly waitingEach: number;
}

/** The limits that do not depend on the machine. */
export const defaultLimits = { timeout: 20_000, memory: 1024, waiting: 100, waitingEach: 20 };

const ABORTED = "The submission was aborted";

/** A thread that waits for something, or gets hardly any CPU, ends after this many times the limit in elapsed time. */
const MAX_WAIT = 20;

/**
 * Calls back once a thread has used this many milliseconds of CPU: a busy machine is not the source's fault. Returns a function that
 * cancels the call.
 */
export function watchCompiler(
  thread: Pick<CompilerThread, "cpuMs">,
  limit: number,
  exceeded: () => void,
): () => void {
  const before = thread.cpuMs();
  let isOver = false;
  const end = () => {
    isOver = true;
    clearTimeout(timer);
    clearTimeout(deadline);
  };
  const stop = () => {
    end();
    exceeded();
  };
  const check = async () => {
    const used = (await thread.cpuMs()) - (await before);
    if (isOver) return;
    if (used >= limit) stop();
    // It needs at least this long for the rest.
    else timer = setTimeout(look, Math.max(10, limit - used));
  };
  // A thread that has ended reports nothing.
  const look = () => void check().catch(() => {});
  before.catch(() => {});
  let timer = setTimeout(look, limit);
  const deadline = setTimeout(stop, MAX_WAIT * limit);
  return end;
}

/** A loaded compiler on loan; give it back with `end`. */
export interface Loan {
  /** Its own version: "0.8.20+commit.a1b79de6.Emscripten.clang". */
  readonly version: string;
  compile(input: CompilerInput): Promise<CompilerOutput>;
  /** Runs creation code. */
  construct(construction: Construction): Promise<Constructed>;
  end(): void;
}

export class CompilerPool {
  readonly #limits: PoolLimits;
  readonly #start: StartThread;
  readonly #turns: Turns;
  /** Idle compilers, the most recently used last. */
  readonly #idle: CompilerThread[] = [];
  readonly #busy = new Set<CompilerThread>();
  #closed = false;

  constructor(limits: PoolLimits, start: StartThread) {
    this.#limits = limits;
    this.#start = start;
    this.#turns = new Turns(limits);
  }

  /** The memory of all compilers, in bytes. */
  get memoryBytes(): number {
    return [...this.#busy, ...this.#idle].reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
  }

  /** How many compilers are loaded. */
  get size(): number {
    return this.#busy.size + this.#idle.length;
  }

  /**
   * Lends the compiler of a soljson file, until its time is up or the signal aborts.
   *
   * @throws QueueFullError if too many wait
   * @throws CompilerFailure if the compiler crashes or exceeds a limit
   */
  async borrow(file: string, turn: Turn): Promise<Loan> {
    const endTurn = await this.#turns.take(turn);
    if (this.#closed || turn.signal?.aborted) {
      endTurn();
      throw new CompilerStopped(this.#closed ? "The verifier is closed" : ABORTED);
    }
    const thread = this.#takeThread(file);
    const { timeout } = this.#limits;
    let doing = "Loading the compiler";
    const tooSlow = () =>
      thread.fail(
        new CompilerStopped(`${doing} took longer than ${timeout} ms of CPU and was stopped`),
      );
    let unwatch = watchCompiler(thread, timeout, tooSlow);
    const abort = () => {
      thread.fail(new CompilerStopped(ABORTED));
      end();
    };
    const end = () => {
      unwatch();
      turn.signal?.removeEventListener("abort", abort);
      if (this.#busy.delete(thread) && thread.failure === undefined) this.#keep(thread);
      endTurn();
    };
    turn.signal?.addEventListener("abort", abort, { once: true });
    try {
      if (thread.version === "") await thread.load();
    } catch (error) {
      end();
      throw error;
    }
    doing = "Compiling";
    unwatch();
    unwatch = watchCompiler(thread, timeout, tooSlow);
    return {
      version: thread.version,
      compile: (input) => thread.compile(input),
      construct: (construction) => thread.construct(construction),
      end,
    };
  }

  /** Terminates all threads; pending work fails with a CompilerStopped. */
  async close(): Promise<void> {
    this.#closed = true;
    const threads = [...this.#busy, ...this.#idle.splice(0)];
    await Promise.all(threads.map((thread) => thread.end("The verifier was closed")));
  }

  #takeThread(file: string): CompilerThread {
    const index = this.#idle.findLastIndex((thread) => thread.file === file);
    const [kept] = index < 0 ? [] : this.#idle.splice(index, 1);
    const thread = kept ?? new CompilerThread(file, this.#limits.memory, this.#start);
    this.#busy.add(thread);
    thread.idle = false;
    this.#freeMemory();
    return thread;
  }

  #keep(thread: CompilerThread): void {
    thread.idle = true;
    this.#idle.push(thread);
    this.#freeMemory();
  }

  /** Terminates the least recently used of the idle compilers, until the others fit. */
  #freeMemory(): void {
    while (this.memoryBytes > this.#limits.compilersMemory * MEBIBYTE) {
      const oldest = this.#idle.shift();
      if (oldest === undefined) return;
      void oldest.end("The memory for compilers is used up");
    }
  }
}
