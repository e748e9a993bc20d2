// One thread with one compiler, which compiles one input at a time.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import {
  type CompilerInput,
  type CompilerOutput,
  type WorkerMessage,
  type WorkerRequest,
  type WorkerSettings,
  workerSource,
} from "./compiler-worker.ts";
import type { Constructed, Construction } from "./port.ts";

/** A compiler failed or was stopped; the message is for the caller of C3. */
export class CompilerFailure extends Error {
  override readonly name: string = "CompilerFailure";
}

/** A compiler was stopped by no fault of the source: nothing is known about it. */
export class CompilerStopped extends CompilerFailure {
  override readonly name = "CompilerStopped";
}

export const mebibyte = 2 ** 20;

/** The module that runs constructors: beside this one in the sources, an entry of its own in the package. */
function evmModule(): string {
  const places = ["./run-constructor.ts", "./mocks/run-constructor.js", "./run-constructor.js"];
  const paths = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return paths.find((path) => existsSync(path)) ?? "";
}

/** What a thread needs before its compiler has run: the file and its compiled form. */
const expectedMemory = 100 * mebibyte;

export class CompilerThread {
  readonly #worker: Worker;
  readonly file: string;
  version = "";
  /** The memory of the thread and its compiler, in bytes. */
  memoryBytes = expectedMemory;
  /** Why the thread was terminated. */
  failure: CompilerFailure | undefined;
  #settle: { resolve(message: WorkerMessage): void; reject(error: Error): void } | undefined;

  /** `memory`: the limit of the compiler, in mebibytes. */
  constructor(file: string, memory: number) {
    this.file = file;
    const settings: WorkerSettings = { file, memory: memory * mebibyte, evm: evmModule() };
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

  /** An idle thread does not keep the process alive. */
  set idle(value: boolean) {
    if (value) this.#worker.unref();
    else this.#worker.ref();
  }

  /** Terminates the thread; what it was doing fails with this reason. */
  fail(reason: string | CompilerFailure): CompilerFailure {
    this.failure ??= typeof reason === "string" ? new CompilerFailure(reason) : reason;
    this.#settle?.reject(this.failure);
    void this.#worker.terminate();
    return this.failure;
  }

  async end(reason: string): Promise<void> {
    this.fail(new CompilerStopped(reason));
    await this.#worker.terminate();
  }

  #crash(what: string, message: WorkerMessage): CompilerFailure {
    return this.fail(
      `${what}: ${message.kind === "crashed" ? message.reason : "unexpected message"}`,
    );
  }

  #request(request: WorkerRequest): Promise<WorkerMessage> {
    return this.#next(() => this.#worker.postMessage(request));
  }

  #next(send: () => void): Promise<WorkerMessage> {
    return new Promise((resolve, reject) => {
      if (this.failure !== undefined) return reject(this.failure);
      this.#settle = { resolve, reject };
      send();
    });
  }
}
