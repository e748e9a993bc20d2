// Messages of refused submissions name the cause.
import { afterAll, describe, expect, test } from "vitest";
import type { Address } from "../../mocks/chain/records.ts";
import { buildChain, coins, eventTopic, word } from "../../mocks/index.ts";
import { contractOn } from "../../mocks/operations/contract-on.ts";
import { createVerifier } from "../../mocks/verify/verifier.ts";
import { base64, compile, onChain, submit, type Wanted } from "./support.ts";

const verifier = createVerifier({ timeout: 300_000 });
afterAll(() => verifier.close());

const wanted = (source: string, name: string, version = "0.8.28"): Wanted => ({
  version,
  source,
  name,
});
const refusal = async (
  submitted: Parameters<typeof submit>,
  chain: Parameters<typeof verifier.verify>[1],
) => {
  const verdict = await verifier.verify(submit(...submitted), chain);
  expect(verdict.verified).toBe(false);
  return verdict.message;
};

test("arguments on chain need not be canonical, and unknown arguments are not recorded", async () => {
  const source = "contract A { address a; constructor(address b) { a = b; } }";
  const one = wanted(source, "A");
  const { creation, runtime } = compile(one);
  const unclean = `ff${"0".repeat(22)}${"12".repeat(20)}`;
  const known = onChain(runtime, `${creation}${unclean}`);
  expect(
    await verifier.verify(submit(one, { constructor_arguments: unclean }), known),
  ).toMatchObject({ verified: true, contract: { constructorArguments: unclean } });
  const clean = unclean.replace("ff", "00");
  expect(await refusal([one, { constructor_arguments: clean }], known)).toContain(unclean);
  expect(
    await verifier.verify(submit(one, { constructor_arguments: clean }), onChain(runtime)),
  ).toMatchObject({ verified: true, contract: { constructorArguments: "" } });
});

test("a proxy is named with its target", async () => {
  const story = buildChain();
  const alice = story.account({ balance: coins(10) });
  const target = story.deploy(alice).address;
  story.mine();
  const clone = story.deploy(alice, {
    code: `0x363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3`,
  }).address;
  story.mine();
  const on = (address: `0x${string}`) => contractOn(story.chain, address);
  const submission = wanted("contract A { uint public x; }", "A");
  expect(await refusal([submission], await on(clone))).toMatch(
    new RegExp(`^${clone} is an .* of ${target}, which is not verified: it has no source of its`),
  );
  story.verify(target, { abi: [] });
  expect(await refusal([submission], await on(clone))).toContain("which is verified");

  const upgraded = "event Upgraded(address indexed implementation);";
  const slot = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
  const source = `contract P { ${upgraded} constructor(address to) { assembly { sstore(${slot}, to) } emit Upgraded(to); }
fallback() external payable { assembly { calldatacopy(0, 0, calldatasize()) let ok := delegatecall(gas(), sload(${slot}), 0, calldatasize(), 0, 0)
returndatacopy(0, 0, returndatasize()) switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) } } } }`;
  const own = wanted(source, "P");
  const { creation, runtime } = compile(own);
  const to = target.slice(2).padStart(64, "0");
  const proxy = story.deploy(alice, {
    code: runtime,
    initCode: creation,
    constructorArguments: `0x${to}`,
    does: (frame) => frame.emit([eventTopic("Upgraded(address)"), `0x${to}`]),
  }).address;
  story.mine();
  expect(await refusal([submission], await on(proxy))).toMatch(
    new RegExp(
      `^${proxy} is an EIP-1967 proxy of ${target}, which is verified; Runtime code differs`,
    ),
  );
  const submitted = submit(own, { constructor_arguments: to });
  expect(await verifier.verify(submitted, await on(proxy))).toMatchObject({ verified: true });
});

test("a contract created by a call is compared with the code and arguments of the call", async () => {
  const kept = (body: string) =>
    wanted(`contract Kept { uint public x; constructor(uint y) { ${body} } }`, "Kept");
  const story = buildChain();
  const alice = story.account({ balance: coins(10) });
  const factory = story.deploy(alice).address;
  const { runtime, creation } = compile({ ...kept("x = y;"), file: "Kept.sol" });
  const constructorArguments = word(7n);
  let created: Address | null = null;
  story.call(alice, {
    to: factory,
    does(frame) {
      const code = { code: runtime, initCode: creation, constructorArguments };
      created = frame.create2({ salt: 1n, ...code });
    },
  });
  story.mine();
  const chain = await contractOn(story.chain, created ?? "0x");
  const given = (value: bigint) => ({ constructor_arguments: word(value).slice(2) });
  // Only the metadata hash of the runtime code differs.
  const other = kept("x = y + 1;");
  expect(await refusal([other, given(7n)], chain)).toContain("Creation code differs");
  const right = kept("x = y;");
  expect(await refusal([right, given(8n)], chain)).toContain("Constructor arguments differ");
  const submitted = submit(right, { ...given(7n), evm_version: "default" });
  expect(await verifier.verify(submitted, chain)).toMatchObject({
    verified: true,
    contract: { level: "exact", uncovered: [] },
  });
});

describe("what the compiler says", () => {
  const simple: Wanted = { version: "0.8.28", name: "A", source: "contract A {}" };
  const some = onChain("0x6001");

  test.each([
    ["a syntax error", "contract A {\n\n  functio f() {}\n}", "ParserError in line 3"],
    [
      "text before it in another script",
      "// ünï\n\ncontract A { uint x = y; }",
      "DeclarationError in line 3",
    ],
    [
      "no contract of that name",
      "contract B {} library C {}",
      "The source has no contract A; it has B, C",
    ],
    ["an interface", "interface A {}", "A is abstract or an interface"],
  ])("%s", async (_, source, message) => {
    const verdict = await verifier.verify(
      submit(simple, { contract_source: base64(source) }),
      some,
    );
    expect(verdict.verified).toBe(false);
    expect(verdict.message).toContain(message);
  });
});
