// Verification: what its methods send, and how they read the verdict.
import { describe, expect, test } from "vitest";
import { VerificationError } from "../../src/index.ts";
import { ADDRESS, clientOf, json, serve, success, unsent } from "../http/server.ts";

const thrown = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => "nothing",
    (error: unknown) => error,
  );

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
    const server = await serve((_, response) => json(response, success({ data: "1" })));
    await clientOf(server).contracts.verify(ADDRESS, { ...submission, optimization_enabled });
    expect(JSON.parse(server.asked[0]?.body ?? "")).toHaveProperty("optimization_enabled", sent);
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
    const server = await serve((_, response) => json(response, success({ data: "1" })));
    const source = "contract A { /* ÿþûï¾ï¿¾?>~ ~~~ ??? */ }";
    const base64 = Buffer.from(source).toString("base64");
    const contract_source = Buffer.from(source).toString("base64url");
    expect(contract_source).toMatch(/-.*_|_.*-/);
    await clientOf(server).contracts.verify(ADDRESS, { ...submission, contract_source });
    const sent = JSON.parse(server.asked[0]?.body ?? "").contract_source;
    expect(sent).toBe(base64.replaceAll("=", ""));
  });

  test("returns how much is proven, if the server says", async () => {
    const proven = { verify_level: "partial", verify_uncovered: ["metadata hash"] };
    const results = { data: "1", ...proven, verify_message: "Runtime code matches" };
    const server = await serve((_, response) => json(response, success(results)));
    expect(await clientOf(server).contracts.verify(ADDRESS, submission)).toEqual(results);
  });

  test("gives the whole reason of a refusal, up to 8,192 characters", async () => {
    const failure = (message: string) => ({ status: "200", message, results: { data: "0" } });
    const versions = Array.from({ length: 120 }, (_, patch) => `v0.8.${patch}+commit.a1b79de6`);
    const reasons = [`available: ${versions.join(", ")}`, "x".repeat(9_000)];
    const server = await serve((_, response, count) =>
      json(response, failure(reasons[count - 1] ?? "")),
    );
    const refusal = () =>
      clientOf(server)
        .contracts.verify(ADDRESS, submission)
        .catch((error) => error);
    expect(await refusal()).toMatchObject({ code: "VERIFICATION", reason: reasons[0] });
    expect((await refusal()).reason).toBe(`${"x".repeat(8_192)}…`);
  });

  test("sends source as base64 of its UTF-8, the flag as a number, and says when it went well", async () => {
    const server = await serve((_, response) => json(response, success({ data: "1" })));
    expect(await clientOf(server).contracts.verify(ADDRESS, submission)).toEqual({ data: "1" });
    const [asked] = server.asked;
    expect(asked?.headers["content-type"]).toBe("application/json");
    const body = JSON.parse(asked?.body ?? "");
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
    const server = await serve((_, response) => json(response, success({ data: "1" })));
    const { contracts } = clientOf(server);
    await contracts.verify(ADDRESS, { ...submission, contract_source: source });
    const { contract_source: _source, ...rest } = submission;
    await contracts.verify(ADDRESS, { ...rest, source });
    const sent = server.asked.map(({ body }) => JSON.parse(body));
    const base64 = Buffer.from(source).toString("base64");
    expect(sent.map(({ contract_source }) => contract_source)).toEqual([base64, base64]);
  });

  test("base64 in several lines is taken as such", async () => {
    const server = await serve((_, response) => json(response, success({ data: " 1\n" })));
    const contract_source = "Y29udHJh\nY3QgQSB7fQ==";
    expect(
      await clientOf(server).contracts.verify(ADDRESS, { ...submission, contract_source }),
    ).toEqual({ data: "1" });
    expect(JSON.parse(server.asked[0]?.body ?? "").contract_source).toBe(contract_source);
  });

  test("that fails says why", async () => {
    const server = await serve((_, response) =>
      json(response, { status: "200", message: "bytecode differs at 42", results: { data: "0" } }),
    );
    const error = await thrown(clientOf(server).contracts.verify(ADDRESS, submission));
    expect(error).toBeInstanceOf(VerificationError);
    expect(error).toMatchObject({ code: "VERIFICATION", reason: "bytecode differs at 42" });
  });

  test("that fails without a word is an error all the same", async () => {
    const server = await serve((_, response) => json(response, success({ data: "0" })));
    const error = await thrown(clientOf(server).contracts.verify(ADDRESS, submission));
    expect(error).toBeInstanceOf(VerificationError);
    expect(error).toMatchObject({ operation: "C3", attempts: 1, httpStatus: 200 });
    expect(String(error)).toContain('Results: "0"');
  });
});
