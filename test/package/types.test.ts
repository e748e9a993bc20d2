// The declarations of the packed package, checked whole (`skipLibCheck: false`), in projects with msw and without.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Consumer, createConsumer } from "./consumer.ts";

/** Packing and checking take their time on a busy machine. */
const PATIENCE = 240_000;

const plain = `import { ExplorerClient, type Transaction } from "mrc-explorer";
import { buildChain, createExplorer } from "mrc-explorer/mocks";
import { serveExplorer } from "mrc-explorer/mocks/node";
const explorer = new ExplorerClient({ baseUrl: "https://example.com", apiKey: "any" });
export const value = async (): Promise<bigint> => {
  const { data }: { data: Transaction[] } = await explorer.accounts.transactions("0x");
  return data[0]?.value ?? 0n;
};
export const served = serveExplorer(createExplorer({ chain: buildChain() }));
`;
/** A program for Node needs no types of browsers; msw does. */
const node = { lib: ["es2023"] };
const msw = `import { setupExplorerWorker } from "mrc-explorer/mocks/browser";
import { createHandlers, setupExplorer } from "mrc-explorer/mocks/msw";
export type Setups = [typeof setupExplorer, typeof setupExplorerWorker, typeof createHandlers];
`;

describe.each([
  ["with msw", [], { "plain.mts": plain, "plain.cts": plain, "msw.mts": msw }, {}],
  ["without msw", ["msw"], { "plain.mts": plain, "plain.cts": plain }, node],
] as const)("%s", (_, without, files, options) => {
  let project: Consumer;
  beforeAll(() => {
    project = createConsumer(["@types/node", "typescript"], without, "npm init");
    for (const [name, text] of Object.entries(files)) project.write(name, text);
  }, PATIENCE);
  afterAll(() => project?.remove());

  test.each([
    ["node16", "node16"],
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])(
    "module %s, resolution %s",
    (module, moduleResolution) => {
      const compilerOptions = {
        ...{ module, moduleResolution, target: "es2023", types: ["node"], ...options },
        ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true },
      };
      // CommonJS has no place in `module: esnext`.
      const include = module === "esnext" ? ["*.mts"] : ["*.mts", "*.cts"];
      project.write("tsconfig.json", JSON.stringify({ compilerOptions, include }));
      expect(project.bin("tsc", ["-p", "."])).toMatchObject({ code: 0, stdout: "" });
    },
    PATIENCE,
  );
});
