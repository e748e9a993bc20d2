// `npm run ci:version`, as the release workflow runs it: a new version, a changelog, and no
// changeset left.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const files = [
  "package.json",
  "package-lock.json",
  ".npmrc",
  ".changeset",
  "scripts/complete-lock.mjs",
  "scripts/tool.mjs",
];

const folder = mkdtempSync(join(tmpdir(), "mrc-explorer-release-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readText = (name: string) => readFileSync(join(folder, name), "utf8");
const versionIn = (name: string) =>
  (JSON.parse(readText(name)) as { readonly version: string }).version;
const changesets = () =>
  readdirSync(join(folder, ".changeset")).filter((name) => name.endsWith(".md"));

let before = "";
beforeAll(() => {
  for (const name of files) cpSync(join(root, name), join(folder, name), { recursive: true });
  // The first run installs the tools.
  for (const name of ["node_modules", "scripts/tools"])
    symlinkSync(join(root, name), join(folder, name));
  before = versionIn("package.json");
  // Right after a release there is none.
  if (changesets().length === 0)
    writeFileSync(join(folder, ".changeset/new.md"), '---\n"mrc-explorer": minor\n---\n\nNew.\n');
  const git = (...words: string[]) => execFileSync("git", words, { cwd: folder, stdio: "ignore" });
  mkdirSync(join(folder, ".git"), { recursive: true });
  git("init", "--initial-branch=main");
  git("add", ...files);
  git("-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "-m", "Begin");
  // The lock file has every version already.
  const env = { ...process.env, npm_config_prefer_offline: "true" };
  execFileSync("npm", ["run", "ci:version"], { cwd: folder, env, encoding: "utf8" });
});

test("makes the next version, of the package and of its lock file", () => {
  const version = versionIn("package.json");
  if (before === "0.0.0") expect(version).toBe("0.1.0");
  expect(version).not.toBe(before);
  expect(versionIn("package-lock.json")).toBe(version);
});

test("writes a changelog that begins with that version, and uses up the changesets", () => {
  const changelog = readText("CHANGELOG.md");
  expect(changelog.startsWith(`# mrc-explorer\n\n## ${versionIn("package.json")}\n`)).toBe(true);
  if (before === "0.0.0") expect(changelog).toContain("The first release");
  expect(changesets()).toEqual([]);
});

test("says what is new in at most 25 lines, none of them a paragraph", () => {
  const [, notes = ""] = readText("CHANGELOG.md").split(/^## .*$/m);
  const lines = notes.split("\n").filter((line) => line.trim() !== "");
  expect(lines.length).toBeLessThanOrEqual(25);
  expect(lines.filter((line) => line.length > 180)).toEqual([]);
});
