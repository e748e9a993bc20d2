// The declarations of the packed package, checked whole (`skipLibCheck: false`) by every TypeScript
// and setting that users have.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as service from "../../mocks/node.ts";
import { isOptional } from "../../src/contract/parameters.ts";
import * as client from "../../src/index.ts";
import { check } from "../../src/models/issues.ts";
import { type Consumer, createConsumer, hasTools } from "./consumer.ts";

const explorer = new client.ExplorerClient({ baseUrl: "https://explorer.example", apiKey: "any" });
const methodsOf = (instance: object): string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(instance)).filter(
    (name) => name !== "constructor",
  );

const a = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const h = "0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b";

/** Samples of parameters. A parameter gets the first sample that its schema accepts. */
const values = { a, h, "[a]": [a], "1n": 1n, "1": 1 };
function sampleOf(schema: client.AnySchema | undefined): string {
  const fits = Object.entries(values).find(
    ([, value]) => schema && check(schema, value).issues === undefined,
  );
  if (fits === undefined) throw new Error("Add a value that this parameter takes");
  return fits[0];
}

/** Each operation, by number and by name, wherever an operation is named. */
const operations = Object.values<client.AnyOperation>(client.operations).flatMap(
  ({ id, name, input }) => {
    const sampleInput = `{ ${Object.entries(input.shape)
      .filter(([, schema]) => !isOptional(schema))
      .map(([parameter, schema]) => `${parameter}: ${sampleOf(schema)}`)
      .join(", ")} }`;
    return [id, name].map(
      (key) => `
mock.faults.add({ fault: "never", operation: "${key}" });
mock.journal.expect("${key}", ${sampleInput});
mock.journal.count("${key}", ${sampleInput}).toFixed();
explorer.request("${key}", ${sampleInput}).withResponse().then(({ data }) => known(data));`,
    );
  },
);

/** Everything that an instance of the mock server has: none of it may be `any` or `never`. */
const members = (name: string, instance: object): string[] =>
  methodsOf(instance).map((member) => `known(${name}.${member});`);

const mock = service.createExplorer();
const resources = Object.entries(explorer as object).filter(
  ([, value]) => typeof value === "object" && methodsOf(value).length > 0,
);
const program = `import * as client from "mrc-explorer";
import * as service from "mrc-explorer/mocks/node";
import * as everywhere from "mrc-explorer/mocks";
const a = "${a}";
const h = "${h}";
declare function known<T>(value: 0 extends 1 & T ? never : [T] extends [never] ? never : T): void;
const builder: everywhere.ChainBuilder = everywhere.buildChain();
const mock = service.createExplorer({ chain: builder });
const explorer = new client.ExplorerClient({ baseUrl: mock.baseUrl, apiKey: undefined, fetch: mock.fetch, timeout: undefined });
${resources.flatMap(([name, resource]) => members(`explorer.${name}`, resource)).join("\n")}
${Object.keys(client)
  .map((name) => `known(client.${name});`)
  .join("\n")}
${Object.keys(service)
  .map((name) => `known(service.${name});`)
  .join("\n")}
${[...members("mock", mock), ...members("mock.faults", mock.faults), ...members("mock.journal", mock.journal), ...members("builder", service.buildChain())].join("\n")}
${operations.join("")}
export async function read(): Promise<[bigint, bigint, string]> {
  const { data: [first], count } = await explorer.accounts.transactions(a);
  for await (const { kind, record } of explorer.accounts.watch(a, { kinds: ["mrc20Transfer"] })) {
    const only: "mrc20Transfer" = kind;
    return [first?.value ?? 0n, record.value, only + (count?.toFixed() ?? "")];
  }
  throw new client.NotFoundError("none", { status: "404", httpStatus: 404, reason: "none", headers: new Headers() });
}
`;
/** Further entries and others' types, which need those of browsers. */
const msw = `import { setupExplorerWorker } from "mrc-explorer/mocks/browser";
import { createHandlers, setupExplorer } from "mrc-explorer/mocks/msw";
export type Setups = [typeof setupExplorerWorker, typeof createHandlers];
export const unhandled = (mock: Parameters<typeof setupExplorer>[0]) =>
  setupExplorer(mock, { hooks: undefined, MSW: "bypass" }).server.listHandlers();
`;
const tanstack = `import { QueryClient } from "@tanstack/query-core";
import { ExplorerClient } from "mrc-explorer";
import { queries } from "mrc-explorer/tanstack";
const explorer = new ExplorerClient();
const client = new QueryClient();
export async function read(): Promise<[bigint, bigint | undefined]> {
  const list = await client.fetchInfiniteQuery(queries.transactions(explorer, "${a}"));
  return [await client.fetchQuery(queries.balance(explorer, "${a}")), list.pages[0]?.data[0]?.value];
}
`;
const fetches = `import { ExplorerClient, type Fetch } from "mrc-explorer";
import nodeFetch from "node-fetch";
import { fetch as undiciFetch } from "undici";
export const fetches: Fetch[] = [undiciFetch, nodeFetch, globalThis.fetch, async (url) => new Response(url)];
export const clients = fetches.map((fetch) => new ExplorerClient({ fetch }));
export const direct = [new ExplorerClient({ fetch: undiciFetch }), new ExplorerClient({ fetch: nodeFetch })];
`;

const withoutDom = { lib: ["es2023"] };
const withDom = { lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"] };

const resolutions = {
  nodenext: { module: "nodenext", moduleResolution: "nodenext", ...withDom },
  "nodenext without dom": { module: "nodenext", moduleResolution: "nodenext", ...withoutDom },
  node16: { module: "node16", moduleResolution: "node16", ...withoutDom },
  bundler: { module: "esnext", moduleResolution: "bundler", ...withDom },
  "bundler without @types/node": {
    ...{ module: "esnext", moduleResolution: "bundler", ...withDom, types: [] },
  },
  node10: { module: "commonjs", moduleResolution: "node10", ...withDom },
} as const;
type Resolution = keyof typeof resolutions;

const compilers = ["5.5", "5.7", "5.9", "6", "7"] as const;

/** node10 was deprecated in TypeScript 6 and is gone in 7. */
const deprecation = (compiler: string, resolution: Resolution) =>
  compiler === "6" && resolution === "node10" ? { ignoreDeprecations: "6.0" } : {};
const has = (compiler: string, resolution: Resolution) =>
  resolution !== "node10" || compiler !== "7";

/** Both versions are tried; the types of msw 3 itself need TypeScript 5.7. */
const mswFor = (compiler: string) => (/5\.[59]/.test(compiler) ? "msw=msw-2" : "msw");

/** Returns the settings of a user's tsconfig.json to check with a compiler, by name. */
function configurationsFor(compiler: string): Readonly<Record<string, object>> {
  const names = Object.keys(resolutions) as Resolution[];
  return Object.fromEntries(
    names
      .filter((resolution) => has(compiler, resolution))
      .flatMap((resolution) =>
        // The strict setting accepts less than the other, so one resolution is enough to compare
        // them.
        (resolution === "nodenext" ? [false, true] : [true]).map((exactOptionalPropertyTypes) => [
          `${resolution}, exactOptionalPropertyTypes: ${exactOptionalPropertyTypes}`,
          configuration(compiler, resolution, exactOptionalPropertyTypes),
        ]),
      ),
  );
}

function configuration(
  compiler: string,
  resolution: Resolution,
  exactOptionalPropertyTypes: boolean,
): object {
  const compilerOptions = {
    // `tsc --init` writes esModuleInterop; the types of zod need it in CommonJS.
    ...{ target: "es2022", types: ["node"], esModuleInterop: true, ...resolutions[resolution] },
    ...{ strict: true, exactOptionalPropertyTypes, skipLibCheck: false, noEmit: true },
    // The compiler's own library is not ours to check.
    skipDefaultLibCheck: true,
    ...deprecation(compiler, resolution),
  };
  const isNode = resolution.startsWith("node1") || resolution.startsWith("nodenext");
  const include = [
    ...(isNode && resolution !== "node10" ? ["program.mts"] : ["program.ts"]),
    ...(resolution.startsWith("nodenext") ? ["program.cts"] : []),
    ...(resolution === "nodenext" ? ["fetches.mts", "msw.mts", "tanstack.mts"] : []),
  ];
  return { compilerOptions, include };
}

/**
 * Checks all configurations in one process, as an editor does, and writes what tsc would print for
 * each. Two that differ only in exactOptionalPropertyTypes share the files that they have read.
 */
const checker = `const ts = require("typescript");
const { readFileSync } = require("node:fs");
const folder = process.cwd();
let last = {};
const checked = ([name, configuration]) => {
  const resolution = name.split(", ")[0];
  if (last.resolution !== resolution) last = { resolution, files: new Map() };
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(configuration, ts.sys, folder);
  const host = ts.createCompilerHost(options);
  const { files, program: oldProgram } = last;
  const readSource = host.getSourceFile;
  host.getSourceFile = (path, ...how) => {
    if (!files.has(path)) files.set(path, readSource(path, ...how));
    return files.get(path);
  };
  last.program = ts.createProgram({ rootNames: fileNames, options, host, oldProgram });
  const problems = [...errors, ...ts.getPreEmitDiagnostics(last.program)];
  return [name, { files: fileNames.length, problems: ts.formatDiagnostics(problems, host) }];
};
const configurations = Object.entries(JSON.parse(readFileSync("configurations.json", "utf8")));
console.log(JSON.stringify(Object.fromEntries(configurations.map(checked))));
`;

describe.each(compilers.filter((compiler) => hasTools || compiler === "6"))(
  "TypeScript %s",
  (compiler) => {
    const configurations = configurationsFor(compiler);
    let project: Consumer;
    let checked: Readonly<Record<string, { readonly files: number; readonly problems: string }>>;
    beforeAll(() => {
      const typescript = compiler === "6" ? "typescript" : `typescript=typescript-${compiler}`;
      project = createConsumer(
        [
          "@types/node",
          typescript,
          mswFor(compiler),
          "undici",
          "node-fetch",
          "@tanstack/query-core",
        ],
        [],
        "npm init",
      );
      for (const extension of ["mts", "cts", "ts"]) project.write(`program.${extension}`, program);
      const option = mswFor(compiler) === "msw" ? "onUnhandledFrame" : "onUnhandledRequest";
      project.write("msw.mts", msw.replace("MSW", option));
      project.write("fetches.mts", fetches);
      project.write("tanstack.mts", tanstack);
      project.write("configurations.json", JSON.stringify(configurations));
      project.write("check.cjs", checker);
      // TypeScript 7 is a native program, which takes a second for each.
      if (compiler === "7") return;
      const { code, stdout, stderr } = project.node(["check.cjs"]);
      if (code !== 0) throw new Error(stderr);
      checked = JSON.parse(stdout);
    });
    afterAll(() => project?.remove());

    test.each(Object.keys(configurations))("%s", (name) => {
      if (compiler === "7") {
        project.write("tsconfig.json", JSON.stringify(configurations[name]));
        expect(project.bin("tsc", ["-p", "."])).toMatchObject({ code: 0, stdout: "" });
      } else {
        expect(checked[name]?.problems).toBe("");
        expect(checked[name]?.files).toBeGreaterThan(0);
      }
    });
  },
);
