// A page of 1000 full transactions, and what is measured on it; run by itself it prints the figures of its own process.

import * as z from "zod/mini";
import { generateChain } from "../../mocks/double/sources/generator.ts";
import { createExplorer } from "../../mocks/index.ts";
import { operations } from "../../src/index.ts";
import { parseJson } from "../../src/models/json.ts";
import { median } from "./median.ts";

/** The text of an answer with 1000 full transactions. */
export async function pageText(): Promise<string> {
  const chain = generateChain({ transactions: 10_000, blocks: 300, accounts: 60, tokens: 2 });
  const mock = createExplorer({ chain });
  const busiest = chain.blockInput(0)?.credits?.[0]?.[0];
  const response = await mock.fetch(
    `${mock.baseUrl}/v1/accounts/${busiest}/transactions?limit=1000`,
    { headers: { "api-key": "bench" } },
  );
  const text = await response.text();
  if (JSON.parse(text).results.data.length !== 1000) throw new Error("not a full page");
  return text;
}

/** What the client does with an answer: parses it, looks for what is hostile in it, checks and decodes every field. */
export function decodePage(text: string): number {
  const { results } = parseJson(text) as { results: unknown };
  const { data } = z.decode(operations.A2.results, results as never);
  return data.length;
}

/** Processor time of both in milliseconds, the median of interleaved runs: other load takes from both alike. */
export function measure(text: string, runs = 60): { parse: number; decode: number } {
  const spent = (work: () => unknown): number => {
    const repeat = 5;
    const before = process.cpuUsage();
    for (let count = 0; count < repeat; count++) work();
    return process.cpuUsage(before).user / 1000 / repeat;
  };
  const parse: number[] = [];
  const decode: number[] = [];
  for (let run = 0; run < runs; run++) {
    parse.push(spent(() => JSON.parse(text)));
    decode.push(spent(() => decodePage(text)));
  }
  return { parse: median(parse), decode: median(decode) };
}

if (import.meta.main) console.log(JSON.stringify(measure(await pageText())));
