// The queue of submissions for the only compiler. Submitters take turns, however many submissions
// they sent.
import type { VerifyOptions } from "../operations/verifier.ts";
import {
  CompilerStopped,
  type defaultLimits,
  LoadedCompiler,
  type StartWorker,
  watchCompiler,
} from "./loaded-compiler.ts";

/** Maximum number of waiting submissions: of all submitters, and of each. */
const MAX_WAITING = 100;
const MAX_WAITING_EACH = 20;

const ABORTED = "The submission was aborted";

/** The queue is full: for everyone, or for this submitter. */
export class QueueFullError extends Error {
  override readonly name = "QueueFullError";
  readonly of: "all" | "submitter";

  constructor(of: "all" | "submitter", waiting: number) {
    const whose = of === "all" ? "" : "of yours ";
    super(`Too many verifications: ${waiting} ${whose}are queued; try again later`);
    this.of = of;
  }
}

export class CompilerQueue {
  readonly #limits: typeof defaultLimits;
  readonly #start: StartWorker;
  /** The compiler used last. */
  #compiler: LoadedCompiler | undefined;
  #isRunning = false;
  #closed = false;
  /** Waiting submissions by submitter. The first submitter is the next. */
  readonly #queues = new Map<string, (() => void)[]>();

  constructor(limits: typeof defaultLimits, start: StartWorker) {
    this.#limits = limits;
    this.#start = start;
  }

  /**
   * Waits for the submitter's turn, and does the work with the compiler of a soljson file.
   *
   * @throws QueueFullError if too many submissions wait
   * @throws CompilerFailure if the compiler crashes, exceeds a limit, or the signal aborts
   */
  async run<Result>(
    file: string,
    { submitter = "", signal }: VerifyOptions,
    work: (compiler: LoadedCompiler) => Promise<Result>,
  ): Promise<Result> {
    if (signal?.aborted) throw new CompilerStopped(ABORTED);
    if (this.#isRunning) await this.#wait(submitter, signal);
    this.#isRunning = true;
    try {
      return await this.#work(file, signal, work);
    } finally {
      this.#startNext(submitter);
    }
  }

  /** Terminates the compiler. Waiting submissions fail with a CompilerStopped. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#compiler?.fail(new CompilerStopped("The verifier was closed"));
  }

  async #work<Result>(
    file: string,
    signal: AbortSignal | undefined,
    work: (compiler: LoadedCompiler) => Promise<Result>,
  ): Promise<Result> {
    if (this.#closed) throw new CompilerStopped("The verifier is closed");
    if (signal?.aborted) throw new CompilerStopped(ABORTED);
    const compiler = this.#load(file);
    compiler.idle = false;
    const unwatch = watchCompiler(compiler, this.#limits.timeout);
    const abort = () => void compiler.fail(new CompilerStopped(ABORTED));
    signal?.addEventListener("abort", abort, { once: true });
    try {
      return await work(compiler);
    } finally {
      unwatch();
      signal?.removeEventListener("abort", abort);
      compiler.idle = true;
    }
  }

  #load(file: string): LoadedCompiler {
    const last = this.#compiler;
    if (last?.file === file && last.failure === undefined) return last;
    void last?.fail(new CompilerStopped("Another compiler is needed"));
    this.#compiler = new LoadedCompiler(file, this.#limits.memory, this.#start);
    return this.#compiler;
  }

  async #wait(submitter: string, signal: AbortSignal | undefined): Promise<void> {
    const queue = this.#queues.get(submitter) ?? [];
    if (queue.length >= MAX_WAITING_EACH) throw new QueueFullError("submitter", queue.length);
    const waiting = [...this.#queues.values()].reduce((sum, { length }) => sum + length, 0);
    if (waiting >= MAX_WAITING) throw new QueueFullError("all", waiting);
    this.#queues.set(submitter, queue);
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(start), 1);
        if (queue.length === 0) this.#queues.delete(submitter);
        reject(new CompilerStopped(ABORTED));
      };
      const start = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      queue.push(start);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  /** Starts the next turn. Moves the submitter whose turn ended to the end of the queue. */
  #startNext(endedSubmitter: string): void {
    this.#isRunning = false;
    const endedQueue = this.#queues.get(endedSubmitter);
    if (endedQueue !== undefined) {
      this.#queues.delete(endedSubmitter);
      this.#queues.set(endedSubmitter, endedQueue);
    }
    const [[submitter, queue] = []] = this.#queues;
    const start = queue?.shift();
    if (submitter === undefined || start === undefined) return;
    if (queue?.length === 0) this.#queues.delete(submitter);
    // Set before it runs, so that a submission that arrives now does not take the turn.
    this.#isRunning = true;
    start();
  }
}
