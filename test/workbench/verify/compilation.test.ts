// The thread that serves requests does none of the compilers' work: it loads no compiler, and waits while one runs.
import { createRequire } from "node:module";
import { expect, onTestFinished, test, vi } from "vitest";
import { CompilerThread } from "../../../mocks/workbench/verify/compiler-thread.ts";
import { createVerifier } from "../../../mocks/workbench/verify/verifier.ts";
import { ADDRESS, base64, endless } from "./support.ts";

const version = "0.8.28";
/** Some of the functions that keep a compiler busy. */
const source = `${endless.split("\n").slice(0, 30).join("\n")} }`;

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** The compilers, and programs in WebAssembly, that this thread has loaded. */
function loadedHere() {
  const programs = [
    vi.spyOn(WebAssembly, "Module"),
    vi.spyOn(WebAssembly, "instantiate"),
    vi.spyOn(WebAssembly, "compile"),
  ];
  const { cache } = createRequire(import.meta.url);
  return () => ({
    compilers: Object.keys(cache).filter((path) => /solc|soljson/.test(path)),
    programs: programs.reduce((sum, { mock }) => sum + mock.calls.length, 0),
  });
}

test("a source is compiled in another thread, and this one has next to nothing to do", async () => {
  const loaded = loadedHere();
  const verifier = createVerifier({ timeout: 300_000 });
  onTestFinished(async () => {
    await verifier.close();
    vi.restoreAllMocks();
  });
  const compileThere = CompilerThread.prototype.compile;
  const there: number[] = [];
  vi.spyOn(CompilerThread.prototype, "compile").mockImplementation(async function (
    this: CompilerThread,
    input,
  ) {
    const before = await this.cpuMs();
    const output = await compileThere.call(this, input);
    there.push((await this.cpuMs()) - before);
    return output;
  });
  const before = cpuMs();
  const verdict = await verifier.verify(
    {
      contract_name: "A",
      compiler: version,
      runs_optimizer: 200,
      optimization_enabled: 1,
      contract_source: base64(source),
      constructor_arguments: "",
    },
    { address: ADDRESS, runtimeCode: "0x6000", creationCodes: [] },
  );
  const here = cpuMs() - before;
  expect(verdict).toMatchObject({
    verified: false,
    message: expect.stringContaining("Runtime code differs from byte"),
  });
  expect(loaded()).toEqual({ compilers: [], programs: 0 });
  // CPU, not time.
  expect(here).toBeLessThan(there.reduce((sum, one) => sum + one) / 5);
});

test("`await using` closes it at the end of the block", async () => {
  const closed: unknown[] = [];
  {
    await using verifier = createVerifier();
    vi.spyOn(verifier, "close").mockImplementation(async () => void closed.push(verifier));
    expect(closed).toEqual([]);
  }
  expect(closed).toHaveLength(1);
});
