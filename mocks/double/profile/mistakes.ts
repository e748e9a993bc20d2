// What explorers answer in ways of their own, in words: mistakes in parameters, and what is not found. A comparison and an imitation use the same.
import { type AnyOperation, checkInput } from "../../../src/contract/index.ts";
import type { Issue } from "../../../src/models/issues.ts";

/** What is no success with records, besides mistakes in parameters: `limit above`. */
export const situations = {
  noKey: "without a key",
  unknownPath: "unknown path",
  slash: "trailing slash",
  otherMethod: "another method",
  getOfPost: "GET of a POST",
  contentType: "content type",
  noJson: "no JSON",
  unknown: "unknown",
  notVerified: "not verified",
  rejected: "rejected source",
  emptyList: "empty list",
  emptyRange: "empty range of blocks",
  beyondEnd: "beyond the end",
} as const;

type Raw = Readonly<Record<string, unknown>>;

/** The operation's parameters as a request has them: those of a query are texts. */
const asSent = ({ places, input }: AnyOperation, raw: Raw): Raw =>
  Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) => {
      if (value === undefined || !Object.hasOwn(input.shape, name)) return [];
      const isText = typeof value === "number" || typeof value === "boolean";
      return [[name, isText && !places.body.includes(name) ? `${value}` : value]];
    }),
  );

function whatIsWrong({ path, received, options = [] }: Issue, whole: unknown): string {
  if (received === undefined) return "missing";
  if (Array.isArray(whole) && path.length === 1) return whole.length === 0 ? "below" : "above";
  if (typeof received !== "string") return "malformed";
  const words = [...options, "true", "false"];
  if (words.includes(received.toLowerCase())) return "in another case";
  if (/^-\d+$/.test(received) || /^0+$/.test(received)) return "below";
  return /^\d+$/.test(received) ? "above" : "malformed";
}

/** A mistake in parameters, and the one it is in. */
export interface Mistake {
  readonly parameter: string;
  /** `limit above` */
  readonly name: string;
}

/** The first mistake in the parameters of a request; undefined without any. */
export function mistakeIn(operation: AnyOperation, given: Raw): Mistake | undefined {
  const raw = asSent(operation, given);
  const named = (parameter: string, what: string) => ({ parameter, name: `${parameter} ${what}` });
  const twice = operation.places.query.find((name) => Array.isArray(raw[name]));
  if (twice !== undefined) return named(twice, "twice");
  const [issue] = checkInput(operation, raw).issues ?? [];
  if (issue) {
    const parameter = `${issue.path[0] ?? "body"}`;
    return named(parameter, whatIsWrong(issue, raw[parameter]));
  }
  const { startBlock, endBlock } = raw;
  if (startBlock === undefined || endBlock === undefined) return undefined;
  return BigInt(`${startBlock}`) > BigInt(`${endBlock}`)
    ? named("startBlock", "above endBlock")
    : undefined;
}
