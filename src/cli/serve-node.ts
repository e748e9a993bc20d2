// `mrc-explorer serve --rpc`: the options of following a node, and a progress line on the terminal.
import { resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Follower, FollowOptions } from "../../mocks/follow/follow-node.ts";
import { describeStatus, oncePerMessage } from "../../mocks/follow/follow-status.ts";
import { append, between } from "./parameters.ts";
import type { Output, ProcessIO } from "./process-io.ts";
import { KnownContracts } from "./project/known-contracts.ts";
import { buildOutput } from "./project/projects.ts";

/** The options of `serve` that need `--rpc`. */
export interface NodeOptions {
  readonly fromBlock?: number | "latest";
  readonly all?: true;
  readonly traces?: "auto" | "none";
  readonly header?: Readonly<Record<string, string>>;
  readonly interval?: number;
  readonly batch?: number;
  readonly concurrency?: number;
  readonly callBudget?: number;
  readonly servePartial?: true;
  readonly artifacts?: readonly string[];
  readonly store?: string;
  readonly replace?: true;
}

const blockNumber = between(0, Number.MAX_SAFE_INTEGER);

const header = (text: string, previous: Readonly<Record<string, string>> = {}) => {
  const cut = text.indexOf("=");
  if (cut > 0) return { ...previous, [text.slice(0, cut)]: text.slice(cut + 1) };
  throw new InvalidArgumentError("expected name=value, such as authorization=Bearer…");
};

/** Adds the options of following a node; `dump` always does. */
export function addNodeOptions(command: Command): void {
  for (const option of [...followingOptions(), ...servingOptions()]) command.addOption(option);
}

/** The options of how to follow. */
export function followingOptions(): Option[] {
  return [
    new Option(
      "--from-block <n>",
      "with --rpc: the first block to load, or latest (default: the block the node was forked from, or 0)",
    ).argParser((text) => (text === "latest" ? text : blockNumber(text))),
    new Option("--all", "with --rpc: load a chain of more than 5 million blocks from its start"),
    new Option("--traces <when>", "with --rpc: none leaves internal transactions out").choices([
      "auto",
      "none",
    ]),
    new Option("--header <name=value>", "with --rpc: a header for the node (repeatable)").argParser(
      header,
    ),
    new Option("--interval <ms>", "with --rpc: time between polls (default: 1000)").argParser(
      between(10, 3_600_000),
    ),
    new Option("--batch <n>", "with --rpc: most calls in a request (default: 100)").argParser(
      between(1, 10_000),
    ),
    new Option("--concurrency <n>", "with --rpc: requests at once (default: 4)").argParser(
      between(1, 100),
    ),
    new Option(
      "--call-budget <n>",
      "with --rpc: most calls for one request to the explorer (default: 2000)",
    ).argParser(between(0, 1_000_000)),
    new Option(
      "--replace",
      "with --store and dump: move a recorded chain that is not the node's to a folder next to it, and start a new one",
    ),
  ];
}

/** The options of how the chain is served and kept. */
const servingOptions = (): Option[] => [
  new Option(
    "--artifacts <dir>",
    "with --rpc: a Hardhat or Foundry project, whose contracts are then verified (repeatable)",
  ).argParser(append),
  new Option(
    "--serve-partial",
    "with --rpc: answer while blocks are still loading, instead of 503",
  ),
  new Option("--store <dir>", "with --rpc: keep the chain in this folder, and start from it"),
];

/** The options of a follower, which is closed when the process is to end: with a store, it has something to do then. */
export const followOptions = (
  { header, artifacts = [], ...options }: NodeOptions,
  { stderr }: ProcessIO,
): FollowOptions => ({
  ...nodeOptions(options),
  ...knownFrom(artifacts),
  headers: header,
  onError: warning(stderr),
});

/** Warns of failures. What ends the command is printed as its error. */
function warning(stderr: Output): NonNullable<FollowOptions["onError"]> {
  const warn = oncePerMessage((message) => stderr.write(`warning: ${message}\n`));
  return (error, ended) => {
    if (!ended) warn(error);
  };
}

type Followed = Omit<NodeOptions, "header" | "artifacts">;

/** Only the options of following. The type requires each of them, because one left out would be ignored. */
const nodeOptions = ({
  fromBlock,
  all,
  traces,
  interval,
  batch,
  concurrency,
  callBudget,
  servePartial,
  store,
  replace,
}: NodeOptions): { [Name in keyof Followed]-?: Followed[Name] | undefined } => ({
  ...{
    fromBlock,
    all,
    traces,
    interval,
    batch,
    concurrency,
    callBudget,
    servePartial,
    store,
    replace,
  },
});

/** The contracts of projects are verified as they appear. */
function knownFrom(folders: readonly string[]): Pick<FollowOptions, "onHead"> {
  if (folders.length === 0) return {};
  const known = new KnownContracts(folders.map((folder) => buildOutput(resolve(folder))));
  return { onHead: (chain) => known.update(chain) };
}

/** How often the line on a terminal changes, in milliseconds. */
const REFRESH = 200;
/** How often a line is printed elsewhere. */
const LINE = 10_000;
/** When the first one is. */
const FIRST_LINE = 2_000;

/** Shows the progress of a follower until the work is done: a changing line on a terminal, one every 10 s elsewhere. */
export async function showProgress<Value>(
  follower: Follower,
  work: Promise<Value>,
  { stderr }: ProcessIO,
): Promise<Value> {
  const isTerminal = stderr.isTTY === true;
  const show = () => {
    const line = describeStatus(follower.status());
    stderr.write(isTerminal ? `\r\x1b[K${line}` : `${line}\n`);
  };
  const first = setTimeout(show, isTerminal ? REFRESH : FIRST_LINE);
  const timer = setInterval(show, isTerminal ? REFRESH : LINE);
  try {
    return await work;
  } finally {
    clearTimeout(first);
    clearInterval(timer);
    if (isTerminal) stderr.write("\r\x1b[K");
  }
}

/** Resolves when the signal aborts. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
