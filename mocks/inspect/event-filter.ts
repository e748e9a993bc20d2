// Filters the logs of an event by its arguments.

import type { Member, Parameter } from "../../src/cli/abi.ts";
import type { Address, Hash, Hex, Log } from "../chain/records.ts";
import { hasIds } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { ServiceError } from "../message/api.ts";
import { proxyOn } from "../operations/contract-on.ts";
import { ArgumentError, indexedTopic, isInData } from "./arguments.ts";
import {
  selectorKey,
  signaturesOf,
  standardsBySelector,
  verifiedBySelector,
} from "./signatures.ts";
import { isTokenAmount } from "./standard-abi.ts";

/** Writes an amount of a token in the smallest unit: "1.5" with 6 decimals is "1500000". */
function smallestUnit(text: string, decimals: number): string {
  const [, whole, fraction = ""] = /^(\d[\d_,]*)(?:\.(\d+))?$/.exec(text.trim()) ?? [];
  // Reading the argument reports any other text.
  if (whole === undefined || fraction.length > decimals) return text;
  return `${BigInt(whole.replaceAll(/[_,]/g, "") + fraction.padEnd(decimals, "0"))}`;
}

/** Finds an event with these arguments, first in the contract's own ABI. */
function eventOf(chain: ChainWriter, address: Address, topic: Hash, names: readonly string[]) {
  const key = selectorKey("event", topic);
  const abis = [address, proxyOn(chain, address)?.target].flatMap(
    (contract) => (contract && chain.verified(contract)?.abi) ?? [],
  );
  const candidates = [signaturesOf(abis), standardsBySelector(), verifiedBySelector(chain)];
  const events = candidates.flatMap((signatures) => signatures.get(key) ?? []);
  return events.find(({ inputs }) => names.every((name) => positionOf(inputs, name) >= 0));
}

/** An argument without a name is named by its position. */
const positionOf = (inputs: readonly Parameter[], name: string): number =>
  inputs.findIndex((input, index) => (input.name || `${index}`) === name);

export interface EventFilter {
  readonly topics: readonly (Hex | undefined)[];
  readonly conditions: readonly ((log: Log) => boolean)[];
}

/** Reads a filter that is written as a query: `from=0x…&value=1.5`. */
export function eventFilter(
  chain: ChainWriter,
  address: Address,
  topic: Hash,
  values: string,
): EventFilter {
  const pairs = [...new URLSearchParams(values)];
  const event = eventOf(
    chain,
    address,
    topic,
    pairs.map(([name]) => name),
  );
  if (event === undefined)
    throw new ServiceError(400, `values: no event ${topic} has values of these names`);
  const filters = pairs.map(([name, text]) => {
    try {
      return valueFilter(chain, address, event, positionOf(event.inputs, name), text);
    } catch (error) {
      if (!(error instanceof ArgumentError)) throw error;
      throw new ServiceError(400, `values.${name}: ${error.message}`);
    }
  });
  const indexed = event.inputs.filter((input) => input.indexed);
  const topics = indexed.map((input) => filters.find((filter) => filter.input === input)?.topic);
  const isDeclared = (log: Log) => log.topics.length === indexed.length + 1;
  return {
    topics: [topic, ...topics],
    conditions: [isDeclared, ...filters.flatMap(({ condition }) => condition ?? [])],
  };
}

function valueFilter(
  chain: ChainWriter,
  address: Address,
  { signature, inputs }: Member,
  index: number,
  text: string,
): {
  readonly input: Parameter | undefined;
  readonly topic?: Hex;
  readonly condition?: (log: Log) => boolean;
} {
  const input = inputs[index];
  if (input === undefined) return { input };
  const token = chain.token(address);
  const isAmount =
    token !== undefined && !hasIds(token.standard) && isTokenAmount(signature, input);
  const units = isAmount ? smallestUnit(text, token.decimals ?? 0) : text;
  if (input.indexed) return { input, topic: indexedTopic(input, units, index) };
  const inData = inputs.filter((other) => !other.indexed);
  // "15" may mean 15 tokens, or 15 of the smallest unit.
  const texts = isAmount && /^\d+$/.test(text) ? [text, units] : [units];
  const tests = texts.map((variant) => isInData(inData, input, variant, index));
  return { input, condition: ({ data }) => tests.some((test) => test(data)) };
}
