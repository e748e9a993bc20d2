// Answers a request to `/inspect`: finds the view, checks the parameters, and reads the chain at one moment.
import { abortable } from "../../src/http/abort.ts";
import { type HeadRead, HeadStateUnavailable, type LiveChain } from "../chain/live-chain.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { ServiceError } from "../operations/handler.ts";
import { didYouMean } from "../suggest.ts";
import { readQuery } from "../transports/query.ts";
import * as details from "./details.ts";
import { head } from "./head.ts";
import { headReads } from "./head-reads.ts";
import * as lists from "./lists.ts";
import { type ParametersOf, parameters } from "./parameters.ts";
import { type AnswerWireOf, type ViewName, views } from "./views.ts";

/** A chain to look at. */
export interface Inspected {
  readonly chain: ChainWriter;
  readonly live: LiveChain | undefined;
}

/** The views of a chain; `access` is of the port, and needs no api-key. */
type ChainView = Exclude<ViewName, "access">;

/** Every answer is made without a pause, so that it is of one state, whatever happens to the chain between two of them. */
type Answers = {
  readonly [Name in ChainView]: (
    chain: ChainWriter,
    parameters: ParametersOf<Name>,
    live: LiveChain | undefined,
  ) => AnswerWireOf<Name>;
};

const answers: Answers = {
  head: (chain, _, live) => head(chain, live),
  overview: lists.overview,
  search: lists.found,
  names: lists.names,
  blocks: lists.blocks,
  transactions: lists.transactions,
  accounts: lists.accounts,
  tokens: lists.tokens,
  contracts: lists.contracts,
  block: details.block,
  transaction: details.transaction,
  account: details.account,
  balances: details.balances,
  token: details.token,
  transfers: details.transfers,
};

const names = Object.keys(views) as readonly ViewName[];

/** A view that a path names, and the parameters in it. */
export interface FoundView {
  readonly name: ViewName;
  readonly inPath: Readonly<Record<string, string>>;
}

/** Invalid encoding stays as it is, and is refused later. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function match(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const [expected, segments] = [template.split("/"), path.split("/")];
  if (expected.length !== segments.length) return undefined;
  const inPath: Record<string, string> = {};
  for (const [index, word] of expected.entries()) {
    const segment = segments[index] ?? "";
    if (word.startsWith("{")) inPath[word.slice(1, -1)] = decoded(segment);
    else if (word !== segment) return undefined;
  }
  return inPath;
}

/** The view of a path. Throws a {@link ServiceError} 404. */
export function findView(path: string): FoundView {
  for (const name of names) {
    const inPath = match(views[name].path, path);
    if (inPath !== undefined) return { name, inPath };
  }
  const paths = names.map((name) => views[name].path);
  const near = didYouMean(path.slice(0, 64), paths);
  throw new ServiceError(404, `no view at ${path.slice(0, 200)}${near}`);
}

/** What a view says. */
export interface Inspection<Name extends ChainView> {
  readonly results: AnswerWireOf<Name>;
  /** Whether some of it is only what blocks and earlier answers imply. */
  readonly incomplete: boolean;
}

/** How long people wait for a node, in milliseconds: then they see what is known. */
const PATIENCE = 2000;

/** The table and a view share the name, which types cannot express. */
const readsOf = headReads as {
  readonly [Name in ChainView]?: (chain: ChainWriter, given: never) => Iterable<HeadRead>;
};

/** The results of a view. Throws a {@link ServiceError} for what is invalid, missing, or not ready. */
export async function inspect<Name extends ChainView>(
  { chain, live }: Inspected,
  name: Name,
  inPath: FoundView["inPath"],
  query: string,
): Promise<Inspection<Name>> {
  const given = readQuery(parameters[name], query, inPath) as ParametersOf<Name>;
  const unavailable = name === "head" ? undefined : live?.unavailable();
  if (unavailable) throw new ServiceError(503, unavailable, null, { "retry-after": "1" });
  const reads = readsOf[name];
  const question = reads && live?.question(() => reads(chain, given as never));
  const patience = AbortSignal.timeout(PATIENCE);
  let isSilent = live?.status().state === "failing";
  const ask = () => (isSilent ? undefined : question?.fetch());
  for (let wait = ask(); wait; wait = ask())
    await abortable(wait, patience).catch((error: unknown) => {
      if (!(error instanceof HeadStateUnavailable || patience.aborted)) throw error;
      isSilent = true;
    });
  // Nothing may run between the last look and the answer: it is of one head.
  const results = answers[name](chain, given, live);
  return { results, incomplete: question !== undefined && (isSilent || question.incomplete) };
}
