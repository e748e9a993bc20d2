// A demo chain on a real port, and its commands in this process.
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import {
  createExplorer,
  createVerifier,
  type Explorer,
  loadDemo,
  serveExplorer,
} from "../../mocks/node.ts";
import { runCli, type Terminal } from "./run-cli.ts";

export const KEY = "s3cret-key";
export const ALICE = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
export const BOB = "0xa0ee7a142d267c1f36714e4a8f75612f20a79720";
export const AURORA = "0x5fbdb2315678afecb367f032d93f642f64180aa3";

export interface ServedDemo {
  readonly mock: Explorer;
  readonly url: string;
  /** Runs a command against it. */
  readonly cli: (words: string, terminal?: Partial<Terminal>) => ReturnType<typeof runCli>;
}

/** Loaded once: each file serves a fork of it. */
const chain = loadDemo({ verified: true });

/** Serves the demo chain for the tests of a file. */
export function serveDemo(): ServedDemo {
  let mock: Explorer;
  let service: Awaited<ReturnType<typeof serveExplorer>>;
  const verifier = createVerifier();
  beforeAll(async () => {
    mock = createExplorer({ chain: (await chain).fork(), apiKeys: [KEY], verifier });
    service = await serveExplorer(mock);
  });
  beforeEach(() => mock.reset());
  afterAll(() => Promise.all([service.close(), verifier.close()]));
  return {
    get mock() {
      return mock;
    },
    get url() {
      return service.url;
    },
    cli: (words, terminal = {}) =>
      runCli(words.split(" "), {
        env: { EXPLORER_BASE_URL: service.url, EXPLORER_API_KEY: KEY },
        ...terminal,
      }),
  };
}

/** Runs `serve` in this process until `run` ends, as SIGTERM would end it; returns what was printed. */
export async function serving(
  options: string,
  env: Readonly<Record<string, string>>,
  run: (url: string, printed: () => string) => Promise<void>,
  terminalForErrors = false,
): Promise<{ readonly out: string; readonly err: string }> {
  const stop = new AbortController();
  let printed = "";
  let ready = (_: string) => {};
  const isReady = new Promise<string>((resolve) => {
    ready = resolve;
  });
  const ended = runCli(`serve --port 0 ${options}`.split(" "), {
    env,
    signal: stop.signal,
    terminalForErrors,
    onPrint: (text) => {
      printed = text;
      const [, port] = /ready at http:\S+:(\d+)\n/.exec(text) ?? [];
      if (port !== undefined) ready(`http://127.0.0.1:${port}`);
    },
  });
  // What ends before it is ready says why.
  const url = await Promise.race([
    isReady,
    ended.then(({ err }) => Promise.reject(new Error(err))),
  ]);
  try {
    await run(url, () => printed);
  } finally {
    stop.abort();
  }
  const { code, ...said } = await ended;
  expect(code).toBe(0);
  return said;
}

export const linesOf = (text: string): string[] => text.trimEnd().split(/\r?\n/);

/** The text as it is without the codes that colour it. */
export const uncoloured = (text: string): string =>
  text.replaceAll(new RegExp(`${"\u001b"}\\[\\d+m`, "g"), "");
