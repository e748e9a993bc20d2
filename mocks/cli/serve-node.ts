// `mrc-explorer serve --rpc`: the options of following a node, and a progress line on the terminal.
import { resolve } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { append, integerOption } from "../../src/cli/parameters.ts";
import { CLEAR_LINE, type Output, type ProcessIO } from "../../src/cli/process-io.ts";
import { oncePerMessage } from "../../src/errors/base.ts";
import type { Follower, FollowOptions } from "../follow/follow-node.ts";
import { describeStatus } from "../follow/follow-status.ts";
import { KnownContracts } from "./project/known-contracts.ts";
import { buildOutput } from "./project/projects.ts";

const blockNumber = integerOption(0, Number.MAX_SAFE_INTEGER);

const header = (text: string, previous: Readonly<Record<string, string>> = {}) => {
  const cut = text.indexOf("=");
  if (cut > 0) return { ...previous, [text.slice(0, cut)]: text.slice(cut + 1) };
  throw new InvalidArgumentError("expected name=value, such as authorization=Bearer…");
};

/** Options of following a node, by their names in `FollowOptions`. */
const following = {
  fromBlock: new Option(
    "--from-block <n>",
    "with --rpc: the first block to load, or latest (default: the block the node was forked from, or 0)",
  ).argParser((text) => (text === "latest" ? text : blockNumber(text))),
  toBlock: new Option(
    "--to-block <n>",
    "with --rpc: the last block to load (default: the node's head, which is then followed)",
  ).argParser(integerOption(0, Number.MAX_SAFE_INTEGER)),
  traces: new Option(
    "--traces <when>",
    "with --rpc: whether to load internal transactions; none is for a node without tracing",
  ).choices(["auto", "none"]),
  interval: new Option(
    "--interval <ms>",
    "with --rpc: time between polls (default: 1000)",
  ).argParser(integerOption(10, 3_600_000)),
  batch: new Option(
    "--batch <n>",
    "with --rpc: maximum calls in a request (default: 100)",
  ).argParser(integerOption(1, 10_000)),
  concurrency: new Option(
    "--concurrency <n>",
    "with --rpc: concurrent requests (default: 4)",
  ).argParser(integerOption(1, 100)),
  replace: new Option(
    "--replace",
    "with --store and dump: if the folder holds the chain of another node, move that chain to a folder next to the store, and start a new chain",
  ),
} satisfies Partial<Record<keyof FollowOptions, Option>>;

/** Options of serving and storing the chain, by their names in `FollowOptions`. */
const serving = {
  callBudget: new Option(
    "--call-budget <n>",
    "with --rpc: maximum calls for one request to the explorer (default: 2000)",
  ).argParser(integerOption(0, 1_000_000)),
  servePartial: new Option(
    "--serve-partial",
    "with --rpc: answer while blocks are still loading, instead of 503",
  ),
  store: new Option(
    "--store <dir>",
    "with --rpc: keep the chain in this folder, and start from it",
  ),
} satisfies Partial<Record<keyof FollowOptions, Option>>;

const headers = new Option(
  "--header <name=value>",
  "with --rpc: a header for the node (repeatable)",
).argParser(header);

const projects = new Option(
  "--artifacts <dir>",
  "with --rpc: a Hardhat or Foundry project, whose contracts are then verified (repeatable)",
).argParser(append);

/** The options of `dump`, which `serve` has too. */
export const dumpOptions: readonly Option[] = [...Object.values(following), headers];

/** The options of `serve` that need `--rpc`. */
export const nodeOptions: readonly Option[] = [...dumpOptions, projects, ...Object.values(serving)];

type Passed = keyof typeof following | keyof typeof serving;

/** The values of {@link nodeOptions}. */
export interface NodeOptions extends Pick<FollowOptions, Passed> {
  readonly header?: Readonly<Record<string, string>>;
  readonly artifacts?: readonly string[];
}

/** Refuses options that would change nothing without a node to follow. */
export function refuseWithoutNode(options: NodeOptions & { readonly rpc?: string }): void {
  if (options.rpc !== undefined) return;
  const useless = nodeOptions.find((option) => Object.hasOwn(options, option.attributeName()));
  if (useless) throw new InvalidArgumentError(`${useless.long} needs --rpc: the node to follow`);
}

/** Returns the options of a follower. */
export function followOptions(
  options: NodeOptions,
  { stderr }: Pick<ProcessIO, "stderr">,
): FollowOptions {
  const passed = Object.keys({ ...following, ...serving }) as Passed[];
  return {
    ...Object.fromEntries(passed.map((name) => [name, options[name]])),
    ...verifyingCallbacks(options.artifacts ?? []),
    headers: options.header,
    onError: warnUnlessEnded(stderr),
  };
}

/** Warns of failures, except the last one, which is printed as the command's error. */
function warnUnlessEnded(stderr: Output): NonNullable<FollowOptions["onError"]> {
  const warn = oncePerMessage((message) => stderr.write(`warning: ${message}\n`));
  return (error, ended) => {
    if (!ended) warn(error);
  };
}

/** Returns the callbacks that verify the contracts of projects as they appear. */
function verifyingCallbacks(
  folders: readonly string[],
): Pick<FollowOptions, "onHead" | "contractCreatedBy"> {
  if (folders.length === 0) return {};
  const contracts = new KnownContracts(folders.map((folder) => buildOutput(resolve(folder))));
  return {
    onHead: (chain) => contracts.update(chain),
    contractCreatedBy: (input) => contracts.createdBy(input),
  };
}

/** Milliseconds between two changes of the line on a terminal. */
const REFRESH = 200;
/** Milliseconds between two lines in a pipe or file. */
const LINE = 10_000;
/** Milliseconds before the first of these lines. */
const FIRST_LINE = 2_000;

/** Shows a follower's progress: a changing line on a terminal, a new line every 10 s elsewhere. */
export async function showProgress<Value>(
  follower: Follower,
  work: Promise<Value>,
  { stderr }: ProcessIO,
): Promise<Value> {
  const isTerminal = stderr.isTTY === true;
  const show = () => {
    const line = describeStatus(follower.status());
    stderr.write(isTerminal ? `${CLEAR_LINE}${line}` : `${line}\n`);
  };
  const first = setTimeout(show, isTerminal ? REFRESH : FIRST_LINE);
  const timer = setInterval(show, isTerminal ? REFRESH : LINE);
  try {
    return await work;
  } finally {
    clearTimeout(first);
    clearInterval(timer);
    if (isTerminal) stderr.write(CLEAR_LINE);
  }
}
