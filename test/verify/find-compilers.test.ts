// Finds installed compilers, and says how to install a missing one.
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readVersion, writeVersion } from "../../mocks/verify/compiler-version.ts";
import { findCompilers, installedCompilers } from "../../mocks/verify/find-compilers.ts";
import { installAdvice } from "../../mocks/verify/npm-releases.ts";
import { createVerifier } from "../../mocks/verify/verifier.ts";
import { temporaryFolder } from "../support/project.ts";
import { compile, onChain, submit } from "./support.ts";

const requireHere = createRequire(import.meta.url);
const soljson = (version: string) => requireHere.resolve(`solc-${version}/soljson.js`);
const releases = (folders?: readonly string[]) =>
  findCompilers(folders).map(({ version }) => version.release);

describe("installed compilers", () => {
  test("are the installed packages of solc, whatever they are called, ascending", () => {
    expect(releases()).toEqual(
      expect.arrayContaining(["0.4.24", "0.5.17", "0.8.20", "0.8.28", "0.8.37"]),
    );
    expect(releases()).toEqual(
      releases().toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })),
    );
  });

  test("are published files and packages in a folder of the user's", async () => {
    const folder = temporaryFolder("compilers", onTestFinished);
    symlinkSync(soljson("0.8.28"), join(folder, "soljson-v0.8.29+commit.7893614a.js"));
    cpSync(soljson("0.8.20"), join(folder, "soljson-v0.8.20+commit.a1b79de6.js"));
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(dirname(soljson("0.8.37")), join(folder, "node_modules", "solc-new"));

    const own = findCompilers([folder]).filter(({ file }) => file.startsWith(folder));
    expect(own.map(({ version }) => writeVersion(version))).toEqual([
      "v0.8.20+commit.a1b79de6",
      "v0.8.29+commit.7893614a",
      "v0.8.37",
    ]);

    const verifier = createVerifier({ solc: [folder] });
    const wanted = { version: "0.8.20", name: "A", source: "contract A {}" };
    const { runtime } = compile(wanted);
    expect((await verifier.verify(submit(wanted), onChain(runtime))).verified).toBe(true);
    // The compiler's own version counts, not the name of its file.
    const { message } = await verifier.verify(
      submit({ ...wanted, version: "0.8.29" }),
      onChain(runtime),
    );
    expect(message).toMatch(
      /^No compiler "0\.8\.29"; install it with: npm i -D solc-0\.8\.29@npm:solc@0\.8\.29; available: .*v0\.8\.28/,
    );
    await verifier.close();
  });

  test("a folder without any is an error that names it", () => {
    const folder = temporaryFolder("compilers", onTestFinished);
    expect(() => createVerifier({ solc: [folder] })).toThrow(`No Solidity compiler in ${folder}`);
    expect(() => createVerifier({ solc: [join(folder, "absent")] })).toThrow("absent");
  });
});

describe("a missing compiler", () => {
  const advice = (text: string) => {
    const version = readVersion(text);
    return version && installAdvice(version);
  };

  test.each([
    ["0.8.16", "solc-0.8.16@npm:solc@0.8.16"],
    ["v0.4.11+commit.68ef5810", "solc-0.4.11@npm:solc@0.4.11"],
    ["0.7.5", "solc-0.7.5@npm:solc@0.7.5"],
    // The package 0.8.7 holds 0.7.5.
    ["0.8.7", "solc-0.8.7@npm:solc@0.8.7-fixed"],
  ])("%s is installed with a command", (version, name) =>
    expect(advice(version)).toBe(`install it with: npm i -D ${name}`),
  );

  test.each(["0.4.12", "0.8.1", "0.8.22-nightly.2023.10.22+commit.b187d065"])(
    "%s is not on npm",
    (version) =>
      expect(advice(version)).toMatch(/^npm does not have (it|nightly builds): .* --solc DIR$/),
  );

  test("one before 0.4.11 cannot be used", () =>
    expect(advice("0.4.10")).toBe(
      "it is too old: compilers before 0.4.11 have no standard JSON interface",
    ));

  test("is reported with the installed versions, and without a command if the text is no version", () => {
    const compilers = installedCompilers();
    expect(compilers.missing("0.8.16")).toMatch(
      /^No compiler "0\.8\.16"; install it with: npm i -D solc-0\.8\.16@npm:solc@0\.8\.16; available: v0\.4\.24, .*v0\.8\.37$/,
    );
    expect(compilers.missing("latest")).toMatch(
      /^No compiler "latest"; expected a version such as /,
    );
  });

  test("is replaced by a package of the release, whose commit is unknown", () => {
    const build = readVersion("0.8.28+commit.deadbeef");
    const found = build && installedCompilers().find(build);
    expect(found?.version.release).toBe("0.8.28");
  });

  test("is found once it is installed, while the verifier runs", async () => {
    const folder = temporaryFolder("compilers", onTestFinished);
    symlinkSync(dirname(soljson("0.8.37")), join(folder, "solc"));
    const verifier = createVerifier({ solc: [folder] });
    onTestFinished(() => verifier.close());
    const version = "0.8.28-nightly.2024.10.9+commit.7893614a";
    const submission = submit({ version, name: "A", source: "contract A {}" });
    const before = await verifier.verify(submission, onChain("0x00"));
    expect(before.message).toMatch(/^No compiler /);

    symlinkSync(soljson("0.8.28"), join(folder, `soljson-v${version}.js`));
    // It is found and loaded, and reports that it is the release.
    const after = await verifier.verify(submission, onChain("0x00"));
    expect(after.message).toMatch(/available: .*v0\.8\.28\+commit\.7893614a/);

    mkdirSync(join(folder, "half"));
    writeFileSync(
      join(folder, "half", "package.json"),
      JSON.stringify({ name: "solc", version: "0.8.16" }),
    );
    expect(installedCompilers([folder]).missing("0.8.16")).not.toContain("v0.8.16");
  });
});

describe("a package of solc", () => {
  test.each([
    ["0.8.1", "0.8.0"],
    ["0.8.7", "0.7.5"],
    ["0.8.7-fixed", "0.8.7"],
    ["0.8.14-fixed", "0.8.14"],
  ])("%s holds %s", (packaged, held) => {
    const folder = temporaryFolder("compilers", onTestFinished);
    writeFileSync(join(folder, "soljson.js"), "");
    writeFileSync(
      join(folder, "package.json"),
      JSON.stringify({ name: "solc", version: packaged }),
    );
    expect(releases([folder])).toContain(held);
  });
});
