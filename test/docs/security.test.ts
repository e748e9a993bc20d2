// The promises of docs/security.md, docs/service.md and docs/recording.md name tests that exist.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { SLICE } from "../../mocks/builder/reorganisation.ts";
import { MAX_EXCHANGES, MAX_KEPT_BODY } from "../../mocks/journal/exchanges.ts";
import { JOURNAL_ENTRIES, TENANT_ENTRIES } from "../../mocks/journal/request-log.ts";
import { MAX_BODY_BYTES, MAX_BODY_VALUES, MAX_JSON_VALUES } from "../../mocks/message/message.ts";
import { MAX_REQUESTS } from "../../mocks/port/connections.ts";
import { readServeOptions } from "../../mocks/port/options.ts";
import { MAX_BODIES_BYTES } from "../../mocks/port/request.ts";
import { defaultLimits } from "../../mocks/verify/loaded-compiler.ts";
import { packageFile } from "../../scripts/package-file.ts";

const [promises = ""] = packageFile("docs/security.md").read().split("## What is not defended");

/**
 * Rows of tables and items of lists, without the head of a table and the summary of the threat
 * model.
 */
const statements = promises
  .replace(/## Threat model.*?(?=\n## )/s, "")
  .replaceAll(/\n {2}(?=\S)/g, " ")
  .split("\n")
  .filter(
    (line, index, lines) =>
      /^(\||- )/.test(line) && !/^\|[-|]+$/.test(line) && !/^\|[-|]+$/.test(lines[index + 1] ?? ""),
  );

const testsIn = (text: string): string[] =>
  [...text.matchAll(/[`\s]([\w./-]+\.test\.ts)[`,\s]/g)].map(([, path = ""]) => path);

/** The items of the lists of promises in other pages, whose tests are named in comments. */
const otherPromises = ["docs/service.md", "docs/recording.md"].flatMap((page) =>
  packageFile(page)
    .read()
    .replaceAll(/\n {2}(?=\S)/g, " ")
    .split("\n")
    .filter((line) => line.startsWith("- ")),
);

test("every statement names a test", () => {
  expect(statements.length).toBeGreaterThan(35);
  expect(otherPromises.length).toBeGreaterThan(20);
  const unproven = [...statements, ...otherPromises].filter((text) => testsIn(text).length === 0);
  expect(unproven).toEqual([]);
});

test("every test that it names exists", () => {
  const missing = testsIn([promises, ...otherPromises].join("\n")).filter(
    (path) => !existsSync(fileURLToPath(new URL(`../${path}`, import.meta.url))),
  );
  expect(missing).toEqual([]);
});

const MIB = 2 ** 20;
const english = (number: number) => number.toLocaleString("en");
const { host, maxConnections } = readServeOptions({});

test.each([
  ["| connections |", `${maxConnections} (\`--max-connections\`)`],
  ["| connections |", `After ${english(MAX_REQUESTS)} requests`],
  ["another machine |", `with the default \`--host ${host}\``],
  ["a body |", `${MAX_BODY_BYTES / MIB} MiB, 30 s, 64 levels, ${MAX_BODY_VALUES} `],
  ["a body |", `(\`/admin\`: ${english(MAX_JSON_VALUES)})`],
  ["all bodies being read", `${MAX_BODIES_BYTES / MIB} MiB`],
  ["| a journal |", `${english(JOURNAL_ENTRIES)} requests, of a tenant ${english(TENANT_ENTRIES)}`],
  [
    "requests and responses in full",
    `${MAX_EXCHANGES}, up to ${english(MAX_KEPT_BODY)} characters`,
  ],
  ["at a stretch", `${SLICE} transactions`],
  ["compiling a source", `${defaultLimits.timeout / 1000} s of CPU`],
])("of %s it has the number of the code: %s", (row, text) => {
  expect(statements.find((line) => line.includes(row))).toContain(text);
});
