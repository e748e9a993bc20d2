// One thread with one compiler, which compiles one input at a time.

import type { Constructed, Construction } from "../../double/operations/verifier.ts";
import type {
  CompilerInput,
  CompilerOutput,
  WorkerMessage,
  WorkerRequest,
} from "./compiler-worker.ts";

/** A compiler failed or was stopped; the message is for the caller of C3. */
export class CompilerFailure extends Error {
  override readonly name: string = "CompilerFailure";
}

/** A compiler was stopped by no fault of the source: nothing is known about it. */
export class CompilerStopped extends CompilerFailure {
  override readonly name = "CompilerStopped";
}

export const MEBIBYTE = 2 ** 20;

/** What a thread needs before its compiler has run: the file and its compiled form. */
const expectedMemory = 100 * MEBIBYTE;

/** A worker of the platform that runs the compiler's program. */
export interface Thread {
  post(request: WorkerRequest): void;
  terminate(): Promise<unknown>;
  /** Whether it keeps the process alive. */
  keepAlive(value: boolean): void;
  /** Milliseconds of CPU it has used, if the platform reports it. */
  cpuMs?(): Promise<number>;
}

/** What a worker reports. */
export interface ThreadEvents {
  message(message: WorkerMessage): void;
  /** It ended by itself, and why. */
  ended(reason: string): void;
}

/** Starts a worker with the compiler of a soljson file; `memory`: the limit of the compiler, in mebibytes. */
export type StartThread = (file: string, memory: number, events: ThreadEvents) => Thread;

export class CompilerThread {
  readonly #thread: Thread;
  readonly file: string;
  version = "";
  /** The memory of the thread and its compiler, in bytes. */
  memoryBytes = expectedMemory;
  /** Why the thread was terminated. */
  failure: CompilerFailure | undefined;
  #settle: { resolve(message: WorkerMessage): void; reject(error: Error): void } | undefined;

  /** `memory`: the limit of the compiler, in mebibytes. */
  constructor(file: string, memory: number, start: StartThread) {
    this.file = file;
    this.#thread = start(file, memory, {
      message: (message) => this.#settle?.resolve(message),
      ended: (reason) => this.fail(reason),
    });
  }

  async load(): Promise<void> {
    const message = await this.#next(() => {});
    if (message.kind === "loaded") this.version = message.version;
  }

  async compile(input: CompilerInput): Promise<CompilerOutput> {
    const message = await this.#request({ kind: "compile", input });
    if (message.kind === "output") {
      this.memoryBytes = message.memoryBytes;
      return message.output;
    }
    throw this.#crash("The compiler crashed on this source", message);
  }

  async construct(construction: Construction): Promise<Constructed> {
    const message = await this.#request({ kind: "construct", construction });
    if (message.kind === "constructed") return message.constructed;
    throw this.#crash("The constructor could not be run", message);
  }

  /** Milliseconds of CPU it has used, or of the clock if the platform does not report CPU time. */
  async cpuMs(): Promise<number> {
    return this.#thread.cpuMs?.() ?? performance.now();
  }

  /** An idle thread does not keep the process alive. */
  set idle(value: boolean) {
    this.#thread.keepAlive(!value);
  }

  /** Terminates the thread; what it was doing fails with this reason. */
  fail(reason: string | CompilerFailure): CompilerFailure {
    this.failure ??= typeof reason === "string" ? new CompilerFailure(reason) : reason;
    this.#settle?.reject(this.failure);
    void this.#thread.terminate();
    return this.failure;
  }

  async end(reason: string): Promise<void> {
    this.fail(new CompilerStopped(reason));
    await this.#thread.terminate();
  }

  #crash(what: string, message: WorkerMessage): CompilerFailure {
    return this.fail(
      `${what}: ${message.kind === "crashed" ? message.reason : "unexpected message"}`,
    );
  }

  #request(request: WorkerRequest): Promise<WorkerMessage> {
    return this.#next(() => this.#thread.post(request));
  }

  #next(send: () => void): Promise<WorkerMessage> {
    return new Promise((resolve, reject) => {
      if (this.failure !== undefined) return reject(this.failure);
      this.#settle = { resolve, reject };
      send();
    });
  }
}
