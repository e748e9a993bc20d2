// Which compilers are found, and how a version is understood.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  readVersion,
  sameVersion,
  writeVersion,
} from "../../mocks/verification/compiler-version.ts";
import { findCompilers } from "../../mocks/verification/find-compilers.ts";
import { createVerifier } from "../../mocks/verification/verifier.ts";
import { compile, onChain, submit } from "./support.ts";

const requireHere = createRequire(import.meta.url);
const soljson = (version: string) => requireHere.resolve(`solc-${version}/soljson.js`);
const releases = (folders?: readonly string[]) =>
  findCompilers(folders).map(({ version }) => version.release);

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "compilers-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe("a version", () => {
  test.each([
    ["0.8.20", "v0.8.20"],
    ["v0.8.20", "v0.8.20"],
    [" v0.8.20+commit.a1b79de6 ", "v0.8.20+commit.a1b79de6"],
    ["0.8.20+commit.a1b79de6.Emscripten.clang", "v0.8.20+commit.a1b79de6"],
    ["0.8.21-nightly.2023.5.1+commit.12345678", "v0.8.21-nightly.2023.5.1+commit.12345678"],
  ])("%j is understood", (text, written) => {
    const version = readVersion(text);
    expect(version && writeVersion(version)).toBe(written);
  });

  test.each([
    "",
    "latest",
    "^0.8.20",
    "0.8",
    "0.8.20 || 0.8.21",
    "0.8.20/../x",
    "0.8.20+commit.xyz",
  ])("%j is none", (text) => expect(readVersion(text)).toBeUndefined());

  test("a nightly build is another compiler than the release", () => {
    const [release, nightly] = [readVersion("0.8.20"), readVersion("0.8.20-nightly.2023.5.1")];
    expect(release && nightly && sameVersion(release, nightly)).toBe(false);
  });
});

describe("installed compilers", () => {
  test("are the installed packages of solc, whatever they are called, ascending", () => {
    expect(releases()).toEqual(
      expect.arrayContaining([
        "0.4.24",
        "0.4.26",
        "0.5.17",
        "0.6.12",
        "0.7.6",
        "0.8.20",
        "0.8.28",
        "0.8.37",
      ]),
    );
    expect(releases()).toEqual(
      releases().toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })),
    );
  });

  test("are published files and packages in a folder of the user's", async () => {
    const folder = temporaryFolder();
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
    // What a file calls itself is not what counts.
    const { message } = await verifier.verify(
      submit({ ...wanted, version: "0.8.29" }),
      onChain(runtime),
    );
    expect(message).toMatch(/^No compiler "0\.8\.29"; available: .*v0\.8\.28/);
    await verifier.close();
  });

  test("a folder without any is an error that names it", () => {
    const folder = temporaryFolder();
    expect(() => createVerifier({ solc: [folder] })).toThrow(`No Solidity compiler in ${folder}`);
    expect(() => createVerifier({ solc: [join(folder, "absent")] })).toThrow("absent");
  });
});
