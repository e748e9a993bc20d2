// The program of a compiler thread: loads one soljson file and compiles input after input. Imports are refused.

/** A range of bytes in compiled code. */
export interface CodeReference {
  readonly start: number;
  readonly length: number;
}

export interface CompiledCode {
  /** Hexadecimal without 0x; with placeholders for library addresses. */
  readonly object: string;
  /** By file, then by library. */
  readonly linkReferences: Readonly<
    Record<string, Readonly<Record<string, readonly CodeReference[]>>>
  >;
  /** By the immutable's id in the syntax tree. */
  readonly immutableReferences: Readonly<Record<string, readonly CodeReference[]>>;
}

export interface CompiledContract {
  readonly abi: readonly unknown[];
  /** Its functions' selectors, eight digits each. */
  readonly selectors: readonly string[];
  readonly creation: CompiledCode;
  readonly runtime: CompiledCode;
}

export interface CompilerError {
  readonly type: string;
  readonly message: string;
  /** The file, and the offset in its UTF-8 bytes; null where the error has no location. */
  readonly place: { readonly file: string; readonly start: number } | null;
}

export interface CompilerInput {
  /** The compiler's standard JSON input. */
  readonly input: string;
  /** The file whose contracts to return. */
  readonly file: string;
}

export interface CompilerOutput {
  /** The first error, if there is one. */
  readonly error: CompilerError | null;
  /** The selected contracts, by name. */
  readonly contracts: ReadonlyMap<string, CompiledContract>;
  /** The length of the compiler's own output, in bytes. */
  readonly bytes: number;
}

export type WorkerMessage =
  | { readonly kind: "loaded"; readonly version: string }
  /** `memoryBytes`: the memory of the thread and its compiler. */
  | { readonly kind: "output"; readonly output: CompilerOutput; readonly memoryBytes: number }
  /** The compiler crashed and cannot be used again. */
  | { readonly kind: "crashed"; readonly reason: string };

export interface WorkerSettings {
  readonly file: string;
  /** The memory limit of the compiler, in bytes. */
  readonly memory: number;
}

/**
 * The thread's whole program. It runs from its source text (see `workerSource`), so that the bundle needs no extra file: it must not use
 * anything outside itself.
 */
function compilerThread(): void {
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  const { createRequire } = process.getBuiltinModule("node:module");
  const { file, memory } = workerData as WorkerSettings;
  const send = (message: WorkerMessage) => parentPort?.postMessage(message);

  // The heap limit of V8 does not cover the compiler's own memory: WebAssembly's, or asm.js's of old compilers.
  let memoryBytes = 0;
  const reserve = (bytes: number) => {
    memoryBytes = Math.max(memoryBytes, bytes);
    if (bytes > memory) throw new RangeError("out of memory");
  };
  const page = 65_536;
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number) {
    reserve(this.buffer.byteLength + pages * page);
    return grow.call(this, pages);
  };
  globalThis.ArrayBuffer = new Proxy(ArrayBuffer, {
    construct(target, parameters, as) {
      reserve(Number(parameters[0]));
      return Reflect.construct(target, parameters, as);
    },
  });

  const soljson = createRequire(file)(file);
  const bind = (names: string[], result: string, parameters: string[]) => {
    const name = names.find((candidate) => `_${candidate}` in soljson);
    if (name === undefined)
      throw new Error(`${file} is not a Solidity compiler: it has no function ${names[0]}`);
    return soljson.cwrap(name, result, parameters);
  };
  const version: string = bind(["solidity_version", "version"], "string", [])();
  // Since 0.6 there is a third parameter, the context of the callback. Without a callback every import fails.
  const takesContext = !/^0\.[45]\./.test(version);
  const compile = bind(
    ["solidity_compile", "compileStandard"],
    "string",
    takesContext ? ["string", "number", "number"] : ["string", "number"],
  );
  const reset = "_solidity_reset" in soljson ? soljson.cwrap("solidity_reset", null, []) : () => {};

  // biome-ignore lint/suspicious/noExplicitAny: the compiler's own JSON, of eight years of versions
  const code = (bytecode: any): CompiledCode => ({
    object: bytecode?.object ?? "",
    linkReferences: bytecode?.linkReferences ?? {},
    immutableReferences: bytecode?.immutableReferences ?? {},
  });

  const compileInput = ({ input, file: source }: CompilerInput): CompilerOutput => {
    const json: string = takesContext ? compile(input, 0, 0) : compile(input, 0);
    reset();
    const output = JSON.parse(json);
    const found = (output.errors ?? []).find(
      ({ severity }: { severity: string }) => severity === "error",
    );
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const contracts: [string, any][] = Object.entries(output.contracts?.[source] ?? {});
    return {
      error:
        found === undefined
          ? null
          : {
              type: String(found.type),
              message: String(found.message),
              place: found.sourceLocation ?? null,
            },
      contracts: new Map(
        contracts.map(([name, contract]) => [
          name,
          {
            abi: contract.abi ?? [],
            selectors: Object.values(contract.evm?.methodIdentifiers ?? {}),
            creation: code(contract.evm?.bytecode),
            runtime: code(contract.evm?.deployedBytecode),
          },
        ]),
      ),
      bytes: json.length,
    };
  };

  parentPort?.on("message", (input: CompilerInput) => {
    const tryCompile = () => {
      try {
        return compileInput(input);
      } catch (error) {
        return String(error);
      }
    };
    const output = tryCompile();
    // Whatever the output is, it is due to the missing memory.
    if (memoryBytes > memory)
      send({ kind: "crashed", reason: `more than ${memory / 2 ** 20} MiB needed` });
    else if (typeof output === "string") send({ kind: "crashed", reason: output });
    else {
      const { heapTotal, external } = process.memoryUsage();
      send({ kind: "output", output, memoryBytes: Math.max(heapTotal + external, memoryBytes) });
    }
  });
  send({ kind: "loaded", version });
}

/** The thread's program as text. */
export const workerSource = `(${compilerThread.toString()})();`;
