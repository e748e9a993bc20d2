// `serve --artifacts`: the contracts of a project are recognised on a chain by their code.
import { describe, expect, test } from "vitest";
import { KnownContracts } from "../../../mocks/cli/project/known-contracts.ts";
import { buildOutput } from "../../../mocks/cli/project/projects.ts";
import {
  foundryBuild,
  hardhat3Build,
  hardhatBuild,
  LIBRARY,
  plainFoundryBuild,
  projectFolder,
  sampleDeployer,
} from "../sample-project.ts";

const SEVEN = "7".padStart(64, "0");

function deployed() {
  const { builder, deployer, deploy } = sampleDeployer();
  const counter = deploy("Counter", SEVEN).address;
  const player = deploy("Player").address;
  const shop = deploy("Shop").address;
  const stranger = builder.deploy(deployer, { code: "0x6001" }).address;
  builder.mine();
  return { builder, chain: builder.chain, deploy, counter, player, shop, stranger };
}

describe.each([
  ["Hardhat 2", hardhatBuild],
  ["Hardhat 3", hardhat3Build],
  ["Foundry", foundryBuild],
  ["Foundry, built without more", plainFoundryBuild],
])("a project of %s", (_, build) => {
  test("has the files and source maps that lines are found by", () => {
    const { chain, shop } = deployed();
    new KnownContracts([buildOutput(projectFolder(build()))]).update(chain);
    const { compiled } = chain.verified(shop) ?? {};
    const names = Array.from(compiled?.files.values() ?? [], ({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["contracts/Counter.sol", "contracts/Shop.sol"]));
    const own = [...(compiled?.files ?? [])].find(([, { name }]) => name === "contracts/Shop.sol");
    for (const map of [compiled?.runtime, compiled?.creation])
      expect(map).toMatch(new RegExp(`^\\d+:\\d+:${own?.[0]}:`));
  });

  test("makes contracts with its code verified, with arguments and libraries", () => {
    const { chain, counter, player, shop, stranger } = deployed();
    new KnownContracts([buildOutput(projectFolder(build()))]).update(chain);
    expect(chain.verified(counter)).toMatchObject({
      contractName: "Counter",
      constructorArguments: SEVEN,
      compiler: "v0.8.20+commit.a1b79de6",
      runs: 300,
      optimizationEnabled: true,
      abi: expect.arrayContaining([expect.objectContaining({ name: "increment" })]),
      source: expect.stringContaining("contract Counter"),
    });
    expect(chain.verified(player)?.libraries).toEqual([{ name: "Points", address: LIBRARY }]);
    expect(chain.verified(shop)?.source).toMatch(
      /\/\/ File: contracts\/Counter\.sol.*contract Counter.*\/\/ File: contracts\/Shop\.sol/s,
    );
    expect(chain.verified(stranger)).toBeUndefined();
  });
});

test("Hardhat 3 writes no metadata by default: files come from what the syntax trees import", () => {
  const { chain, shop } = deployed();
  const files = JSON.parse(JSON.stringify(hardhat3Build()), (name, value) =>
    name === "metadata" ? undefined : value,
  );
  new KnownContracts([buildOutput(projectFolder(files))]).update(chain);
  expect(chain.verified(shop)?.source).toMatch(
    /\/\/ File: contracts\/Counter\.sol.*contract Counter.*\/\/ File: contracts\/Shop\.sol/s,
  );
});

test("a file that changed since forge compiled it has no lines", () => {
  const { chain, shop } = deployed();
  const project = projectFolder({
    ...plainFoundryBuild(),
    "contracts/Counter.sol": "// another text",
  });
  new KnownContracts([buildOutput(project)]).update(chain);
  const files = chain.verified(shop)?.compiled?.files.values() ?? [];
  expect(Array.from(files, ({ name }) => name)).toEqual(["contracts/Shop.sol"]);
});

test("what is created later is recognised later, and again after a reorganisation", () => {
  const { builder, chain, deploy } = deployed();
  const known = new KnownContracts([buildOutput(projectFolder(hardhatBuild()))]);
  known.update(chain);
  const before = chain.snapshot();
  const later = deploy("Counter", SEVEN).address;
  builder.mine();
  expect(chain.verified(later)).toBeUndefined();
  known.update(chain);
  expect(chain.verified(later)?.contractName).toBe("Counter");
  chain.restore(before);
  const other = deploy("Player").address;
  builder.mine();
  known.update(chain);
  expect(chain.verified(other)?.contractName).toBe("Player");
});

test("Ignition's record tells a contract whose creation is not on the chain", () => {
  const { chain, counter } = deployed();
  const project = projectFolder({
    ...hardhatBuild(),
    "ignition/deployments/chain-1717/deployed_addresses.json": { "Shop#Counter": counter },
    "ignition/deployments/chain-1717/artifacts/Shop#Counter.json": { contractName: "Counter" },
  });
  const known = new KnownContracts([buildOutput(project)]);
  // As on a fork: the block that created it is before the first one.
  const later = new Proxy(chain, {
    get(target, name) {
      if (name === "blockInput") return () => undefined;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  known.update(later);
  expect(chain.verified(counter)).toMatchObject({
    contractName: "Counter",
    constructorArguments: "",
  });
});
