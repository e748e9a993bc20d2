// `mrc-explorer compare` on the command line: what it prints, and how it ends.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import type { ExplorerProfile } from "../../mocks/index.ts";
import { packageFile } from "../../scripts/package-file.ts";
import { hasPython, startForeign } from "./compare/foreign-explorer.ts";
import { KEY, linesOf, serveDemo } from "./serve-demo.ts";

const service = serveDemo();
const folder = mkdtempSync(join(tmpdir(), "compare-"));
afterAll(() => rmSync(folder, { recursive: true }));

const compare = (words = "") => service.cli(`compare --rate-limit 10000 ${words}`.trim());

const docs = packageFile("docs/compare.md").read();

test("prints what docs/compare.md shows, and exits with 0 where nothing differs", async () => {
  const { code, out, err } = await compare("--verify");
  expect([code, err]).toEqual([0, ""]);
  const shown = out.replace(/median .*/, "median 3 ms, 95 % within 16 ms");
  expect(docs).toContain(shown);
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
      "A2: data[].value (specified; the client reads it, R7): expected a non-negative integer in decimal digits, received 5 (asked: limit=1000)",
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

describe("a profile", () => {
  const file = join(folder, "profile.json");
  const cap = () => service.mock.faults.add({ fault: "field", path: "count", value: 7 });

  test("is written, read by --accept, and says what it cannot imitate", async () => {
    cap();
    const { code } = await compare(`--profile ${file}`);
    expect(code).toBe(1);
    const profile: ExplorerProfile = JSON.parse(readFileSync(file, "utf8"));
    expect(profile).toMatchObject({ profile: "mrc-explorer", version: 1 });
    expect(profile.fields?.A2?.count).toEqual(["a number"]);
    expect(profile.lists?.A2).toMatchObject({ order: "newest first", offset: "records" });
    expect(profile.differences.find(({ rule }) => rule === "S3")?.imitated).toBe(false);
    expect(JSON.stringify(profile)).not.toContain(KEY);
    expect((await compare(`--accept ${file}`)).code).toBe(0);
    service.mock.faults.clear();
    const { out } = await compare(`--accept ${file}`);
    expect(linesOf(out)).toContain(
      `${profile.differences.length} of the known differences were not found`,
    );
  });

  test.skipIf(!hasPython)("of an explorer in Python makes serve answer so", async () => {
    const python = await startForeign("range");
    const { out, err } = await compare(`--base-url ${python} --profile ${file}`);
    expect(err).toBe("error: 5 differences\n");
    const line = linesOf(out).find((one) => one.startsWith("A2, "));
    expect(docs).toContain(`\n${line}\n`);
    const { lists }: ExplorerProfile = JSON.parse(readFileSync(file, "utf8"));
    expect(docs).toContain(JSON.stringify(lists?.A2, null, 2));
    const end = new AbortController();
    const served = new Promise<string>((resolve, reject) => {
      const onPrint = (text: string) => {
        const [, url] = /ready at (\S+)\n/.exec(text) ?? [];
        if (url) resolve(url);
      };
      service
        .cli(`serve --port 0 --profile ${file}`, { signal: end.signal, onPrint })
        .then((ended) => reject(new Error(ended.err)));
    });
    const again = await compare(`--base-url ${await served} --accept ${file}`);
    end.abort();
    expect([again.code, again.err]).toEqual([0, ""]);
    expect(linesOf(again.out)).toContain("5 known differences (--accept)");
    expect(again.out).not.toContain("not found");
  });

  test.each([
    [
      '{"profile":"mrc-explorer","version":2,"differences":[]}',
      "version: expected 1, the version this release reads, received 2",
    ],
    [
      '{"profile":"mrc-explorer","version":1,"differences":[],"lists":{"A2":{"order":"new"}}}',
      'lists.A2.order: expected one of newest first, oldest first, unsorted, received "new"',
    ],
    ["hello", "is not JSON; expected what compare --profile wrote"],
  ])("that serve cannot read names file and field: %s", async (text, problem) => {
    const other = join(folder, "other-profile.json");
    writeFileSync(other, text);
    const { code, err } = await service.cli(`serve --profile ${other}`);
    expect(code).toBe(2);
    expect(err).toContain(other);
    expect(err).toContain(problem);
  });
});

test.each([
  [200, "text/html", "<h1>It works</h1>", "JSON"],
  [404, "application/json", '{"message":"Not Found"}', "block 1"],
  [200, "application/json", "{}", "block 1"],
])(
  "an address that is no explorer's is one line after one request: %s, %s %s",
  async (status, type, body, expected) => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests++;
      response.writeHead(status, { "content-type": type }).end(body);
    }).listen(0);
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { code, err } = await service.cli(`compare --base-url http://127.0.0.1:${port}`);
    expect([code, requests]).toEqual([1, 1]);
    expect(err).toBe(
      `error: this is no explorer: GET /v1/blocks/1 returned HTTP ${status}, ${type}; expected ${expected}\n`,
    );
  },
);

test("an address that nobody listens at is a failed connection, without the key", async () => {
  const { code, err } = await service.cli("compare --base-url http://127.0.0.1:9");
  expect(code).toBe(3);
  expect(linesOf(err)).toHaveLength(1);
  expect(err).not.toContain(KEY);
});
