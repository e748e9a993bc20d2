// Records drawn requests to a served explorer through a proxy, and replays them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect } from "vitest";
import {
  createExplorer,
  createProxy,
  createReplay,
  loadDemo,
  serveExplorer,
} from "../../../mocks/node.ts";
import { type Heard, heard, requestsAbout } from "../../support/generated.ts";
import type { Sent } from "../../support/requests.ts";
import { seed } from "../../support/runs.ts";

const parents: string[] = [];
afterAll(() => {
  for (const parent of parents) rmSync(parent, { recursive: true, force: true });
});

/** A folder for a recording, removed after the file's tests. */
export function newFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), "recording-"));
  parents.push(parent);
  return join(parent, "calls");
}

const ask = (
  fetch: typeof globalThis.fetch,
  base: string,
  { method, target, headers, body }: Sent,
) => heard(() => fetch(`${base}${target}`, { method, headers, ...(body && { body }) }));

/** The parts of an answer that are the explorer's, not the connection's. */
const bytesOf = (one: Heard) => JSON.stringify(one);

/** That drawn requests, recorded and replayed without the explorer, are answered byte for byte as it answered. */
export async function expectSameBytes(count: number): Promise<void> {
  const chain = await loadDemo({ verified: true });
  const real = createExplorer({ chain });
  const served = await serveExplorer(real);
  const folder = newFolder();
  const proxy = createProxy(served.url, { record: folder });
  const drawn = fc.sample(requestsAbout(chain).requests, { numRuns: count, seed });
  const expected: string[] = [];
  for (const sent of drawn) {
    const recorded = bytesOf(await ask(proxy.fetch, proxy.baseUrl, sent));
    // What the real one says by itself.
    expect(recorded).toBe(bytesOf(await ask(real.fetch, real.baseUrl, sent)));
    expected.push(recorded);
  }
  await served.close();
  const replay = createReplay(folder);
  for (const [index, sent] of drawn.entries()) {
    const replayed = await ask(replay.fetch, replay.baseUrl, sent);
    if (bytesOf(replayed) !== expected[index])
      expect([sent, replayed]).toEqual([sent, expected[index]]);
  }
}
