// What a command fetches: balances in batches, a verification, the newest block.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../support/project.ts";
import { AURORA, serveDemo } from "./serve-demo.ts";

const demo = serveDemo();

describe("requests", () => {
  test("balances are asked in batches of 20, in the order given, and are one document", async () => {
    const addresses = Array.from({ length: 405 }, (_, at) => `0x${`${at}`.padStart(40, "0")}`);
    const { out, code } = await demo.cli(`accounts balance ${addresses.join(" ")}`);
    expect(code).toBe(0);
    expect(JSON.parse(out).data.map((one: { address: string }) => one.address)).toEqual(addresses);
    expect(demo.mock.journal.count("A1")).toBe(21);
  });

  test("verification takes a source file, and says why it was refused", async () => {
    const file = join(temporaryFolder("cli", onTestFinished), "Wrong.sol");
    writeFileSync(file, "contract Wrong { not solidity }");
    const { code, err } = await demo.cli(
      `contracts verify ${AURORA} --contract_name Wrong --compiler 0.8.28 --runs-optimizer 200 --optimization_enabled 1 --constructor_arguments  --contract_source ${file}`,
    );
    expect(code).toBe(1);
    expect(err).toContain("The source does not compile: ParserError in line 1");
  });
});

test("a submission says which values turn the optimizer on and off", async () => {
  const { err, code } = await demo.cli(
    `contracts verify ${AURORA} --contract_name A --compiler 0.8.28 --runs-optimizer 1 --optimization-enabled true --constructor_arguments  --contract_source none.sol`,
  );
  expect(code).toBe(2);
  expect(err).toContain('expected an integer: 1 for on, 0 for off, received "true"');
});

describe("blocks get latest", () => {
  test("is the newest block, also where the first one is missing", async () => {
    demo.mock.faults.add({ fault: "status", status: 404, times: 1 });
    const { out } = await demo.cli("blocks get latest");
    expect(JSON.parse(out).data.block_number).toBe(`${demo.mock.chain.head.number}`);
  });

  test("is not guessed where one could not be asked for", async () => {
    demo.mock.faults.add({ fault: "status", status: 403, nth: 9 });
    expect(await demo.cli("blocks get LATEST")).toMatchObject({ code: 1, out: "" });
  });
});
