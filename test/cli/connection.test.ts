// The options of requests: the rate limit and the timeout.
import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { addConnection } from "../../src/cli/connection.ts";
import { ALICE, serveDemo } from "./serve-demo.ts";

const demo = serveDemo();

describe("the options of requests", () => {
  test("--rate-limit lets no more requests start than it says", async () => {
    const of = `accounts transactions ${ALICE} --all --limit 10 --prefetch 10 --timeout 600`;
    demo.mock.faults.add({ fault: "never", nth: 2 });
    const stop = new AbortController();
    const ended = demo.cli(`${of} --rate-limit 3/h`, { signal: stop.signal });
    await expect.poll(() => demo.mock.journal.count("A2")).toBe(3);
    // Without the limit, all ten pages are requested together.
    stop.abort();
    expect((await ended).code).toBe(130);
    expect(demo.mock.journal.count("A2")).toBe(3);
  });

  test("--timeout ends an attempt", async () => {
    demo.mock.faults.add({ fault: "never" });
    const { code, err } = await demo.cli(
      "contracts code 0x12 --timeout 0.05".replace("0x12", ALICE),
    );
    expect(code).toBe(3);
    expect(err).toContain("50 ms");
  });

  test.each([
    ["5", 5, 1000],
    ["100/m", 100, 60_000],
    ["7/h", 7, 3_600_000],
  ])("--rate-limit %s is %d requests in %d ms", (text, requests, perMs) => {
    const command = new Command();
    addConnection(command);
    command.parse(["--rate-limit", text], { from: "user" });
    expect(command.opts()).toMatchObject({ rateLimit: { requests, perMs } });
  });

  test.each([
    ["--rate-limit 0", "expected requests per second, or per minute or hour"],
    ["--rate-limit 5/d", "expected requests per second, or per minute or hour"],
    ["--timeout 0", 'expected seconds, such as 5 or 0.5, received "0"'],
    ["--max 0", "expected an integer from 1 to"],
  ])("%s is refused", async (words, reason) => {
    const { code, err } = await demo.cli(`accounts transactions ${ALICE} ${words}`);
    expect(code).toBe(2);
    expect(err).toContain(reason);
  });
});
