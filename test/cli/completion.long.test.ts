// Completion scripts, loaded and asked in the shells themselves; a shell that is not installed is skipped.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runCli } from "./run-cli.ts";

const starts = (name: string, words: readonly string[]) => spawnSync(name, words).status === 0;

function hasShell(name: string): boolean {
  const found = starts(name, ["-c", "exit 0"]);
  if (!found)
    console.warn(`*** No ${name}: its completion is SKIPPED. npm run ci:install installs it. ***`);
  return found;
}

/** Lets a shell find the program without a build. */
const main = fileURLToPath(new URL("../../mocks/cli/main.ts", import.meta.url));
const program = {
  bash: `mrc-explorer() { "${process.execPath}" "${main}" "$@"; }`,
  zsh: `mrc-explorer() { "${process.execPath}" "${main}" "$@"; }`,
  fish: `function mrc-explorer; "${process.execPath}" "${main}" $argv; end`,
};

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

/** The words that a shell offers, without their descriptions; sorted. */
async function offers(shell: Shell, ...typed: string[]): Promise<string[]> {
  const { out } = await runCli(["completion", shell], { env: {} });
  // Loaded twice, as by whoever changes a startup file.
  const lines = [before[shell], program[shell], loaded[shell], loaded[shell], ask[shell]];
  const words = ["mrc-explorer", ...typed];
  const flags = { bash: ["--norc"], zsh: ["-f"], fish: ["--no-config"] }[shell];
  const rest = shell === "fish" ? [words.join(" ")] : ["shell", ...words];
  const env = { ...process.env, SCRIPT: out };
  const { stdout, stderr } = spawnSync(shell, [...flags, "-c", lines.join("\n"), ...rest], {
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
  test.skipIf(!hasShell(shell))(`${shell} completes commands, options and values`, async () => {
    expect(await offers(shell, "acc")).toEqual(["accounts"]);
    expect(await offers(shell, "event-logs", "")).toEqual(
      expect.arrayContaining(["list", "watch"]),
    );
    expect(await offers(shell, "accounts", "transactions", "0x12", "--all", "--start")).toEqual([
      "--start-block",
    ]);
    expect(await offers(shell, "blocks", "get", "--format", "")).toEqual([
      ...["csv", "json", "ndjson", "table"],
    ]);
    expect(await offers(shell, "blocks", "get", "1", "--columns", "miner,re")).toEqual([
      "miner,reward",
    ]);
    // The values of an option without choices may be files.
    expect(await offers(shell, "serve", "--chain", "mrc")).toEqual([]);
  });

// No package manager that `npm run ci:install` can use has it; GitHub's machines do.
if (!starts("pwsh", ["-NoProfile", "-Command", "exit 0"]))
  console.warn("*** No PowerShell: its completion is SKIPPED. ***");
else
  test.each([
    ["mrc-explorer acc", ["accounts"]],
    ["mrc-explorer blocks get --format ", ["table", "json", "ndjson", "csv"]],
  ])("PowerShell completes %j", async (line, offered) => {
    const { out } = await runCli(["completion", "powershell"], { env: {} });
    const ask = `(TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`;
    const command = `function mrc-explorer { & '${process.execPath}' '${main}' @args }`;
    const words = ["-NoProfile", "-Command", `${command}\n${out}\n${ask}`];
    const { stdout } = spawnSync("pwsh", words, { encoding: "utf8" });
    expect(stdout.trim().split("\n")).toEqual(offered);
  });

test("another shell is refused", async () => {
  const { code, err } = await runCli(["completion", "tcsh"], { env: {} });
  expect(code).toBe(2);
  expect(err).toContain("Allowed choices are bash, zsh, fish, powershell");
});
