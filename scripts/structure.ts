// The parts of the source, and which imports which: docs/architecture.md shows them, and test/structure.test.ts holds the code to them.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

export interface Part {
  /** Folders, with all below them, and files. */
  readonly paths: readonly [string, ...string[]];
  readonly holds: string;
  /** The parts it imports, types included, by their first path. Each comes before it, so imports run one way. */
  readonly imports: readonly string[];
  /** The packages it imports; `node` stands for all of Node. */
  readonly packages: readonly string[];
}

const contract = ["src/models", "src/errors", "src/contract"] as const;

/** Each part imports only parts above it. */
export const parts: readonly Part[] = [
  {
    paths: ["src/models"],
    holds: "the records as zod codecs, and the values in them",
    imports: [],
    packages: ["zod/mini"],
  },
  {
    paths: ["src/errors"],
    holds: "the errors, and the redaction of API keys",
    imports: ["src/models"],
    packages: [],
  },
  {
    paths: ["src/contract"],
    holds: "the definitions of the 22 operations",
    imports: ["src/models", "src/errors"],
    packages: ["zod/mini"],
  },
  {
    paths: ["src/http"],
    holds: "one call, from its input to its decoded results",
    imports: contract,
    packages: ["ky", "zod/mini"],
  },
  {
    paths: ["src/lists"],
    holds: "iterating and watching lists, and balances in batches",
    imports: [...contract, "src/http"],
    packages: ["zod/mini"],
  },
  {
    paths: ["src/resources"],
    holds: "the methods, one file for each resource, and helpers for records",
    imports: [...contract, "src/http", "src/lists"],
    packages: [],
  },
  {
    paths: ["src/settings.ts"],
    holds: "the options of `ExplorerClient`",
    imports: ["src/contract", "src/http"],
    packages: ["zod/mini"],
  },
  {
    paths: ["src/client.ts"],
    holds: "`ExplorerClient`",
    imports: [
      "src/errors",
      "src/contract",
      "src/http",
      "src/lists",
      "src/resources",
      "src/settings.ts",
    ],
    packages: [],
  },
  {
    paths: ["src/index.ts", "src/helpers.ts"],
    holds: "the public names of the client",
    imports: [
      ...contract,
      "src/http",
      "src/lists",
      "src/resources",
      "src/settings.ts",
      "src/client.ts",
    ],
    packages: [],
  },
  {
    paths: ["src/tanstack.ts"],
    holds: "options for TanStack Query",
    imports: [
      "src/models",
      "src/contract",
      "src/http",
      "src/lists",
      "src/resources",
      "src/client.ts",
    ],
    packages: ["@tanstack"],
  },
  {
    paths: ["mocks/double/chain"],
    holds: "blocks in packed form with their indexes, and the state at the head",
    imports: ["src/models"],
    packages: ["ox"],
  },
  {
    paths: [
      "mocks/double/service/api.ts",
      "mocks/double/service/message.ts",
      "mocks/double/journal/journal.ts",
      "mocks/double/journal/exchanges.ts",
      "mocks/double/journal/journal-entry.ts",
      "mocks/double/journal/journal-budget.ts",
      "mocks/double/operations/submissions.ts",
      "mocks/double/sources/metadata.ts",
      "mocks/workbench/verify/abi.ts",
      "mocks/double/journal/decimal-json.ts",
      "mocks/double/service/event-loop.ts",
      "mocks/double/service/loopback.ts",
      "mocks/double/service/random.ts",
      "mocks/double/service/suggest.ts",
    ],
    holds: "requests and responses without HTTP, the journal, and small helpers",
    imports: ["src/models", "src/contract", "src/http", "mocks/double/chain"],
    packages: ["ox"],
  },
  {
    paths: ["mocks/double/sources/builder"],
    holds: "chains described call by call",
    imports: ["src/models", "mocks/double/chain"],
    packages: ["ox"],
  },
  {
    paths: ["mocks/double/sources/generator"],
    holds: "random chains of any size",
    imports: ["mocks/double/chain", "mocks/double/service/api.ts"],
    packages: [],
  },
  {
    paths: ["mocks/double/sources/ingest"],
    holds: "chains from a node's responses, and from folders of them",
    imports: ["src/models", "src/errors", "mocks/double/chain", "mocks/double/service/api.ts"],
    packages: ["node", "ox", "zod/mini"],
  },
  {
    paths: ["mocks/workbench/follow/store"],
    holds: "a followed chain in a folder",
    imports: [
      "src/models",
      "src/errors",
      "mocks/double/chain",
      "mocks/double/service/api.ts",
      "mocks/double/sources/ingest",
    ],
    packages: ["node", "zod/mini"],
  },
  {
    paths: ["mocks/workbench/follow/rpc"],
    holds: "requests to a node, by HTTP and websocket",
    imports: ["src/models", "src/errors", "src/http", "mocks/double/sources/ingest"],
    packages: ["node", "zod/mini"],
  },
  {
    paths: ["mocks/workbench/follow"],
    holds: "following a node",
    imports: [
      "src/models",
      "src/errors",
      "src/http",
      "mocks/double/chain",
      "mocks/double/service/api.ts",
      "mocks/double/sources/ingest",
      "mocks/workbench/follow/store",
      "mocks/workbench/follow/rpc",
    ],
    packages: ["ox", "zod/mini"],
  },
  {
    paths: ["mocks/workbench/verify"],
    holds: "compiling submitted sources, and comparing code",
    imports: [
      "src/models",
      "src/errors",
      "src/http",
      "mocks/double/chain",
      "mocks/double/service/api.ts",
    ],
    packages: ["@ethereumjs", "node", "ox", "zod/mini"],
  },
  {
    paths: ["mocks/double/operations"],
    holds: "the results of each operation, from the chain and its input",
    imports: [
      "src/models",
      "src/contract",
      "mocks/double/chain",
      "mocks/double/service/api.ts",
      "mocks/workbench/verify",
    ],
    packages: ["ox"],
  },
  {
    paths: ["mocks/workbench/page/inspect"],
    holds: "the views of the page, as operations below `/inspect`",
    imports: [
      "src/models",
      "src/contract",
      "mocks/double/chain",
      "mocks/double/service/api.ts",
      "mocks/workbench/verify",
      "mocks/double/operations",
    ],
    packages: ["ox", "zod/mini"],
  },
  {
    paths: ["mocks/double/faults"],
    holds: "faults: parsing, matching, effects",
    imports: ["src/models", "src/contract", "mocks/double/chain", "mocks/double/service/api.ts"],
    packages: ["zod/mini"],
  },
  {
    paths: ["mocks/double/service"],
    holds: "the router and the dispatcher of every API, and `mock.fetch`",
    imports: ["src/models", "src/contract", "mocks/double/chain", "mocks/double/service/api.ts"],
    packages: [],
  },
  {
    paths: ["mocks/double/profile"],
    holds: "profiles of explorers, and answers as theirs",
    imports: [
      "src/models",
      "src/contract",
      "mocks/double/chain",
      "mocks/double/service/api.ts",
      "mocks/double/faults",
    ],
    packages: ["zod/mini"],
  },
  {
    paths: ["mocks/double/explorer.ts"],
    holds: "the mock explorer: chain, faults, journal, tenants",
    imports: [
      "src/contract",
      "mocks/double/chain",
      "mocks/double/service/api.ts",
      "mocks/double/sources/builder",
      "mocks/workbench/verify",
      "mocks/double/operations",
      "mocks/double/faults",
      "mocks/double/service",
      "mocks/double/profile",
    ],
    packages: [],
  },
  {
    paths: ["mocks/workbench/recording"],
    holds: "recordings of a real explorer, and explorers that answer from them",
    imports: [
      "src/models",
      "src/errors",
      "src/contract",
      "mocks/double/service/api.ts",
      "mocks/double/service",
      "mocks/double/explorer.ts",
    ],
    packages: ["node", "zod/mini"],
  },
  {
    paths: ["mocks/workbench/port/admin"],
    holds: "the admin API: operations below `/admin`",
    imports: [
      "src/models",
      "src/contract",
      "mocks/double/chain",
      "mocks/double/service/api.ts",
      "mocks/double/sources/builder",
      "mocks/double/operations",
      "mocks/double/faults",
      "mocks/double/explorer.ts",
    ],
    packages: ["zod/mini"],
  },
  {
    paths: ["mocks/workbench/tools"],
    holds: "Etherscan's and Sourcify's APIs, for tools",
    imports: [
      "src/models",
      "src/contract",
      "mocks/double/chain",
      "mocks/double/service/api.ts",
      "mocks/workbench/verify",
      "mocks/double/operations",
      "mocks/double/service",
      "mocks/double/explorer.ts",
    ],
    packages: ["zod/mini"],
  },
  {
    paths: ["mocks/workbench/port"],
    holds: "the HTTP server",
    imports: [
      "src/models",
      "src/contract",
      "src/client.ts",
      "mocks/double/service/api.ts",
      "mocks/workbench/page/inspect",
      "mocks/double/service",
      "mocks/double/explorer.ts",
      "mocks/workbench/port/admin",
      "mocks/workbench/tools",
    ],
    packages: ["node", "zod/mini"],
  },
  {
    paths: ["mocks/double/msw"],
    holds: "handlers for MSW, and its set-up",
    imports: [
      "src/errors",
      "src/contract",
      "mocks/double/service/api.ts",
      "mocks/double/service",
      "mocks/double/explorer.ts",
    ],
    packages: ["msw", "node"],
  },
  {
    paths: ["mocks/index.ts", "mocks/node.ts", "mocks/msw.ts", "mocks/browser.ts"],
    holds: "the public names of the mock explorer",
    imports: [
      "src/contract",
      "mocks/double/chain",
      "mocks/double/service/api.ts",
      "mocks/double/sources/builder",
      "mocks/double/sources/generator",
      "mocks/double/sources/ingest",
      "mocks/workbench/follow/store",
      "mocks/workbench/follow",
      "mocks/workbench/verify",
      "mocks/double/faults",
      "mocks/double/service",
      "mocks/double/profile",
      "mocks/double/explorer.ts",
      "mocks/workbench/recording",
      "mocks/workbench/port/admin",
      "mocks/workbench/port",
      "mocks/double/msw",
    ],
    packages: [],
  },
  {
    paths: ["mocks/workbench/page"],
    holds: "the page: a program for browsers, built into `dist/page`",
    imports: [
      ...contract,
      "src/http",
      "src/resources",
      "src/settings.ts",
      "src/client.ts",
      "mocks/double/service/api.ts",
      "mocks/workbench/page/inspect",
      "mocks/double/faults",
      "mocks/workbench/port/admin",
    ],
    packages: ["ox", "preact"],
  },
  {
    paths: ["src/cli"],
    holds: "the command line, an entry for Node",
    imports: [
      ...contract,
      "src/http",
      "src/lists",
      "src/resources",
      "src/settings.ts",
      "src/index.ts",
      "mocks/double/chain",
      "mocks/double/service/api.ts",
      "mocks/workbench/follow/rpc",
      "mocks/workbench/follow",
      "mocks/workbench/verify",
      "mocks/double/faults",
      "mocks/double/profile",
      "mocks/workbench/port",
      "mocks/index.ts",
    ],
    packages: ["commander", "ky", "node", "package-manager-detector", "picocolors", "zod/mini"],
  },
];

/** The part a file belongs to, by its first path. */
export const partOf = (file: string): string | undefined =>
  parts.find(({ paths }) => paths.some((path) => file === path || file.startsWith(`${path}/`)))
    ?.paths[0];

export interface Source {
  readonly file: string;
  readonly text: string;
  /** The files it imports. */
  readonly files: readonly string[];
  /** The packages it imports. */
  readonly packages: readonly string[];
}

/** `zod/mini` is a package by itself: zod is another, much larger one. */
function packageOf(name: string): string {
  if (name.startsWith("node:")) return "node";
  return name.startsWith("zod") ? name : (name.split("/")[0] ?? name);
}

/** Every file of `src` and `mocks` with what it imports, statically, on demand or as a type. */
export function sources(): readonly Source[] {
  const root = join(import.meta.dirname, "..");
  return globSync("{src,mocks}/**/*.{ts,tsx}", { cwd: root }).map((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const imported = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
    const [files, packages] = [true, false].map((isFile) =>
      imported.filter((name) => name.startsWith(".") === isFile),
    ) as [string[], string[]];
    return {
      file,
      text,
      files: files.map((name) => join(dirname(file), name)),
      packages: packages.map(packageOf),
    };
  });
}
