// The compilers' threads: a compiler is loaded once and kept warm, few work at a time, and one that takes too long is replaced.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import {
  type CompilerInput,
  type CompilerOutput,
  type WorkerMessage,
  type WorkerSettings,
  workerSource,
} from "./compiler-worker.ts";

/** Why a compiler gave no answer; its message is for the one who asked. */
export class CompilerFailure extends Error {
  override readonly name = "CompilerFailure";
}

export interface PoolLimits {
  /** Milliseconds one submission may keep a compiler busy. */
  readonly timeout: number;
  /** Mebibytes a compiler may hold. */
  readonly memory: number;
  /** How many compilers may work at the same time. */
  readonly parallel: number;
  /** How many submissions may wait for one. */
  readonly waiting: number;
  /** How many loaded compilers are kept. */
  readonly warm: number;
}

export const defaultLimits: PoolLimits = {
  timeout: 60_000,
  memory: 1024,
  parallel: Math.max(1, availableParallelism() - 1),
  waiting: 100,
  warm: 8,
};

/** A loaded compiler, for as long as one has it. */
export interface LoadedCompiler {
  /** What it says of itself: "0.8.20+commit.a1b79de6.Emscripten.clang". */
  readonly version: string;
  compile(question: CompilerInput): Promise<CompilerOutput>;
}

const mebibyte = 2 ** 20;

/** One thread with one compiler. Questions are put one after the other. */
class CompilerThread implements LoadedCompiler {
  readonly #worker: Worker;
  readonly file: string;
  version = "";
  /** Bytes of memory it has by now. */
  memoryBytes = 0;
  /** Set once the thread is of no use any more. */
  failure: CompilerFailure | undefined;
  #settle: { resolve(message: WorkerMessage): void; reject(error: Error): void } | undefined;

  constructor(file: string, memory: number) {
    this.file = file;
    const settings: WorkerSettings = { file, memory: memory * mebibyte };
    this.#worker = new Worker(workerSource, {
      eval: true,
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: memory },
      // What a compiler prints is nobody's business, and it needs nothing of our surroundings.
      stdout: true,
      stderr: true,
      env: {},
      execArgv: [],
    });
    this.#worker.on("message", (message: WorkerMessage) => this.#settle?.resolve(message));
    this.#worker.on("error", (error: Error & { code?: string }) =>
      this.fail(
        error.code === "ERR_WORKER_OUT_OF_MEMORY"
          ? `The compiler needed more than ${memory} MiB and was stopped`
          : `The compiler could not be run: ${error.message}`,
      ),
    );
    this.#worker.on("exit", () => this.fail("The compiler stopped"));
  }

  async load(): Promise<void> {
    const message = await this.#next(() => {});
    if (message.kind === "loaded") this.version = message.version;
  }

  async compile(question: CompilerInput): Promise<CompilerOutput> {
    const message = await this.#next(() => this.#worker.postMessage(question));
    if (message.kind === "answer") {
      this.memoryBytes = message.held;
      return message.answer;
    }
    const reason = message.kind === "broken" ? message.reason : "it answered out of turn";
    throw this.fail(`The compiler broke down on this source: ${reason}`);
  }

  /** A thread that only waits does not keep the process alive. */
  set idle(value: boolean) {
    if (value) this.#worker.unref();
    else this.#worker.ref();
  }

  fail(reason: string): CompilerFailure {
    this.failure ??= new CompilerFailure(reason);
    this.#settle?.reject(this.failure);
    void this.#worker.terminate();
    return this.failure;
  }

  async end(reason: string): Promise<void> {
    this.fail(reason);
    await this.#worker.terminate();
  }

  #next(ask: () => void): Promise<WorkerMessage> {
    return new Promise((resolve, reject) => {
      if (this.failure !== undefined) return reject(this.failure);
      this.#settle = { resolve, reject };
      ask();
    });
  }
}

export class CompilerPool {
  readonly #limits: PoolLimits;
  /** Loaded compilers nobody uses, the one used last at the end. */
  readonly #idle: CompilerThread[] = [];
  readonly #busy = new Set<CompilerThread>();
  readonly #waiting: (() => void)[] = [];
  #working = 0;
  #closed = false;

  constructor(limits: PoolLimits) {
    this.#limits = limits;
  }

  /**
   * Lends the compiler of a soljson file until `work` is done.
   * @throws CompilerFailure where the compiler cannot be had, takes too long or breaks down
   */
  async use<Result>(
    file: string,
    work: (compiler: LoadedCompiler) => Promise<Result>,
  ): Promise<Result> {
    await this.#turn();
    try {
      return await this.#lend(file, work);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#working--;
      else next();
    }
  }

  /** Ends all threads; who has or awaits one gets a CompilerFailure. */
  async close(): Promise<void> {
    this.#closed = true;
    const threads = [...this.#busy, ...this.#idle.splice(0)];
    await Promise.all(threads.map((thread) => thread.end("The verifier was closed")));
  }

  async #turn(): Promise<void> {
    if (this.#working < this.#limits.parallel) {
      this.#working++;
      return;
    }
    if (this.#waiting.length >= this.#limits.waiting) {
      throw new CompilerFailure(
        `${this.#waiting.length} verifications are waiting already; try again later`,
      );
    }
    // Whoever ends hands its turn over.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async #lend<Result>(file: string, work: (compiler: LoadedCompiler) => Promise<Result>) {
    if (this.#closed) throw new CompilerFailure("The verifier is closed");
    const { timeout, memory } = this.#limits;
    const warm = this.#idle.findLastIndex((thread) => thread.file === file);
    const thread = this.#idle.splice(warm, warm < 0 ? 0 : 1)[0] ?? new CompilerThread(file, memory);
    this.#busy.add(thread);
    thread.idle = false;
    const limited = async <Answer>(what: string, answer: Promise<Answer>) => {
      const tooLong = `${what} took longer than ${timeout} ms and was stopped`;
      const timer = setTimeout(() => thread.fail(tooLong), timeout);
      try {
        return await answer;
      } finally {
        clearTimeout(timer);
      }
    };
    try {
      if (thread.version === "") await limited("Loading the compiler", thread.load());
      return await limited("Compiling", work(thread));
    } finally {
      this.#busy.delete(thread);
      if (thread.failure === undefined) this.#keep(thread);
    }
  }

  #keep(thread: CompilerThread): void {
    thread.idle = true;
    this.#idle.push(thread);
    const tooLarge = thread.memoryBytes > (this.#limits.memory * mebibyte) / 4;
    if (tooLarge) void this.#idle.pop()?.end("Grown too large to be kept");
    if (this.#idle.length > this.#limits.warm) void this.#idle.shift()?.end("No longer needed");
  }
}
