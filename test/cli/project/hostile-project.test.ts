// Project folders of somebody else: no file outside is read, nothing that is no file, and no source that is not the compiled one.
import { execFileSync } from "node:child_process";
import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { keccakOf } from "../../../mocks/cli/project/build-info.ts";
import { buildOutput, foundryProject, type Project } from "../../../mocks/cli/project/projects.ts";
import { singleFile } from "../../../mocks/cli/project/single-file.ts";
import { temporaryFolder } from "../../support/project.ts";
import { foundryBuild, plainFoundryBuild, projectFolder } from "../sample-project.ts";

const SECRET = "what is nobody's business";

/** A file outside every project. */
function secretFile(): string {
  const path = join(temporaryFolder("secret", onTestFinished), "secret.sol");
  writeFileSync(path, SECRET);
  return path;
}

const COUNTER = "contracts/Counter.sol";
const artifact = "out/Counter.sol/Counter.json";
type Build = Readonly<Record<string, unknown>> & {
  readonly [artifact]?: { readonly rawMetadata: string };
};

/** The build with an artifact that states this file, with the right hash of its text. */
function forged(file: string, text: string): Build {
  const build: Build = plainFoundryBuild();
  const known = build[artifact];
  const metadata = JSON.parse(known?.rawMetadata ?? "");
  metadata.sources = { [file]: { keccak256: keccakOf(text) } };
  metadata.settings.compilationTarget = { [file]: "Counter" };
  return { ...build, [artifact]: { ...known, rawMetadata: JSON.stringify(metadata) } };
}

const contractsOf = (folder: string) => buildOutput(folder).contracts;
const counterOf = (folder: string) => contractsOf(folder).find(({ name }) => name === "Counter");
const secretsIn = (folder: string) =>
  contractsOf(folder).flatMap(({ source, textOf, needs = [], compiled }) =>
    [
      source,
      ...needs.map(textOf),
      ...Array.from(compiled?.files.values() ?? [], (one) => one.text),
    ].filter((text) => text.includes(SECRET)),
  );

describe("a source", () => {
  test("outside the project is not read, whatever its hash", () => {
    const path = secretFile();
    for (const file of [path, `../${path.split("/").slice(-2).join("/")}`]) {
      const folder = projectFolder(forged(file, SECRET));
      expect(counterOf(folder)).toMatchObject({ file, source: "" });
      expect(secretsIn(folder)).toEqual([]);
    }
  });

  test("that is a link to one outside is not read", () => {
    const folder = projectFolder(forged("linked.sol", SECRET));
    symlinkSync(secretFile(), join(folder, "linked.sol"));
    expect(counterOf(folder)).toMatchObject({ file: "linked.sol", source: "" });
  });

  test("inside the project is read through a link", () => {
    const folder = projectFolder({ ...forged("linked.sol", SECRET), "real.sol": SECRET });
    symlinkSync(join(folder, "real.sol"), join(folder, "linked.sol"));
    expect(counterOf(folder)).toMatchObject({ source: SECRET });
  });

  test.each([
    ["an artifact", plainFoundryBuild],
    ["a build-info", foundryBuild],
  ])("with another hash than the metadata of %s has is not used", (_, build) => {
    const other = (text: string) => text.replaceAll("count += 1", "count += 2");
    const files = Object.entries<unknown>(build()).map(([path, content]) => {
      const isChanged =
        path === COUNTER || (typeof content === "string" && path.startsWith("out/"));
      return [path, isChanged ? other(String(content)) : content];
    });
    const folder = projectFolder(Object.fromEntries(files));
    const counter = counterOf(folder);
    expect(counter).toMatchObject({ file: COUNTER, source: "" });
    const names = Array.from(counter?.compiled?.files.values() ?? [], ({ name }) => name);
    expect(names).not.toContain(COUNTER);
  });
});

test.each([
  ["is kept", { storage: [], types: null }, { storage: [], types: null }],
  ["of another form is left out, the contract is not", { slots: 1 }, undefined],
])("a layout of the storage %s", (_, storageLayout, kept) => {
  const files = Object.entries<unknown>(plainFoundryBuild()).map(([path, content]) => [
    path,
    /^out\/.*\.sol\/.*json$/.test(path) ? { ...Object(content), storageLayout } : content,
  ]);
  const counter = counterOf(projectFolder(Object.fromEntries(files)));
  expect(counter?.compiled?.files.size).toBeGreaterThan(0);
  expect(counter?.compiled?.storage).toEqual(kept);
});

describe.skipIf(process.platform === "win32")("what is no file of the project", () => {
  test.each<[string, (path: string) => void, RegExp]>([
    ["a link to a device", (path) => symlinkSync("/dev/zero", path), /is outside the project/],
    ["a pipe", (path) => execFileSync("mkfifo", [path]), /is not a regular file/],
    [
      "a file of more than 50 MB",
      (path) => {
        writeFileSync(path, "");
        truncateSync(path, 50 * 2 ** 20 + 1);
      },
      /has 52428801 bytes; at most 52428800 are read/,
    ],
  ])("is refused by name: %s", (_, make, reason) => {
    const folder = projectFolder(plainFoundryBuild());
    make(join(folder, "out/Counter.sol/More.json"));
    expect(() => contractsOf(folder)).toThrow(new RegExp(`More\\.json: ${reason.source}`));
  });

  test("is not followed: links to folders that contain them", () => {
    const folder = projectFolder(plainFoundryBuild());
    for (const name of ["one", "two"]) symlinkSync(join(folder, "out"), join(folder, "out", name));
    expect(
      contractsOf(folder)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...["Counter", "Player", "Points", "Shop"]]);
  });
});

test("a flattener gets no file outside the project, and no name that is an option", async () => {
  const folder = projectFolder({
    ...foundryBuild(),
    "bin/forge": `#!/bin/sh\necho "ran $*"`,
    "--ffi.sol": "x",
  });
  const project: Project = foundryProject(folder, [join(folder, "bin")]);
  const shop = project.contracts.find(({ name }) => name === "Shop");
  if (shop === undefined) throw new Error("the project has no Shop");
  const flat = (changed: Partial<typeof shop>) =>
    singleFile({ ...shop, ...changed }, project, process.env);
  expect(await flat({})).toMatchObject({ source: "ran flatten -- contracts/Shop.sol\n" });
  expect(await flat({ file: secretFile(), source: SECRET })).toMatchObject({
    reason: expect.stringContaining("is not in the project as it was compiled"),
  });
  expect(await flat({ file: "--ffi.sol", source: "x" })).toMatchObject({
    reason: expect.stringContaining("would mistake its name for an option"),
  });
});
