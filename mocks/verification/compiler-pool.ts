// A pool of compiler threads: each compiler is loaded once and kept, few run at a time, and one that takes too long is terminated.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import {
  type CompilerInput,
  type CompilerOutput,
  type WorkerMessage,
  type WorkerSettings,
  workerSource,
} from "./compiler-worker.ts";

/** A compiler failed or was stopped; the message is for the caller of C3. */
export class CompilerFailure extends Error {
  override readonly name = "CompilerFailure";
}

export interface PoolLimits {
  /** The time limit of one submission, in milliseconds. */
  readonly timeout: number;
  /** The memory limit of a compiler, in mebibytes. */
  readonly memory: number;
  /** How many compilers may run at the same time. */
  readonly parallel: number;
  /** How many submissions may be queued. */
  readonly waiting: number;
  /** How many idle compilers are kept. */
  readonly idle: number;
}

export const defaultLimits: PoolLimits = {
  timeout: 60_000,
  memory: 1024,
  parallel: Math.max(1, availableParallelism() - 1),
  waiting: 100,
  idle: 8,
};

/** A loaded compiler, on loan from the pool. */
export interface LoadedCompiler {
  /** Its own version: "0.8.20+commit.a1b79de6.Emscripten.clang". */
  readonly version: string;
  compile(input: CompilerInput): Promise<CompilerOutput>;
}

const mebibyte = 2 ** 20;

/** One thread with one compiler, which compiles one input at a time. */
class CompilerThread implements LoadedCompiler {
  readonly #worker: Worker;
  readonly file: string;
  version = "";
  /** Its memory in bytes. */
  memoryBytes = 0;
  /** Why the thread was terminated. */
  failure: CompilerFailure | undefined;
  #settle: { resolve(message: WorkerMessage): void; reject(error: Error): void } | undefined;

  constructor(file: string, memory: number) {
    this.file = file;
    const settings: WorkerSettings = { file, memory: memory * mebibyte };
    this.#worker = new Worker(workerSource, {
      eval: true,
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: memory },
      // The compiler's output is discarded, and it does not see our environment.
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

  async compile(input: CompilerInput): Promise<CompilerOutput> {
    const message = await this.#next(() => this.#worker.postMessage(input));
    if (message.kind === "output") {
      this.memoryBytes = message.memoryBytes;
      return message.output;
    }
    const reason = message.kind === "crashed" ? message.reason : "unexpected message";
    throw this.fail(`The compiler crashed on this source: ${reason}`);
  }

  /** An idle thread does not keep the process alive. */
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

  #next(send: () => void): Promise<WorkerMessage> {
    return new Promise((resolve, reject) => {
      if (this.failure !== undefined) return reject(this.failure);
      this.#settle = { resolve, reject };
      send();
    });
  }
}

export class CompilerPool {
  readonly #limits: PoolLimits;
  /** Idle compilers, the most recently used last. */
  readonly #idle: CompilerThread[] = [];
  readonly #busy = new Set<CompilerThread>();
  readonly #waiting: (() => void)[] = [];
  #working = 0;
  #closed = false;

  constructor(limits: PoolLimits) {
    this.#limits = limits;
  }

  /**
   * Lends the compiler of a soljson file to `work`.
   * @throws CompilerFailure if the queue is full or the compiler crashes or exceeds a limit
   */
  async use<Result>(
    file: string,
    work: (compiler: LoadedCompiler) => Promise<Result>,
  ): Promise<Result> {
    await this.#acquire();
    try {
      return await this.#lend(file, work);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#working--;
      else next();
    }
  }

  /** Terminates all threads; pending work fails with a CompilerFailure. */
  async close(): Promise<void> {
    this.#closed = true;
    const threads = [...this.#busy, ...this.#idle.splice(0)];
    await Promise.all(threads.map((thread) => thread.end("The verifier was closed")));
  }

  async #acquire(): Promise<void> {
    if (this.#working < this.#limits.parallel) {
      this.#working++;
      return;
    }
    if (this.#waiting.length >= this.#limits.waiting) {
      throw new CompilerFailure(
        `Too many verifications: ${this.#waiting.length} are queued; try again later`,
      );
    }
    // The slot passes from the verification that ends.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async #lend<Result>(file: string, work: (compiler: LoadedCompiler) => Promise<Result>) {
    if (this.#closed) throw new CompilerFailure("The verifier is closed");
    const { timeout, memory } = this.#limits;
    const index = this.#idle.findLastIndex((thread) => thread.file === file);
    const thread =
      this.#idle.splice(index, index < 0 ? 0 : 1)[0] ?? new CompilerThread(file, memory);
    this.#busy.add(thread);
    thread.idle = false;
    const withTimeout = async <Value>(what: string, promise: Promise<Value>) => {
      const tooLong = `${what} took longer than ${timeout} ms and was stopped`;
      const timer = setTimeout(() => thread.fail(tooLong), timeout);
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
      }
    };
    try {
      if (thread.version === "") await withTimeout("Loading the compiler", thread.load());
      return await withTimeout("Compiling", work(thread));
    } finally {
      this.#busy.delete(thread);
      if (thread.failure === undefined) this.#keep(thread);
    }
  }

  #keep(thread: CompilerThread): void {
    thread.idle = true;
    this.#idle.push(thread);
    const tooLarge = thread.memoryBytes > (this.#limits.memory * mebibyte) / 4;
    if (tooLarge) void this.#idle.pop()?.end("The compiler uses too much memory to be kept");
    if (this.#idle.length > this.#limits.idle)
      void this.#idle.shift()?.end("Too many compilers are idle");
  }
}
