// Whatever is sent to the port, it answers in time, in its own words, and goes on: `npm run laws` sends 20,000 requests.
import fc from "fast-check";
import { afterAll, expect, test, vi } from "vitest";
import { createExplorer } from "../../mocks/explorer.ts";
import { serveExplorer } from "../../mocks/port/server.ts";
import { exchange, type RawResponse, responsesIn } from "../support/raw-http.ts";
import { runs } from "../support/runs.ts";
import { buildSampleChain } from "../support/sample-chain.ts";
import { rawRequests } from "./raw-requests.ts";

const { chain } = buildSampleChain();
const explorer = createExplorer({ chain, apiKeys: ["k"], conformance: "warn" });
const served = await serveExplorer(explorer, { admin: true });
const log = vi.spyOn(console, "error").mockReturnValue();
const warnings = vi.spyOn(console, "warn").mockReturnValue();
afterAll(() => served.close({ graceMs: 0 }));

const requestsPerRun = 4;
/** Far more than any of these takes, also where the machine is busy. */
const patienceMs = 300_000;

const inTime = <Value>(promise: Promise<Value>): Promise<Value> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${patienceMs} ms`)), patienceMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

const statuses = new Map<number, number>();

/** Sourcify's API has refusals of its own. */
const isOfSourcify = (value: unknown): boolean =>
  ["customCode", "match", "verificationId"].some((name) => Object.hasOwn(Object(value), name));

function check({ status, headers, body }: RawResponse): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  expect(status).not.toBe(500);
  expect(body).not.toMatch(/\n\s+at |node:|\.ts:/);
  if (status === 204 || status === 100) return;
  expect(headers["content-type"]).toBe("application/json");
  const value: unknown = JSON.parse(body);
  if (status !== 200 && !isOfSourcify(value))
    expect(value).toEqual({ status: `${status}`, message: expect.any(String), results: null });
}

/** Sends bytes, says that there are no more, and checks all that comes back. */
async function send(bytes: Buffer): Promise<void> {
  const received = await inTime(exchange(served.port, bytes, () => false, true));
  const { responses, rest } = responsesIn(received);
  expect(rest).toBe("");
  responses.forEach(check);
}

test("the port responds to whatever is sent, and continues", async () => {
  const requests = fc.array(rawRequests(chain, served.admin.token), {
    minLength: requestsPerRun,
    maxLength: requestsPerRun,
  });
  await fc.assert(
    fc.asyncProperty(requests, fc.boolean(), async (sent, pipelined) => {
      await Promise.all((pipelined ? [Buffer.concat(sent)] : sent).map(send));
      expect(log.mock.calls).toEqual([]);
      expect(warnings.mock.calls).toEqual([]);
      expect((await fetch(`${served.url}/health`)).status).toBe(200);
    }),
    { numRuns: runs(2000 / requestsPerRun) },
  );
  // Requests of all sorts got through, or the test says little; rarer statuses have tests of their own.
  for (const status of [200, 400, 401, 403, 404, 405])
    expect(statuses.get(status) ?? 0, `${status} in ${[...statuses]}`).toBeGreaterThan(0);
});
