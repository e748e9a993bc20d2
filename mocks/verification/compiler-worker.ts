// What runs in a compiler's thread: one soljson file, loaded once, asked again and again. Imports are refused.

/** Where something stands in compiled code, in bytes. */
export interface CodeReference {
  readonly start: number;
  readonly length: number;
}

export interface CompiledCode {
  /** Hexadecimal without 0x; placeholders where library addresses belong. */
  readonly object: string;
  /** By file, then by library. */
  readonly linkReferences: Readonly<
    Record<string, Readonly<Record<string, readonly CodeReference[]>>>
  >;
  /** By the immutable's number in the syntax tree. */
  readonly immutableReferences: Readonly<Record<string, readonly CodeReference[]>>;
}

export interface CompiledContract {
  readonly abi: readonly unknown[];
  readonly creation: CompiledCode;
  readonly runtime: CompiledCode;
}

export interface CompilerError {
  readonly type: string;
  readonly message: string;
  /** Offset in the source's UTF-8 bytes; null where the error has no place. */
  readonly start: number | null;
}

export interface CompilerInput {
  /** The compiler's standard JSON input. */
  readonly input: string;
  /** Which contract of which file of the input is wanted. */
  readonly file: string;
  readonly contract: string;
}

export interface CompilerOutput {
  /** The first error, if there is one. */
  readonly error: CompilerError | null;
  /** The contracts the answer names. */
  readonly names: readonly string[];
  /** Null where the source has no such contract or it has no code. */
  readonly contract: CompiledContract | null;
}

export type WorkerMessage =
  | { readonly kind: "loaded"; readonly version: string }
  /** `held`: bytes of memory the compiler has by now; it never gives any back. */
  | { readonly kind: "answer"; readonly answer: CompilerOutput; readonly held: number }
  /** The compiler is in no state to be asked again. */
  | { readonly kind: "broken"; readonly reason: string };

export interface WorkerSettings {
  readonly file: string;
  /** Bytes the compiler may hold. */
  readonly memory: number;
}

/**
 * The thread's whole program. It travels as text (see `workerSource`), so that it needs no file of its own beside the
 * bundle: it must not use anything outside itself.
 */
function compilerThread(): void {
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  const { createRequire } = process.getBuiltinModule("node:module");
  const { file, memory } = workerData as WorkerSettings;
  const send = (message: WorkerMessage) => parentPort?.postMessage(message);

  // The engine's heap limit does not cover a compiler's own memory: neither WebAssembly's nor, of old compilers, asm.js's.
  let held = 0;
  const hold = (bytes: number) => {
    held = Math.max(held, bytes);
    if (bytes > memory) throw new RangeError("out of memory");
  };
  const page = 65_536;
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number) {
    hold(this.buffer.byteLength + pages * page);
    return grow.call(this, pages);
  };
  globalThis.ArrayBuffer = new Proxy(ArrayBuffer, {
    construct(target, parameters, as) {
      hold(Number(parameters[0]));
      return Reflect.construct(target, parameters, as);
    },
  });

  const soljson = createRequire(file)(file);
  const bind = (names: string[], result: string, parameters: string[]) => {
    const name = names.find((candidate) => `_${candidate}` in soljson);
    if (name === undefined)
      throw new Error(`${file} is no Solidity compiler: it has no ${names[0]}`);
    return soljson.cwrap(name, result, parameters);
  };
  const version: string = bind(["solidity_version", "version"], "string", [])();
  // Since 0.6 a third parameter: the context of the callback. No callback is given, so every import fails.
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

  const ask = ({ input, file: source, contract: name }: CompilerInput): CompilerOutput => {
    const output = JSON.parse(takesContext ? compile(input, 0, 0) : compile(input, 0));
    reset();
    const found = (output.errors ?? []).find(
      ({ severity }: { severity: string }) => severity === "error",
    );
    const contracts = output.contracts?.[source] ?? {};
    const contract = Object.hasOwn(contracts, name) ? contracts[name] : undefined;
    return {
      error:
        found === undefined
          ? null
          : {
              type: String(found.type),
              message: String(found.message),
              start: found.sourceLocation?.start ?? null,
            },
      names: Object.keys(contracts),
      contract:
        contract === undefined
          ? null
          : {
              abi: contract.abi ?? [],
              creation: code(contract.evm?.bytecode),
              runtime: code(contract.evm?.deployedBytecode),
            },
    };
  };

  parentPort?.on("message", (question: CompilerInput) => {
    const answer = () => {
      try {
        return ask(question);
      } catch (error) {
        return String(error);
      }
    };
    const given = answer();
    // Whatever it says then: it says so because it could not have what it asked for.
    if (held > memory) send({ kind: "broken", reason: `more than ${memory / 2 ** 20} MiB needed` });
    else if (typeof given === "string") send({ kind: "broken", reason: given });
    else send({ kind: "answer", answer: given, held });
  });
  send({ kind: "loaded", version });
}

/** The thread's program as text. */
export const workerSource = `(${compilerThread.toString()})();`;
