// Computes the topics of events, which select event logs (L1). Loaded when a caller first passes
// the signature of an event.
import { ParameterError } from "../errors/parameter.ts";
import { textKeccak } from "../models/keccak.ts";
import type { Hash } from "../models/primitives.ts";

/** Matches the type of a parameter, and the name that may follow it. */
const TYPE =
  /\b(address|bool|string|function|bytes(?:[12]\d|3[0-2]|[1-9])?|u?int(?:\d+)?)((?:\[\d*\])*)(?: [\w$ ]+)?(?=[,)])/g;
/** Matches a tuple whose types were replaced by T. */
const TUPLE = /\((?:T(?:,T)*)?\)(?:\[\d*\])*(?=[,)]|$)/g;

/** Returns the canonical signature of an event; undefined if a type is unknown. */
function canonicalEvent(event: string): string | undefined {
  const text = event
    .replace(/^event /, "")
    .replace(/;$/, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([(,]) ?/g, "$1")
    .replaceAll(" )", ")");
  const canonical = text
    .replaceAll(TYPE, (_, type: string, lists: string) => type.replace(/int$/, "int256") + lists)
    .replaceAll(/(\)(?:\[\d*\])*) [\w$ ]+(?=[,)])/g, "$1");
  const [, types = ""] = /^[a-z_$][\w$]*(\(.*\))$/is.exec(canonical) ?? [];
  let reduced = types.replaceAll(TYPE, "T");
  for (let previous = ""; previous !== reduced; ) {
    previous = reduced;
    reduced = reduced.replaceAll(TUPLE, "T");
  }
  return reduced === "T" ? canonical : undefined;
}

/**
 * Returns the topic of an event: the hash of its name and the types of its parameters. Ignores the
 * names of parameters, and `indexed`.
 *
 * @throws `ParameterError` if the text is not an event
 * @example
 * const topic_0 = eventTopic("Transfer(address,address,uint256)");
 * const { count } = await explorer.eventLogs.list({ address: token, topic_0, limit: 1 });
 */
export function eventTopic(event: string): Hash {
  const canonical = typeof event === "string" ? canonicalEvent(event.trim()) : undefined;
  if (canonical !== undefined) return textKeccak(canonical);
  const expected = 'an event with the types of its parameters: "Transfer(address,address,uint256)"';
  throw new ParameterError("Invalid event", [{ path: ["event"], expected, received: event }]);
}
