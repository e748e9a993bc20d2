// Texts for agents: llms.txt lists every page with its description, and the skill names commands
// that exist.
import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { llmsFiles } from "../../scripts/llms.ts";
import { packageFile } from "../../scripts/package-file.ts";
import { runCli } from "../cli/run-cli.ts";

const titleOf = (path: string): string =>
  /^title: (.*)$/m.exec(packageFile(path).read())?.[1] ?? path;

test("llms.txt links every page of the documentation, and llms-full.txt has their text", () => {
  const { "llms.txt": list = "", "llms-full.txt": text = "" } = llmsFiles();
  const pages = globSync("docs/{*,recipes/*}.md").filter((path) => path !== "docs/home.md");
  expect(pages.filter((path) => !list.includes(`[${titleOf(path)}](`))).toEqual([]);
  const firstLines = pages.map((path) => /^# .*$/m.exec(packageFile(path).read())?.[0] ?? path);
  expect(firstLines.filter((line) => !text.includes(line))).toEqual([]);
});

test("every command and flag that the skill names is there", async () => {
  const skill = packageFile("SKILL.md").read();
  const flags = new Set(skill.match(/--[a-z][a-z\d-]+/g));
  flags.delete("--help");
  expect(flags.size).toBeGreaterThan(2);
  const commands = new Set(
    [...skill.matchAll(/npx mrc-explorer ([a-z]+(?: [a-z]+)?)/gi)].map(([, words = ""]) => words),
  );
  expect([...commands]).toContain("mcp");
  const helps = await Promise.all(
    [...commands].map((words) => runCli([...words.split(" "), "--help"], { env: {} })),
  );
  expect(helps.map(({ code }) => code)).toEqual(helps.map(() => 0));
  const texts = helps.map(({ out }) => out).join("\n");
  expect([...flags].filter((flag) => !texts.includes(flag))).toEqual([]);
});
