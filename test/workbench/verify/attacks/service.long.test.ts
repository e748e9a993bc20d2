// Attacks at a running service: the chain is built so, C3 is asked, and then what C1 and C2 say of the contract.
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import type { Address, Hex } from "../../../../mocks/double/chain/records.ts";
import { lastMetadata } from "../../../../mocks/double/sources/metadata.ts";
import {
  buildChain,
  coins,
  createExplorer,
  createVerifier,
  serveExplorer,
  word,
} from "../../../../mocks/node.ts";
import { ExplorerClient, NotVerifiedError } from "../../../../src/index.ts";
import { bytesOf, compile, hexOf, type Wanted, withDigest } from "../support.ts";

const verifier = createVerifier({ timeout: 300_000 });
afterAll(() => verifier.close());

const version = "0.8.28";
const wanted = (name: string, source: string, more: Partial<Wanted> = {}): Wanted => ({
  ...{ version, name, source, file: `${name}.sol` },
  ...more,
});

/** A chain with one rich account, and the service over it. */
async function service() {
  const builder = buildChain();
  const deployer = builder.account({ balance: coins(1000) });
  const served = await serveExplorer(createExplorer({ chain: builder.chain, verifier }));
  onTestFinished(() => served.close());
  const client = (apiKey = "any") =>
    new ExplorerClient({ baseUrl: served.url, apiKey, timeout: 300_000 });
  const explorer = client();
  const deploy = (code: Hex, initCode: Hex, constructorArguments: Hex = "0x") => {
    const { address } = builder.deploy(deployer, { code, initCode, constructorArguments });
    builder.mine();
    return address;
  };
  const verify = (at: Address, one: Wanted, args = "", as = explorer) =>
    as.contracts.verify(at, {
      contract_name: one.name,
      compiler: version,
      runs_optimizer: 200,
      optimization_enabled: true,
      constructor_arguments: args,
      libraries: Object.entries(one.libraries ?? {}).map(([name, address]) => ({ name, address })),
      source: one.source,
    });
  /** A submission in several files, as tools send it. */
  const submitInput = async (at: Address, name: string, input: object) => {
    const ask = async (query: object) => {
      const response = await fetch(`${served.url}/etherscan/api`, {
        method: "POST",
        body: new URLSearchParams({ module: "contract", apikey: "any", ...query }),
      });
      return ((await response.json()) as { result: string }).result;
    };
    const guid = await ask({
      action: "verifysourcecode",
      contractaddress: at,
      sourceCode: JSON.stringify(input),
      codeformat: "solidity-standard-json-input",
      contractname: name,
      compilerversion: version,
    });
    for (;;) {
      const result = await ask({ action: "checkverifystatus", guid });
      if (result !== "Pending in queue") return result;
    }
  };
  const shown = (at: Address) => explorer.contracts.code(at);
  const unknown = async (at: Address) => {
    await expect(explorer.contracts.abi(at)).rejects.toThrow(NotVerifiedError);
    await expect(explorer.contracts.code(at)).rejects.toThrow(NotVerifiedError);
  };
  return { builder, deployer, explorer, client, deploy, verify, submitInput, shown, unknown };
}

const purse = (comment = "", view = "") =>
  wanted(
    "Purse",
    `// ${comment}\ncontract Purse { uint public held; function put(uint n) public { held += n; } ${view} }`,
  );
const wrong = wanted("Purse", purse().source.replace("+= n", "-= n"));

describe("the table of attacks, at the service", () => {
  test("code in the metadata is named by C3 and C2", async () => {
    const { deploy, verify, shown } = await service();
    const open = wanted(
      "Open",
      "contract Open { function run(uint at) public { function () internal f; assembly { f := at } f(); } }",
    );
    const trap = Buffer.alloc(32, 0x01).fill(Buffer.from("5b33ff", "hex"), 10, 13);
    const { runtime, creation } = compile(open);
    const at = deploy(withDigest(runtime, trap), withDigest(creation, trap));
    const uncovered = ["metadata hash", "ABI", "code that can be reached in the metadata"];
    expect(await verify(at, open)).toMatchObject({ verify_uncovered: uncovered });
    expect(await shown(at)).toMatchObject({
      verify_level: "partial",
      verify_uncovered: uncovered,
    });
  });

  test("cut metadata is no exact match", async () => {
    const { deploy, verify, shown } = await service();
    const maker = (comment: string) =>
      wanted(
        "Maker",
        `contract Made { uint public y = 6; } // ${comment}\ncontract Maker { function make() public returns (Made) { return new Made(); } }`,
      );
    const { runtime, creation } = compile(maker(""));
    const at = deploy(
      hexOf(bytesOf(runtime).subarray(0, lastMetadata(bytesOf(runtime))?.start)),
      creation,
    );
    for (const comment of ["", "another"]) await verify(at, maker(comment));
    expect(await shown(at)).toMatchObject({
      verify_level: "partial",
      verify_uncovered: ["metadata hash", "ABI"],
    });
  });

  test("unknown creation code is named by C3 and C2", async () => {
    const { builder, verify, shown } = await service();
    const at: Address = `0x${"c0".repeat(20)}`;
    builder.chain.applyHeadState({ codes: [[at, compile(purse()).runtime]] });
    const open = { verify_level: "exact", verify_uncovered: ["creation code"] };
    expect(await verify(at, purse())).toMatchObject(open);
    expect(await shown(at)).toMatchObject(open);
  });

  test("immutables that contradict the constructor's arguments are refused, and nothing is recorded", async () => {
    const { deploy, verify, shown, unknown } = await service();
    const fixed = wanted(
      "Fixed",
      "contract Fixed { uint public immutable value; constructor(uint v) { value = v * 3; } }",
    );
    const { runtime, creation } = compile(fixed);
    const set = (value: bigint): Hex =>
      `0x${runtime.slice(2).replaceAll(`7f${"0".repeat(64)}`, `7f${word(value).slice(2)}`)}`;
    const lying = deploy(set(22n), creation, word(7n));
    await expect(verify(lying, fixed, word(7n).slice(2))).rejects.toThrow("in an immutable");
    await unknown(lying);
    const honest = deploy(set(21n), creation, word(7n));
    await verify(honest, fixed, word(7n).slice(2));
    expect(await shown(honest)).toMatchObject({ verify_level: "exact", verify_uncovered: [] });
  });

  test("only the files and settings that were used are recorded and served", async () => {
    const { deploy, submitInput, shown } = await service();
    const { runtime, creation } = compile(purse());
    const at = deploy(runtime, creation);
    const result = await submitInput(at, "Purse.sol:Purse", {
      language: "Solidity",
      sources: {
        "Purse.sol": { content: purse().source },
        "AUDITED.sol": { content: "// AUDITED, no owner" },
      },
      settings: { optimizer: { enabled: true, runs: 200 }, viaIR: true, audited: true },
    });
    expect(result).toBe("Pass - Verified");
    const { contract_source } = await shown(at);
    expect(contract_source).toBe(purse().source);
  });

  test("a second key replaces no match by one that is not stronger", async () => {
    const { deploy, verify, client, explorer, shown } = await service();
    const { runtime, creation } = compile(
      purse("deployed", "function top() public view returns (uint) { return held; }"),
    );
    const at = deploy(runtime, creation);
    const honest = purse("honest", "function top() public view returns (uint) { return held; }");
    const lying = purse("lying", "function top() public returns (uint) { return held; }");
    await verify(at, honest);
    const abi = await explorer.contracts.abi(at);
    const { verify_message } = await verify(at, lying, "", client("another"));
    expect(verify_message).toMatch(/the partial match recorded before stays$/);
    expect(await explorer.contracts.abi(at)).toEqual(abi);
    expect((await shown(at)).contract_source).toBe(honest.source);
  });

  test("C1 and C2 forget a source when the account gets other code", async () => {
    const { builder, deploy, verify, unknown, shown } = await service();
    const { runtime, creation } = compile(purse());
    const at = deploy(runtime, creation);
    await verify(at, purse());
    builder.chain.applyHeadState({ codes: [[at, compile(wrong).runtime]] });
    await unknown(at);
    builder.chain.applyHeadState({ codes: [[at, runtime]] });
    expect(await shown(at)).toMatchObject({ verify_level: "exact" });
  });
});

describe("contracts that others create", () => {
  /** The address of what a factory creates by CREATE2. */
  const createdBy = (
    { builder, deployer }: Awaited<ReturnType<typeof service>>,
    creations: readonly { readonly code: Hex; readonly initCode: Hex; readonly args?: Hex }[],
  ) => {
    const factory = builder.deploy(deployer).address;
    builder.mine();
    const created: (Address | null)[] = [];
    for (const { code, initCode, args = "0x" } of creations)
      builder.call(deployer, {
        to: factory,
        does: (frame) => {
          const creation = { code, initCode, constructorArguments: args };
          created.push(frame.create2({ salt: 1n, ...creation }));
        },
      });
    builder.mine();
    return created.map(String) as Address[];
  };

  test("by CREATE2 are held to the init code of their frame, arguments included", async () => {
    const it = await service();
    const kept = (body: string) =>
      wanted("Kept", `contract Kept { uint public x; constructor(uint y) { ${body} } }`);
    const { runtime, creation } = compile(kept("x = y;"));
    const [at = "0x"] = createdBy(it, [{ code: runtime, initCode: creation, args: word(7n) }]);
    // The runtime code is equal but for the hash of its metadata.
    await expect(it.verify(at, kept("x = y + 1;"), word(7n).slice(2))).rejects.toThrow(
      "Creation code differs",
    );
    await expect(it.verify(at, kept("x = y;"), word(8n).slice(2))).rejects.toThrow(
      "Constructor arguments differ",
    );
    await it.unknown(at);
    await it.verify(at, kept("x = y;"), word(7n).slice(2));
    expect(await it.shown(at)).toMatchObject({ verify_level: "exact", verify_uncovered: [] });
  });

  test("whose init code returns another contract are neither the one nor the other", async () => {
    const it = await service();
    const init = compile(purse());
    const other = compile(wrong);
    const [at = "0x"] = createdBy(it, [{ code: other.runtime, initCode: init.creation }]);
    await expect(it.verify(at, purse())).rejects.toThrow("Runtime code differs");
    await expect(it.verify(at, wrong)).rejects.toThrow("Creation code differs");
    await it.unknown(at);
  });
});

describe("contracts that forward their calls", () => {
  const clone = (target: Address): Hex =>
    `0x363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3`;

  test("an EIP-1167 clone takes no source, neither its target's nor another", async () => {
    const it = await service();
    const { runtime, creation } = compile(purse());
    const target = it.deploy(runtime, creation);
    await it.verify(target, purse());
    const code = clone(target);
    for (const cloned of [code, `${code}${"00".repeat(12)}5b33ff` as Hex]) {
      const at = it.deploy(cloned, `0x3d602d80600a3d3981f3${cloned.slice(2)}`);
      for (const one of [purse(), wrong])
        await expect(it.verify(at, one)).rejects.toThrow(
          `an EIP-1167 clone of ${target}, which is verified: it has no source of its own`,
        );
      await it.unknown(at);
    }
  });

  test("a proxy is not verified by the source of what it calls, nor shows its ABI", async () => {
    const it = await service();
    const proxy = wanted(
      "Proxy",
      `contract Proxy { address immutable to; constructor(address t) { to = t; }
        fallback() external payable { address t = to; assembly {
          calldatacopy(0, 0, calldatasize())
          if iszero(delegatecall(gas(), t, 0, calldatasize(), 0, 0)) { revert(0, 0) }
          returndatacopy(0, 0, returndatasize()) return(0, returndatasize()) } } }`,
    );
    const { runtime, creation } = compile(purse());
    const target = it.deploy(runtime, creation);
    await it.verify(target, purse());
    const compiled = compile(proxy);
    const set = (address: Address): Hex =>
      `0x${compiled.runtime.slice(2).replaceAll(`7f${"0".repeat(64)}`, `7f${word(BigInt(address)).slice(2)}`)}`;
    const args = word(BigInt(target));
    const at = it.deploy(set(target), compiled.creation, args);
    await expect(it.verify(at, purse())).rejects.toThrow("Runtime code differs");
    await it.verify(at, proxy, args.slice(2));
    expect(await it.explorer.contracts.abi(at)).not.toContainEqual(
      expect.objectContaining({ name: "put" }),
    );
    expect(await it.shown(at)).toMatchObject({ verify_level: "exact", verify_uncovered: [] });
    // The code of another target in the immutable than the constructor was given.
    const evil = it.deploy(set(`0x${"66".repeat(20)}`), compiled.creation, args);
    await expect(it.verify(evil, proxy, args.slice(2))).rejects.toThrow("in an immutable");
  });
});
