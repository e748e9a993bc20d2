// Verification: what its methods send, and how they read the verdict.
import { describe, expect, test } from "vitest";
import { VerificationError } from "../../src/index.ts";
import { ADDRESS, clientOf, json, serve, success, thrown, unsent } from "../http/server.ts";

/** Contracts of a service with these results to everything, and the bodies it was sent. */
async function verifying(results: unknown, message = "success") {
  const server = await serve((_, response) => json(response, { ...success(results), message }));
  const sent = () => server.asked.map(({ body }) => JSON.parse(body));
  return { contracts: clientOf(server).contracts, sent };
}

describe("verification", () => {
  const submission = {
    contract_name: "Tökén",
    compiler: "v0.8.20+commit.a1b79de6",
    runs_optimizer: 200,
    optimization_enabled: true,
    contract_source: `// ${"語".repeat(50_000)}\ncontract Tökén {}`,
  };

  test.each([
    ...([true, 1, "1", "true"] as const).map((on) => [on, 1] as const),
    ...([false, 0, "0", "false"] as const).map((off) => [off, 0] as const),
  ])("sends optimization_enabled: %j as %d", async (optimization_enabled, sent) => {
    const { contracts, sent: bodies } = await verifying({ data: "1" });
    await contracts.verify(ADDRESS, { ...submission, optimization_enabled });
    expect(bodies()).toMatchObject([{ optimization_enabled: sent }]);
  });

  // If it is missing, the check of all parameters names it: test/client.test.ts.
  test.each([2, -1, "2", "yes", "", null])(
    "refuses optimization_enabled: %j, which would change the verdict",
    async (given) => {
      const changed = { ...submission, optimization_enabled: given as never };
      const call = clientOf({ url: "" }, unsent).contracts.verify(ADDRESS, changed);
      expect(await thrown(call)).toMatchObject({
        code: "PARAMETER",
        shortMessage: expect.stringContaining(
          "optimization_enabled: expected true or false, or 1 or 0, received",
        ),
      });
    },
  );

  test("takes base64url as base64, and does not encode it again", async () => {
    const { contracts, sent } = await verifying({ data: "1" });
    const source = "contract A { /* ÿþûï¾ï¿¾?>~ ~~~ ??? */ }";
    const base64 = Buffer.from(source).toString("base64");
    const contract_source = Buffer.from(source).toString("base64url");
    expect(contract_source).toMatch(/-.*_|_.*-/);
    await contracts.verify(ADDRESS, { ...submission, contract_source });
    expect(sent()).toMatchObject([{ contract_source: base64.replaceAll("=", "") }]);
  });

  test("returns how much is proven, if the server says", async () => {
    const proven = { verify_level: "partial", verify_uncovered: ["metadata hash"] };
    const results = { data: "1", ...proven, verify_message: "Runtime code matches" };
    const { contracts } = await verifying(results);
    expect(await contracts.verify(ADDRESS, submission)).toEqual(results);
  });

  test("sends source as base64 of its UTF-8, the flag as a number, and says when it went well", async () => {
    const { contracts, sent } = await verifying({ data: "1" });
    expect(await contracts.verify(ADDRESS, submission)).toEqual({ data: "1" });
    const [body] = sent();
    expect(Buffer.from(body.contract_source, "base64").toString("utf8")).toBe(
      submission.contract_source,
    );
    expect(body).toMatchObject({
      contract_name: "Tökén",
      optimization_enabled: 1,
      runs_optimizer: 200,
      constructor_arguments: "",
    });
    expect(body).not.toHaveProperty("contract_hash");
  });

  test.each([
    ["a text", "contract Tökén { /* a-b_c */ }"],
    ["a text whose end looks like base64", "contract A {} // end"],
    ["a text without blanks", "interface{}"],
  ])("%s is sent as base64, whichever field has it", async (_, source) => {
    const { contracts, sent } = await verifying({ data: "1" });
    await contracts.verify(ADDRESS, { ...submission, contract_source: source });
    const { contract_source: _source, ...rest } = submission;
    await contracts.verify(ADDRESS, { ...rest, source });
    const base64 = Buffer.from(source).toString("base64");
    expect(sent().map(({ contract_source }) => contract_source)).toEqual([base64, base64]);
  });

  test("base64 in several lines is taken as such", async () => {
    const { contracts, sent } = await verifying({ data: " 1\n" });
    const contract_source = "Y29udHJh\nY3QgQSB7fQ==";
    expect(await contracts.verify(ADDRESS, { ...submission, contract_source })).toEqual({
      data: "1",
    });
    expect(sent()).toMatchObject([{ contract_source }]);
  });

  test("that fails says why, or is an error without a word, too", async () => {
    const differs = await verifying({ data: "0" }, "bytecode differs at 42");
    const error = await thrown(differs.contracts.verify(ADDRESS, submission));
    expect(error).toBeInstanceOf(VerificationError);
    expect(error).toMatchObject({ code: "VERIFICATION", reason: "bytecode differs at 42" });
    const silent = await verifying({ data: "0" });
    const other = await thrown(silent.contracts.verify(ADDRESS, submission));
    expect(other).toMatchObject({ code: "VERIFICATION", operation: "C3", httpStatus: 200 });
    expect(String(other)).toContain('Results: "0"');
  });
});
