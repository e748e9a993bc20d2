// The latest compilations, by compiler and input: a factory's siblings and repeated submissions cost no compilation.
import type { CompilerInput, CompilerOutput } from "./compiler-worker.ts";

/** How many bytes of compiled JSON are kept. */
const MAX_BYTES = 32 * 2 ** 20;

export class CompilationCache {
  readonly #limit: number;
  /** The most recently used last. */
  readonly #outputs = new Map<string, CompilerOutput>();
  #bytes = 0;

  constructor(limit = MAX_BYTES) {
    this.#limit = limit;
  }

  /** The bytes it holds. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The output of `file` for the input, compiled by `compile` unless it is here. */
  async get(
    file: string,
    input: CompilerInput,
    compile: () => Promise<CompilerOutput>,
  ): Promise<CompilerOutput> {
    const key = JSON.stringify([file, input]);
    const known = this.#outputs.get(key);
    if (known === undefined) {
      const output = await compile();
      this.#add(key, output);
      return output;
    }
    this.#outputs.delete(key);
    this.#outputs.set(key, known);
    return known;
  }

  #add(key: string, output: CompilerOutput): void {
    if (this.#outputs.has(key) || output.bytes > this.#limit) return;
    this.#outputs.set(key, output);
    this.#bytes += output.bytes;
    for (const [oldest, { bytes }] of this.#outputs) {
      if (this.#bytes <= this.#limit) return;
      this.#outputs.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}
