// The forms in which code may have been compiled, by its beginning and its end.
import { describe, expect, test } from "vitest";
import { formsOf, placesOf } from "../../mocks/verify/code-form.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);
const hex = (digits: string) => Uint8Array.from(Buffer.from(digits, "hex"));
const version = (release: string) => ({ release, preview: null, commit: null });
const forms = (digits: string, release: string, viaIR?: boolean) =>
  formsOf(hex(digits), version(release), viaIR);

test("every place of a part is found, also where places overlap and at both ends", () => {
  expect(placesOf(bytes(1, 1), bytes(1, 1, 1, 2, 1, 1))).toEqual([0, 1, 4]);
  expect(placesOf(bytes(1, 2), bytes(1, 2))).toEqual([0]);
  expect(placesOf(bytes(1, 2), bytes(1))).toEqual([]);
  expect(placesOf(bytes(1, 2), bytes(3, 1, 3, 2, 1))).toEqual([]);
});

describe("the metadata", () => {
  const none = "6001600255";
  const withHash = `a265627a7a72315820${"11".repeat(32)}64736f6c63430008140032`;
  const ipfs = `a2646970667358221220${"11".repeat(32)}64736f6c63430008140033`;
  const hashless = "a164736f6c6343000814000a";

  test.each([
    [none, "0.8.18", { appendCBOR: false }],
    // Before 0.8.18, no setting leaves out the metadata.
    [none, "0.8.17", {}],
    [hashless, "0.6.0", { bytecodeHash: "none" }],
    [hashless, "0.5.17", {}],
    [withHash, "0.6.0", { bytecodeHash: "bzzr1" }],
    [withHash, "0.5.17", {}],
    [ipfs, "0.8.20", {}],
  ])("%s of %s is written with %j", (digits, release, metadata) => {
    for (const form of forms(digits, release)) expect(form.metadata).toEqual(metadata);
  });
});

describe("the pipeline", () => {
  const pipelines = (...given: Parameters<typeof forms>) => forms(...given).map((it) => it.viaIR);
  const older = "6080604052348015600f57";
  const silent = "6080604052361015";
  const unknown = "608060405260";

  test("is the older one before 0.8.2, whatever is submitted", () => {
    expect(pipelines(unknown, "0.8.1", true)).toEqual([false]);
    expect(pipelines(unknown, "0.8.2", true)).toEqual([true, false]);
  });

  test("is the older one if the code refuses value for all functions, or takes the selector after a jump", () => {
    for (const start of [older, "6080575f3560e01c80", "60805760003560e01c80"])
      expect(pipelines(start, "0.8.28", true)).toEqual([false]);
  });

  test("is the submitted one first if the code leaves both open", () => {
    expect(pipelines(unknown, "0.8.28", true)).toEqual([true, false]);
    expect(pipelines(unknown, "0.8.28", false)).toEqual([false, true]);
    expect(pipelines(unknown, "0.8.28")).toEqual([false, true]);
    for (const dispatcher of [silent, "60043610600f57", "6004361061000f57"])
      expect(pipelines(dispatcher, "0.8.28")).toEqual([true, false]);
    expect(pipelines(silent, "0.8.28", false)).toEqual([false, true]);
  });

  test("shows in the first 48 bytes alone", () => {
    const preceded = (count: number, digits: string) => `${"00".repeat(count)}${digits}`;
    expect(pipelines(preceded(45, "348015"), "0.8.28")).toEqual([false]);
    expect(pipelines(preceded(46, "348015"), "0.8.28")).toEqual([false, true]);
    expect(pipelines(preceded(45, "361015"), "0.8.28")).toEqual([true, false]);
    expect(pipelines(preceded(46, "361015"), "0.8.28")).toEqual([false, true]);
  });
});
