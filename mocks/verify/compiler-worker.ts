// The program of a compiler thread: loads one soljson file, and compiles without imports.
import type { StorageLayout } from "../chain/records.ts";

/** A range of bytes in compiled code. */
export interface CodeReference {
  readonly start: number;
  readonly length: number;
}

export interface CompiledCode {
  /** Hexadecimal without 0x; with placeholders for library addresses. */
  readonly object: string;
  /** Where each instruction is in the files, by their numbers. */
  readonly sourceMap: string;
  /** References by file, then by library. */
  readonly linkReferences: Readonly<
    Record<string, Readonly<Record<string, readonly CodeReference[]>>>
  >;
  /** References by the id of the immutable in the syntax tree. */
  readonly immutableReferences: Readonly<Record<string, readonly CodeReference[]>>;
  /** Metadata that the compiler appended to the contract and to embedded ones, in hexadecimal. */
  readonly appended: readonly string[];
}

export interface CompiledContract {
  /** The metadata file, as JSON. */
  readonly metadata: string;
  readonly abi: readonly unknown[];
  /** Absent before 0.5.13. */
  readonly storage?: StorageLayout | undefined;
  readonly creation: CompiledCode;
  readonly runtime: CompiledCode;
}

export interface CompilerError {
  readonly type: string;
  readonly message: string;
  /** The file, and the offset in its UTF-8 bytes; null if the error has no location. */
  readonly place: { readonly file: string; readonly start: number } | null;
}

export interface CompilerInput {
  /** The compiler's standard JSON input. */
  readonly input: string;
  /** The contract whose code to return, in any file. */
  readonly contract: string;
}

export interface CompilerOutput {
  /** The first error, if there is one. */
  readonly error: CompilerError | null;
  /** The names of all contracts: "Token.sol:Token". */
  readonly names: readonly string[];
  /** The files by their numbers in source maps. */
  readonly files: ReadonlyMap<number, string>;
  /** The selected contract, by file. */
  readonly contracts: ReadonlyMap<string, CompiledContract>;
}

export type WorkerMessage =
  | { readonly kind: "loaded"; readonly version: string }
  | { readonly kind: "output"; readonly output: CompilerOutput }
  /** The compiler crashed and cannot be used again. */
  | { readonly kind: "crashed"; readonly reason: string };

/** The data for the program of a thread. */
export interface WorkerSettings {
  /** The path of the compiler's soljson file; in a browser its address. */
  readonly file: string;
  /** The memory limit of the compiler, in bytes. */
  readonly memory: number;
}

/** A compiler as its soljson file exports it. */
interface Soljson {
  readonly [name: `_${string}`]: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: each C function has other parameters
  cwrap(name: string, result: string | null, parameters: string[]): (...args: any[]) => any;
}

/** Functions of Node or of a browser that the program uses. */
interface Platform {
  readonly send: (message: WorkerMessage) => void;
  readonly receive: (listener: (input: CompilerInput) => void) => void;
  readonly loadCompiler: () => Soljson;
}

function nodePlatform({ file }: WorkerSettings): Platform {
  const { parentPort } = process.getBuiltinModule("node:worker_threads");
  const { createRequire } = process.getBuiltinModule("node:module");
  return {
    send: (message) => parentPort?.postMessage(message),
    receive: (listener) => parentPort?.on("message", listener),
    loadCompiler: () => createRequire(file)(file),
  };
}

function webPlatform({ file }: WorkerSettings): Platform {
  const scope = globalThis as typeof globalThis & {
    importScripts(address: string): void;
    postMessage(message: unknown): void;
    Module: Soljson;
  };
  return {
    send: (message) => scope.postMessage(message),
    receive: (listener) => scope.addEventListener("message", ({ data }) => listener(data)),
    loadCompiler: () => {
      scope.importScripts(file);
      return scope.Module;
    },
  };
}

/**
 * The whole program of a thread. It runs from its source text, so that a bundle needs no other
 * file, and can therefore use nothing outside itself.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a whole program, run from its text.
function compilerThread(
  { file, memory }: WorkerSettings,
  { send, receive, loadCompiler }: Platform,
): void {
  // V8's heap limit does not cover the memory of WebAssembly and asm.js, which the compiler uses.
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

  const soljson = loadCompiler();
  const bind = (names: string[], result: string, parameters: string[]) => {
    const name = names.find((candidate) => `_${candidate}` in soljson);
    if (name === undefined)
      throw new Error(`${file} is not a Solidity compiler: it has no function ${names[0]}`);
    return soljson.cwrap(name, result, parameters);
  };
  const version: string = bind(["solidity_version", "version"], "string", [])();
  // Passes no callback, so that every import fails. Since 0.6, a callback has a context as well.
  const takesContext = !/^0\.[45]\./.test(version);
  const compile = bind(
    ["solidity_compile", "compileStandard"],
    "string",
    takesContext ? ["string", "number", "number"] : ["string", "number"],
  );
  const reset = "_solidity_reset" in soljson ? soljson.cwrap("solidity_reset", null, []) : () => {};

  // biome-ignore-start lint/suspicious/noExplicitAny: the JSON of compilers of eight years
  // Returns the metadata of an assembly, and of the assemblies that its code contains.
  const appendedTo = (assembly: any): string[] => {
    const parts = Object.entries<any>(assembly?.[".data"] ?? {}).flatMap(([key, part]) =>
      typeof part === "object" ? [[Number(`0x${key}`), part] as const] : [],
    );
    const pushed = new Set<number>(
      (assembly?.[".code"] ?? []).flatMap(({ name, value }: any) =>
        name === "PUSH [$]" || name === "PUSH #[$]" ? [Number(`0x${value}`)] : [],
      ),
    );
    // Numbers of nested parts are not comparable. If there are any, all parts count as contained.
    const partNumbers = new Set(parts.map(([index]) => index));
    const isKnown = [...pushed].every((index) => partNumbers.has(index));
    return [
      ...(assembly?.[".auxdata"] ? [assembly[".auxdata"]] : []),
      ...parts.flatMap(([index, part]) => (pushed.has(index) || !isKnown ? appendedTo(part) : [])),
    ];
  };

  const code = (bytecode: any, assembly: any, unlisted: readonly string[]): CompiledCode => ({
    object: bytecode?.object ?? "",
    sourceMap: bytecode?.sourceMap ?? "",
    linkReferences: bytecode?.linkReferences ?? {},
    immutableReferences: bytecode?.immutableReferences ?? {},
    appended: [...appendedTo(assembly), ...unlisted],
  });

  const compiledContract = (contract: any): CompiledContract => {
    const { bytecode, deployedBytecode, legacyAssembly } = contract.evm ?? {};
    // The runtime code is the part of the creation code with the same metadata at the end.
    const runtime = Object.values<any>(legacyAssembly?.[".data"] ?? {}).find(
      (part) => part?.[".auxdata"] && deployedBytecode?.object?.endsWith(part[".auxdata"]),
    );
    // 0.4.11 does not list the metadata that it appends, which has one form before 0.5.
    const appended = /a165627a7a72305820[0-9a-f]{64}0029$/.exec(deployedBytecode?.object ?? "");
    const isListed = runtime !== undefined || !version.startsWith("0.4.");
    const unlisted = isListed ? [] : [...(appended ?? [])];
    return {
      metadata: contract.metadata ?? "",
      abi: contract.abi ?? [],
      ...(contract.storageLayout && { storage: contract.storageLayout }),
      creation: code(bytecode, legacyAssembly, unlisted),
      runtime: code(deployedBytecode, runtime, unlisted),
    };
  };
  // biome-ignore-end lint/suspicious/noExplicitAny: as above

  const compileInput = (wanted: CompilerInput): CompilerOutput => {
    const json: string = takesContext ? compile(wanted.input, 0, 0) : compile(wanted.input, 0);
    reset();
    const output = JSON.parse(json);
    const firstError = (output.errors ?? []).find(
      ({ severity }: { severity: string }) => severity === "error",
    );
    if (firstError !== undefined) {
      const { type, message, sourceLocation } = firstError;
      const error = { type: String(type), message: String(message), place: sourceLocation ?? null };
      return { error, names: [], files: new Map(), contracts: new Map() };
    }
    const names: string[] = [];
    const contracts = new Map<string, CompiledContract>();
    const files = new Map<number, string>();
    for (const [file, { id }] of Object.entries<{ id: number }>(output.sources ?? {}))
      files.set(id, file);
    for (const [file, named] of Object.entries<Record<string, object>>(output.contracts ?? {}))
      for (const [name, contract] of Object.entries(named)) {
        names.push(`${file}:${name}`);
        if (name === wanted.contract) contracts.set(file, compiledContract(contract));
      }
    return { error: null, names, files, contracts };
  };

  const answer = (input: CompilerInput): WorkerMessage => {
    try {
      return { kind: "output", output: compileInput(input) };
    } catch (error) {
      return { kind: "crashed", reason: String(error) };
    }
  };

  receive((input) => {
    const message = answer(input);
    // A compiler that lacks memory returns wrong output or crashes.
    const isTooMuch = memoryBytes > memory;
    const reason = `more than ${memory / 2 ** 20} MiB needed`;
    send(isTooMuch ? { kind: "crashed", reason } : message);
  });
  send({ kind: "loaded", version });
}

/** The thread's program as text. */
export function workerSource(platform: "node" | "web", settings: WorkerSettings): string {
  const opening = platform === "node" ? nodePlatform : webPlatform;
  const settingsText = JSON.stringify(settings);
  return `(${compilerThread})(${settingsText}, (${opening})(${settingsText}));`;
}
