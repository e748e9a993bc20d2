// Runs a block of code of the site: its imports become the client and the mock explorer, with the
// demo chain behind every URL.
import type { Chain } from "../../mocks/chain/chain.ts";
import { createExplorer, type Explorer } from "../../mocks/explorer.ts";
import type { JournalEntry } from "../../mocks/message/notes.ts";
import * as client from "../../src/index.ts";
import { shown } from "./shown.ts";

/** A block: its code, and what the page's program says before it, both without types. */
export interface Block {
  readonly code: string;
  readonly before: string;
}

interface Terms {
  /** Where output goes, a line at a time. */
  readonly print: (line: string) => void;
  readonly loadChain: (program: string) => Promise<Chain>;
  /** Ends a program that has no end. */
  readonly signal: AbortSignal;
}

/** A program that prints and requests nothing for once to twice as long waits for what does not come. */
const SILENCE = 25_000;

/** Imports where an expression may stand; nothing is exported. */
const runnable = (code: string): string =>
  code
    .replaceAll(
      /^import (?:\* as (\w+)|(\{[^}]*\})) from ("[^"]+");.*$/gm,
      (_, all: string | undefined, some: string | undefined, from: string) =>
        `const ${all ?? some?.replaceAll(" as ", ": ")} = await load(${from});`,
    )
    .replaceAll(/^export (?=const|function|class)/gm, "")
    // A statement with `// SomeError: …` below it prints its error, and the program continues.
    .replaceAll(
      /^(.+;)\n\/\/ \w+Error: .*$/gm,
      "try { $1 } catch (error) { console.log(String(error)); }",
    );

/** Where the demo chain is, for programs: nothing leaves the page. */
const baseUrl = "https://explorer.test";

/** The names that a program imports from the mock explorer. */
const importedFromMocks = (program: string): readonly string[] =>
  [...program.matchAll(/^import \{([^}]*)\} from "mrc-explorer\/mocks/gm)].flatMap(
    ([, names = ""]) => names.match(/\w+/g) ?? [],
  );

/**
 * Runs a block until it ends, fails, is stopped or hangs. Returns its requests, and its error if
 * it failed.
 */
export async function runBlock(
  { before, code }: Block,
  { print, loadChain, signal }: Terms,
): Promise<{ readonly requests: readonly JournalEntry[]; readonly error?: unknown }> {
  const program = `${before}\nbegin();\n${code}`;
  const explorers: Explorer[] = [];
  const noted = (explorer: Explorer): Explorer => {
    explorers.push(explorer);
    return explorer;
  };
  const entries = () => explorers.flatMap(({ journal }) => journal.entries);
  let printed = 0;
  let isOver = false;

  let demo: Promise<Explorer> | undefined;
  const ask: client.Fetch = async (url, init) => {
    // A rejected key is what no later poll mends: it ends a watch.
    if (isOver)
      return Response.json({ status: "401", message: "stopped", results: null }, { status: 401 });
    demo ??= loadChain(program).then((chain) => noted(createExplorer({ chain, baseUrl })));
    return (await demo).fetch(url, init);
  };
  class ExplorerClient extends client.ExplorerClient {
    constructor(options: client.ExplorerClientOptions = {}) {
      const pageOptions = options.fetch ? {} : { baseUrl, fetch: ask };
      super({ apiKey: "any", baseUrl, ...options, ...pageOptions });
    }
  }
  const loadMocks = async () => {
    const [{ createExplorer }, builder] = await Promise.all([
      import("../../mocks/explorer.ts"),
      import("../../mocks/builder/index.ts"),
    ]);
    const create: typeof createExplorer = (...options) => noted(createExplorer(...options));
    const most = { ...builder, createExplorer: create };
    // Few need what reads nodes and generates chains.
    const hasAll = importedFromMocks(program).every((name) => name in most || name === "loadDemo");
    return hasAll ? most : { ...(await import("../../mocks/index.ts")), ...most };
  };
  const modules: Readonly<Record<string, () => unknown>> = {
    "mrc-explorer": () => ({ ...client, ExplorerClient }),
    "mrc-explorer/mocks": loadMocks,
    "mrc-explorer/mocks/node": async () => ({
      ...(await loadMocks()),
      loadDemo: () => loadChain(program),
    }),
  };

  // Nothing is shown of what stands before the block.
  let earlier: ReadonlySet<JournalEntry> | undefined;
  const log = (...values: readonly unknown[]) => {
    if (!earlier || isOver) return;
    printed++;
    print(shown(values));
  };
  const scope = {
    load(name: string) {
      const loadModule = modules[name];
      if (loadModule) return loadModule();
      throw new Error(`${name} is not on this page: run this block on your machine`);
    },
    begin() {
      earlier = new Set(entries());
    },
    console: { log, info: log, warn: log, error: log, debug: log },
    process: { env: { EXPLORER_BASE_URL: baseUrl, EXPLORER_API_KEY: "any" } },
  };
  let watchdog: ReturnType<typeof setInterval> | undefined;
  const silence = new Promise<never>((_, reject) => {
    let before = -1;
    watchdog = setInterval(() => {
      const now = printed + entries().length;
      const reason = `Stopped: nothing was printed or requested for ${SILENCE / 1000} seconds`;
      if (now === before) reject(new Error(reason));
      before = now;
    }, SILENCE);
  });
  const stopped = new Promise<void>((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  let failure: { readonly error?: unknown } = {};
  try {
    const body = `return (async () => {\n${runnable(program)}\n})();`;
    const run = new Function(...Object.keys(scope), body);
    await Promise.race([run(...Object.values(scope)), stopped, silence]);
  } catch (error) {
    failure = { error };
  }
  isOver = true;
  clearInterval(watchdog);
  return { requests: entries().filter((entry) => !earlier?.has(entry)), ...failure };
}
