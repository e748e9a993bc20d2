// `mrc-explorer compare` on the command line: what it prints, and how it ends.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageFile } from "../../scripts/package-file.ts";
import { serve } from "../http/server.ts";
import { temporaryFolder } from "../support/project.ts";
import { linesOf, serveDemo } from "./serve-demo.ts";

const service = serveDemo();
const folder = temporaryFolder("compare");

const compare = (words = "") => service.cli(`compare --rate-limit 10000 ${words}`.trim());

const docs = packageFile("docs/compare.md").read();

test("prints what docs/compare.md shows, and exits with 0 where nothing differs", async () => {
  const { code, out, err } = await compare();
  expect([code, err]).toEqual([0, ""]);
  expect(docs).toContain(out);
});

describe("an explorer that differs", () => {
  const lag = () =>
    service.mock.faults.add({
      operation: "A2",
      fault: "field",
      path: "data.0.value",
      value: 5,
    });

  test("is a failure that names the field, once for all operations", async () => {
    lag();
    const { code, out, err } = await compare();
    expect([code, err]).toEqual([1, "error: 1 difference\n"]);
    expect(linesOf(out).filter((line) => line.startsWith("A2: "))).toEqual([
      expect.stringMatching(
        /^A2: data\[\]\.value \(the client reads it, R7\): expected a non-negative integer in decimal digits, received 5 \(GET \S+\)$/,
      ),
    ]);
  });

  test("is none with --accept, which reads what --json prints; another difference is", async () => {
    lag();
    const { out } = await compare("--json");
    const file = join(folder, "differences.json");
    writeFileSync(file, out);
    const known = await compare(`--accept ${file}`);
    expect([known.code, linesOf(known.out).includes("1 known differences (--accept)")]).toEqual([
      0,
      true,
    ]);
    service.mock.faults.add({
      operation: "T1",
      fault: "field",
      path: "data.total_supply",
      value: 5,
    });
    const fresh = await compare(`--accept ${file}`);
    expect([fresh.code, fresh.err]).toEqual([1, "error: 1 new difference\n"]);
  });
});

test("a file that --accept cannot read is named before anything is asked", async () => {
  const file = join(folder, "other.json");
  writeFileSync(file, "{}");
  const { code, err } = await compare(`--accept ${file}`);
  expect([code, service.mock.journal.entries.length]).toEqual([2, 0]);
  expect(err).toContain(`${file}: differences: expected an array`);
});

test.each([
  [200, "text/html", "<h1>It works</h1>", "JSON"],
  [404, "application/json", '{"message":"Not Found"}', "block 1"],
  [200, "application/json", "{}", "block 1"],
])(
  "an address that is no explorer's is one line after one request: %s, %s %s",
  async (status, type, body, expected) => {
    const { url, asked } = await serve((_, response) =>
      response.writeHead(status, { "content-type": type }).end(body),
    );
    const { code, err } = await service.cli(`compare --base-url ${url}`);
    expect([code, asked.length]).toEqual([1, 1]);
    expect(err).toBe(
      `error: this is no explorer: GET /v1/blocks/1 returned HTTP ${status}, ${type}; expected ${expected}\n`,
    );
  },
);

test("a body that never ends is a failed connection after --timeout", async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).write("{");
  });
  const { code, err } = await service.cli(`compare --base-url ${url} --timeout 0.05`);
  expect(code).toBe(3);
  expect(err).toContain(
    `error: Connection failed: no whole response within 50 ms (GET ${url}/v1/blocks/1)\n`,
  );
});
