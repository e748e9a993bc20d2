// The verifier in a page: compilers by their addresses, each in a Web Worker.

import type { Verifier, VerifierLimits } from "../operations/verifier.ts";
import { readVersion } from "./compiler-version.ts";
import { workerSource } from "./compiler-worker.ts";
import { Compilers } from "./compilers.ts";
import { verifierWith } from "./create-verifier.ts";
import { MEBIBYTE, type StartWorker } from "./loaded-compiler.ts";
import { tooOld } from "./npm-releases.ts";

/** The compilers of a verifier in a page, and their limits. */
export interface BrowserVerifierOptions extends VerifierLimits {
  /**
   * The address of the soljson file of each compiler, by its version: a file that your own server
   * has, or one of https://binaries.soliditylang.org/bin/. It is loaded when a submission needs it.
   */
  readonly compilers: Readonly<Record<string, string | URL>>;
}

const absolute = (address: string | URL): string => new URL(address, globalThis.location.href).href;

const startWorker: StartWorker = (file, memory, { message, ended }) => {
  const source = workerSource("web", { file, memory: memory * MEBIBYTE });
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(address);
  worker.addEventListener("message", ({ data }) => message(data));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    ended(`The compiler could not be run: ${event.message || `the browser refused ${address}`}`);
  });
  return {
    post: (input) => worker.postMessage(input),
    async terminate() {
      worker.terminate();
      URL.revokeObjectURL(address);
    },
    keepAlive() {},
  };
};

/** @throws TypeError if the text is not a version */
function compilerAt(text: string, address: string | URL) {
  const version = readVersion(text);
  if (version === undefined)
    throw new TypeError(
      `compilers: expected versions such as "0.8.20" or "v0.8.20+commit.a1b79de6" as names, received ${JSON.stringify(text)}`,
    );
  return { version, file: absolute(address) };
}

/**
 * Creates a verifier for a page, which compiles in Web Workers. The package contains no compiler:
 * pass the address of each.
 *
 * @throws TypeError if a name in `compilers` is not a version
 * @example
 * ```ts
 * import { createExplorer, createVerifier, setupExplorerWorker } from "mrc-explorer/mocks/browser";
 *
 * const verifier = createVerifier({ compilers: { "0.8.20": "/compilers/soljson-v0.8.20.js" } });
 * const mock = createExplorer({ baseUrl: "https://explorer.example", chain, verifier });
 * await setupExplorerWorker(mock).start();
 * ```
 */
export function createVerifier({ compilers, ...limits }: BrowserVerifierOptions): Verifier {
  const available = Object.entries(compilers).map(([text, address]) => compilerAt(text, address));
  const advice = (version: Parameters<typeof tooOld>[0]) =>
    tooOld(version) ?? "name its address in the compilers of createVerifier";
  return verifierWith(new Compilers(() => available, advice), limits, startWorker);
}
