// Attacks at a running service: the chain is built so, C3 is asked, and then what C1 and C2 say of the contract.
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import type { Address, Hex } from "../../../../mocks/double/chain/records.ts";
import {
  buildChain,
  coins,
  createExplorer,
  createVerifier,
  serveExplorer,
  word,
} from "../../../../mocks/node.ts";
import { ExplorerClient, NotVerifiedError } from "../../../../src/index.ts";
import { compile, type Wanted } from "../support.ts";

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
  const explorer = new ExplorerClient({ baseUrl: served.url, apiKey: "any", timeout: 300_000 });
  const deploy = (code: Hex, initCode: Hex, constructorArguments: Hex = "0x") => {
    const { address } = builder.deploy(deployer, { code, initCode, constructorArguments });
    builder.mine();
    return address;
  };
  const verify = (at: Address, one: Wanted, args = "") =>
    explorer.contracts.verify(at, {
      contract_name: one.name,
      compiler: version,
      runs_optimizer: 200,
      optimization_enabled: true,
      constructor_arguments: args,
      libraries: Object.entries(one.libraries ?? {}).map(([name, address]) => ({ name, address })),
      source: one.source,
    });
  const shown = (at: Address) => explorer.contracts.code(at);
  const unknown = async (at: Address) => {
    await expect(explorer.contracts.abi(at)).rejects.toThrow(NotVerifiedError);
    await expect(explorer.contracts.code(at)).rejects.toThrow(NotVerifiedError);
  };
  return { builder, deployer, deploy, verify, shown, unknown };
}

const purse = (comment = "", view = "") =>
  wanted(
    "Purse",
    `// ${comment}\ncontract Purse { uint public held; function put(uint n) public { held += n; } ${view} }`,
  );
const wrong = wanted("Purse", purse().source.replace("+= n", "-= n"));

describe("the table of attacks, at the service", () => {
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
});
