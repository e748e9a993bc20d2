// A compiler in its worker, which is terminated if it takes too much CPU time.
import type { CompilerInput, CompilerOutput, WorkerMessage } from "./compiler-worker.ts";

/** A compiler failed or was stopped. The submitter gets the message. */
export class CompilerFailure extends Error {
  override readonly name: string = "CompilerFailure";
}

/** A compiler was stopped for a reason outside the source, so there is no verdict. */
export class CompilerStopped extends CompilerFailure {
  override readonly name = "CompilerStopped";
}

export const MEBIBYTE = 2 ** 20;

/**
 * Default limits: CPU time of a submission in milliseconds, and memory of the compiler in
 * mebibytes.
 */
export const defaultLimits = { timeout: 20_000, memory: 1024 };

/**
 * Limit of elapsed time as a multiple of the CPU limit, for a submission that gets hardly any CPU.
 */
const MAX_WAIT = 20;

export interface PlatformWorker {
  post(input: CompilerInput): void;
  terminate(): Promise<unknown>;
  keepAlive(value: boolean): void;
  /** Milliseconds of CPU it has used, if the platform reports it. */
  cpuMs?(): Promise<number>;
}

export interface WorkerEvents {
  message(message: WorkerMessage): void;
  /** The worker ended by itself, for this reason. */
  ended(reason: string): void;
}

/** Starts a worker with the compiler of a soljson file. `memory` is a limit in mebibytes. */
export type StartWorker = (file: string, memory: number, events: WorkerEvents) => PlatformWorker;

export class LoadedCompiler {
  readonly file: string;
  /** The reason why this compiler cannot be used any more. */
  failure: CompilerFailure | undefined;
  readonly #worker: PlatformWorker;
  readonly #version: Promise<string>;
  #settle: { resolve(message: WorkerMessage): void; reject(error: Error): void } | undefined;

  constructor(file: string, memory: number, start: StartWorker) {
    this.file = file;
    this.#worker = start(file, memory, {
      message: (message) => this.#settle?.resolve(message),
      ended: (reason) => this.fail(new CompilerFailure(reason)),
    });
    this.#version = this.#next().then((message) =>
      message.kind === "loaded" ? message.version : "",
    );
    this.#version.catch(() => {});
  }

  /** The version that the loaded compiler reports: "0.8.20+commit.a1b79de6.Emscripten.clang". */
  version(): Promise<string> {
    return this.#version;
  }

  /** @throws CompilerFailure if the compiler crashes or exceeds a limit */
  async compile(input: CompilerInput): Promise<CompilerOutput> {
    await this.#version;
    if (this.failure !== undefined) throw this.failure;
    const answer = this.#next();
    this.#worker.post(input);
    const message = await answer;
    if (message.kind === "output") return message.output;
    const reason = message.kind === "crashed" ? message.reason : "unexpected message";
    const failure = new CompilerFailure(`The compiler crashed on this source: ${reason}`);
    void this.fail(failure);
    throw failure;
  }

  /**
   * Milliseconds of CPU time that it has used, or elapsed time if the platform does not report CPU
   * time.
   */
  async cpuMs(): Promise<number> {
    return this.#worker.cpuMs?.() ?? performance.now();
  }

  /** An idle compiler does not keep the process alive. */
  set idle(value: boolean) {
    this.#worker.keepAlive(!value);
  }

  /** Terminates the worker. A compilation in progress fails with `failure`. */
  async fail(failure: CompilerFailure): Promise<void> {
    this.failure ??= failure;
    this.#settle?.reject(this.failure);
    await this.#worker.terminate();
  }

  #next(): Promise<WorkerMessage> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }
}

/** Fails a compiler after `limit` milliseconds of CPU time. Returns a function to stop watching. */
export function watchCompiler(
  compiler: Pick<LoadedCompiler, "cpuMs" | "fail">,
  limit: number,
): () => void {
  // A worker that is starting or has ended reports no CPU time.
  const cpuMs = () => compiler.cpuMs().catch(() => 0);
  const before = cpuMs();
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    end();
    const message = `Compiling took more than ${limit} ms of CPU time and was stopped`;
    void compiler.fail(new CompilerStopped(message));
  };
  const deadline = setTimeout(stop, MAX_WAIT * limit);
  const end = () => {
    isOver = true;
    clearTimeout(timer);
    clearTimeout(deadline);
  };
  const check = async () => {
    const used = (await cpuMs()) - (await before);
    if (isOver) return;
    if (used >= limit) stop();
    else lookAfter(Math.max(10, limit - used));
  };
  // The rest of the CPU time takes at least as much elapsed time.
  const lookAfter = (rest: number) => {
    timer = setTimeout(() => void check(), rest);
  };
  lookAfter(limit);
  return end;
}
