// `mrc-explorer compilers`: listing compilers, and installing them with the project's package manager.
import { chmodSync, realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../support/project.ts";
import { runCli } from "./run-cli.ts";

const newFolder = () => realpathSync(temporaryFolder("compilers", onTestFinished));

const solc = dirname(createRequire(import.meta.url).resolve("solc-0.8.20/package.json"));

/** A project with a lock file, and package managers that only note their arguments and do what the script says. */
function project(lockFile: string, script: string) {
  const folder = newFolder();
  const programs = newFolder();
  if (lockFile !== "") writeFileSync(join(folder, lockFile), lockFile.endsWith("json") ? "{}" : "");
  writeFileSync(join(folder, "package.json"), "{}");
  for (const name of ["npm", "pnpm", "yarn", "bun"]) {
    writeFileSync(join(programs, name), `#!/bin/sh\necho "ran: ${name} $*"\n${script}\n`);
    chmodSync(join(programs, name), 0o755);
  }
  const env = { PATH: `${programs}${delimiter}${process.env.PATH}` };
  return {
    folder,
    add: (...versions: string[]) =>
      runCli(["compilers", "add", ...versions, "--project", folder], { env }),
  };
}

const installs = `mkdir -p node_modules && ln -s '${solc.replaceAll("'", String.raw`'\''`)}' node_modules/solc-0.8.20`;

describe("compilers", () => {
  test("lists what is at hand, ascending, with its place", async () => {
    const { code, out } = await runCli(["compilers"], { env: {} });
    expect(code).toBe(0);
    const { data: listed } = JSON.parse(out) as { data: { version: string; file: string }[] };
    const versions = listed.map(({ version }) => version);
    expect(versions).toEqual(expect.arrayContaining(["v0.4.24", "v0.8.20", "v0.8.37"]));
    expect(listed.find(({ version }) => version === "v0.8.20")?.file).toMatch(/soljson\.js$/);
  });

  test("lists those of given folders too", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "soljson-v0.8.29+commit.7893614a.js"), "");
    const { code, out } = await runCli(["compilers", "--solc", folder, "--format", "csv"], {
      env: {},
    });
    expect(code).toBe(0);
    expect(out).toContain(`v0.8.29+commit.7893614a,${folder}`);
    expect(await runCli(["compilers", "--solc", newFolder()], { env: {} })).toMatchObject({
      code: 1,
      err: expect.stringContaining("No Solidity compiler in"),
    });
  });
});

describe.skipIf(process.platform === "win32")("compilers add", () => {
  test.each([
    ["", "npm i"],
    ["pnpm-lock.yaml", "pnpm add"],
  ])("in a project with the lock file %j runs %s", async (lockFile, command) => {
    const { folder, add } = project(lockFile, installs);
    const { code, out, err } = await add("0.8.20");
    const [asked, ran, checked] = err.split("\n");
    expect(asked).toBe(`$ ${command} -D -E solc-0.8.20@npm:solc@0.8.20`);
    expect(ran).toBe(`ran: ${command} -D -E solc-0.8.20@npm:solc@0.8.20`);
    expect(checked).toContain("not against the hashes that the Solidity project publishes");
    expect({ code, out }).toEqual({
      code: 0,
      out: `v0.8.20 ${join(folder, "node_modules/solc-0.8.20/soljson.js")}\n`,
    });
  });

  test("takes several versions, in the forms explorers write them", async () => {
    const { add } = project("", installs);
    const { err } = await add("v0.8.20+commit.a1b79de6", "0.8.7");
    expect(err).toContain(
      "$ npm i -D -E solc-0.8.20@npm:solc@0.8.20 solc-0.8.7@npm:solc@0.8.7-fixed\n",
    );
    expect(err).toContain("has no compiler v0.8.7 in node_modules");
  });

  test("installs the others where one cannot be had", async () => {
    const { folder, add } = project(
      "",
      `case "$*" in *0.8.99*) echo 'no 0.8.99' >&2; exit 1;; esac; ${installs}`,
    );
    const { code, out, err } = await add("0.8.99", "0.8.20", "0.4.12");
    expect({ code, out }).toEqual({
      code: 1,
      out: `v0.8.20 ${join(folder, "node_modules/solc-0.8.20/soljson.js")}\n`,
    });
    expect(err).toContain("\n$ npm i -D -E solc-0.8.20@npm:solc@0.8.20\nran:");
    expect(err).toContain("0.4.12: npm does not have it");
    expect(err).toContain("has no compiler v0.8.99 in node_modules");
  });

  test("fails as the package manager does", async () => {
    const { add } = project("", "echo 'no such package' >&2; exit 3");
    expect(await add("0.8.20")).toMatchObject({
      code: 1,
      err: expect.stringMatching(/no such package\n.*npm failed \(exit code 3\)/s),
    });
  });

  test.each([
    ["latest", '"latest" is not a compiler version'],
    ["0.8.20;rm -rf .", "is not a compiler version"],
    ["0.4.12", "0.4.12: npm does not have it"],
    ["0.3.6", "compilers before 0.4.11 have no standard JSON interface"],
  ])("runs nothing for %j", async (version, reason) => {
    const { add } = project("", installs);
    const { code, out, err } = await add(version);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(reason);
    expect(err).not.toContain("ran:");
  });
});
