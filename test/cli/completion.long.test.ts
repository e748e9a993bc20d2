// Completion scripts, loaded and asked in the shells themselves; a shell that is not installed is skipped.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { runCli } from "./run-cli.ts";

const starts = (name: string, words: readonly string[]) => spawnSync(name, words).status === 0;

function hasShell(name: string): boolean {
  const found = starts(name, ["-c", "exit 0"]);
  if (!found)
    console.warn(`*** No ${name}: its completion is SKIPPED. npm run ci:install installs it. ***`);
  return found;
}

/** Prints what a shell offers for the words in `"$@"`, the last of which is being typed; one a line. */
const ask = {
  bash: `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mrc_explorer; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // `_describe` and `compdef` are those of zsh's completion system, which only runs in a terminal.
  zsh: `words=("$@"); CURRENT=$#; _mrc_explorer`,
  fish: `complete -C "$argv"`,
};
const before = {
  bash: "",
  zsh: `compdef() {}; _files() { print files }; _describe() { print -rl -- "\${(P@)2}" }`,
  fish: "",
};
const loaded = { bash: 'eval "$SCRIPT"', zsh: 'eval "$SCRIPT"', fish: "echo $SCRIPT | source" };

type Shell = keyof typeof ask;

/** The scripts, each printed once. */
const scripts: { [Name in Shell]?: ReturnType<typeof runCli> } = {};

/** The words that a shell offers, without their descriptions; sorted. */
async function offers(shell: Shell, ...typed: string[]): Promise<string[]> {
  scripts[shell] ??= runCli(["completion", shell], { env: {} });
  const { out } = await scripts[shell];
  // Loaded twice, as by whoever changes a startup file.
  const program = [before[shell], loaded[shell], loaded[shell], ask[shell]].join("\n");
  const words = ["mrc-explorer", ...typed];
  const flags = { bash: ["--norc"], zsh: ["-f"], fish: ["--no-config"] }[shell];
  const rest = shell === "fish" ? [words.join(" ")] : ["shell", ...words];
  const env = { ...process.env, SCRIPT: out };
  const { stdout, stderr } = spawnSync(shell, [...flags, "-c", program, ...rest], {
    env,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  const [current = ""] = typed.slice(-1);
  return stdout
    .split("\n")
    .map((line) => line.split(/[\t:]/)[0] ?? "")
    .filter((word) => word !== "" && word.startsWith(current))
    .sort();
}

for (const shell of ["bash", "zsh", "fish"] as const)
  test.skipIf(!hasShell(shell))(
    `${shell} completes commands, options and their words`,
    async () => {
      expect(await offers(shell, "acc")).toEqual(["accounts"]);
      expect(await offers(shell, "accounts", "mrc20")).toEqual(["mrc20Tokens", "mrc20Transfers"]);
      expect(await offers(shell, "event-logs", "")).toEqual(
        expect.arrayContaining(["list", "watch"]),
      );
      expect(await offers(shell, "accounts", "transactions", "--pre")).toEqual(["--prefetch"]);
      expect(await offers(shell, "accounts", "transactions", "0x12", "--all", "--start")).toEqual([
        "--start-block",
      ]);
      expect(await offers(shell, "blocks", "get", "--format", "")).toEqual([
        ...["csv", "json", "ndjson", "table"],
      ]);
      expect(await offers(shell, "accounts", "watch", "--format", "")).not.toContain("json");
      expect(await offers(shell, "completion", "")).toEqual(
        expect.arrayContaining(["bash", "fish", "zsh"]),
      );
      // fish decides by itself whether a value may begin with dashes.
      if (shell !== "fish")
        expect(await offers(shell, "accounts", "tokens", "--base-url", "--")).toEqual([]);
    },
  );

/** The hashtable that a variable of the PowerShell script holds, by its keys. */
const tableOf = (script: string, name: string): string[] => {
  const [, text = ""] = new RegExp(`^ {2}\\$${name} = @\\{ (.*) \\}$`, "m").exec(script) ?? [];
  return [...text.matchAll(/(?:^|; )'([^']*)' = /g)].map(([, key = ""]) => key);
};

test("the script for PowerShell knows every command, option and word", async () => {
  const { out } = await runCli(["completion", "powershell"], { env: {} });
  // Nothing but whole strings and pairs of brackets: PowerShell loads no part of a script.
  const code = out.replaceAll(/^#.*$/gm, "").replaceAll(/'[^'\n]*'|"[^"\n]*"/g, "''");
  expect(code).not.toMatch(/["\u2018-\u201f]/);
  for (const [open, close] of ["()", "{}", "[]"])
    expect(code.split(open ?? "").length).toBe(code.split(close ?? "").length);
  const [places, entries, choices] = ["places", "entries", "choices"].map((name) =>
    tableOf(out, name),
  );
  expect(places).toEqual(expect.arrayContaining(["/accounts", "/event-logs", "/eventLogs/watch"]));
  expect(entries).toEqual(expect.arrayContaining(["", "/blocks/get", "/serve"]));
  expect(choices).toContain("/blocks/get --format");
  // Keys of a hashtable are compared without their case.
  for (const keys of [places, entries, choices])
    expect(new Set(keys?.map((key) => key.toLowerCase())).size).toBe(keys?.length);
});

// No package manager that `npm run ci:install` can use has it; GitHub's machines do.
if (!starts("pwsh", ["-NoProfile", "-Command", "exit 0"]))
  console.warn(
    "*** No PowerShell: it is NOT asked for its completion, only the script is read. ***",
  );
else
  test.each([
    ["mrc-explorer acc", ["accounts"]],
    ["mrc-explorer blocks get --format ", ["table", "json", "ndjson", "csv"]],
  ])("PowerShell completes %j", async (line, offered) => {
    const { out } = await runCli(["completion", "powershell"], { env: {} });
    const ask = `(TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`;
    const words = ["-NoProfile", "-Command", `${out}\n${ask}`];
    const { stdout } = spawnSync("pwsh", words, { encoding: "utf8" });
    expect(stdout.trim().split("\n")).toEqual(offered);
  });

test("another shell is refused", async () => {
  const { code, err } = await runCli(["completion", "tcsh"], { env: {} });
  expect(code).toBe(2);
  expect(err).toContain("Allowed choices are bash, zsh, fish, powershell");
});
