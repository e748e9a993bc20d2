// How each operation ends on the command line: one exit code for each way, the same for all.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createExplorer } from "../../mocks/index.ts";
import { loadDemo } from "../../mocks/node.ts";
import { type Ending, exitCodes } from "../../src/cli/exit-codes.ts";
import { operationsInOrder } from "../../src/contract/descriptions.ts";
import { type OperationId, operations } from "../../src/contract/index.ts";
import { json, nobody, refusal, serve, success } from "../http/server.ts";
import { temporaryFolder } from "../support/project.ts";
import { askable, knownIn } from "../support/requests.ts";
import { runCli } from "./run-cli.ts";

const folder = temporaryFolder("exit");
const source = join(folder, "Token.sol");
writeFileSync(source, "contract Token {}");

const chain = await loadDemo({ verified: true });
const mock = createExplorer({ chain });
const raw = askable(knownIn(chain));

/** The words of a command with the parameters it needs. */
function wordsOf(id: OperationId): string[] {
  const { resource, action, places } = operations[id];
  const given = Object.entries({ ...raw[id], ...(id === "C3" && { contract_source: source }) });
  return [
    ...[resource, action],
    ...given.flatMap(([name, value]) =>
      places.body.includes(name) && !Array.isArray(value)
        ? [`--${name}`, String(value)]
        : [value].flat().map(String),
    ),
  ];
}

type Answer = Parameters<typeof serve>[0];

/** The endings of all operations against one service. */
async function endings(url: string, signal?: AbortSignal): Promise<Record<string, number>> {
  const env = { EXPLORER_BASE_URL: url, EXPLORER_API_KEY: "any" };
  const codes = operationsInOrder.map(async ({ id }) => {
    const { code } = await runCli(wordsOf(id as OperationId), { env, signal });
    return [id, code] as const;
  });
  return Object.fromEntries(await Promise.all(codes));
}

const allEnd = (ending: Ending) =>
  Object.fromEntries(operationsInOrder.map(({ id }) => [id, exitCodes[ending].code]));

/** Answers as the demo chain's explorer does, and verifies whatever is submitted. */
const succeeding: Answer = async ({ method, url, headers, body }, response) => {
  if (url.endsWith("/verify")) return json(response, success({ data: " 1\n" }));
  const request = { method, headers: { "api-key": "any", ...JSON.parse(JSON.stringify(headers)) } };
  const answer = await mock.fetch(`${mock.baseUrl}${url}`, body ? { ...request, body } : request);
  json(response, await answer.text(), answer.status);
};

const services: [string, Ending, Answer][] = [
  ["answers", "success", succeeding],
  ["refuses", "failed", (_, response) => json(response, refusal(404, "nothing"), 404)],
  ["refuses the key", "failed", (_, response) => json(response, refusal(401, "who"), 401)],
  ["answers nonsense", "failed", (_, response) => json(response, success({ data: "0" }))],
];

describe("every operation", () => {
  test.each(services)("against a service that %s: %s", async (_, ending, answer) => {
    expect(await endings((await serve(answer)).url)).toEqual(allEnd(ending));
  });

  test("where nobody answers", async () => {
    expect(await endings((await nobody()).url)).toEqual(allEnd("unreachable"));
  });

  test("interrupted", async () => {
    const { url, asked } = await serve(() => {});
    const stop = new AbortController();
    const ended = endings(url, stop.signal);
    await expect.poll(() => asked.length).toBe(operationsInOrder.length);
    stop.abort();
    expect(await ended).toEqual(allEnd("interrupted"));
  });

  test("without what it needs", async () => {
    for (const { resource, action, name } of operationsInOrder) {
      const { code } = await runCli([resource, action], { env: {} });
      expect([name, code]).toEqual([name, exitCodes.usage.code]);
    }
  });
});

test("balances end as those of them that failed", async () => {
  const { url } = await serve((asked, response, count) =>
    count > 1
      ? response.destroy()
      : json(
          response,
          success({
            data: JSON.parse(asked.body).addresses.map((address: string) => ({
              address,
              balance: "1",
            })),
          }),
        ),
  );
  const addresses = Array.from({ length: 21 }, (_, index) => `0x${`${index}`.padStart(40, "0")}`);
  const env = { EXPLORER_BASE_URL: url, EXPLORER_API_KEY: "any" };
  const one = await runCli(["accounts", "balance", ...addresses], { env });
  expect(one.code).toBe(exitCodes.unreachable.code);
});

test("help and docs list the codes", async () => {
  const { out } = await runCli(["--help"], { env: {} });
  const docs = readFileSync(new URL("../../docs/cli.md", import.meta.url), "utf8");
  for (const { code, meaning } of Object.values(exitCodes)) {
    expect(out).toContain(`${code}  ${meaning}`);
    expect(docs).toContain(`| ${code} | ${meaning} |`);
  }
});
