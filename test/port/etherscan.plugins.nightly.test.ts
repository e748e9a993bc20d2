// OpenZeppelin's hardhat-upgrades verifies what it deployed, with the explorer as their Etherscan.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Address } from "../../mocks/chain/records.ts";
import { startAnvil } from "../support/anvil.ts";
import { environmentFolder } from "../support/environments.ts";
import { type Explored, exploredProject } from "./explored.ts";
import { proxyKinds, tool } from "./projects.ts";

const upgrades = tool("hardhat-upgrades");

/** The storage slots of EIP-1967. */
const slots = {
  implementation: "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc",
  admin: "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103",
  beacon: "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50",
} as const;

describe.skipIf(!upgrades.installed)("OpenZeppelin's hardhat-upgrades", () => {
  const box = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Box {
  uint256 public value;
  function initialize(uint256 first) external { value = first; }
}
`;
  let explored: Explored;
  beforeAll(async () => {
    const compilers = environmentFolder("hardhat-upgrades");
    const node = await startAnvil(["--chain-id", "1717"]);
    explored = await exploredProject(upgrades, node, { "Box.sol": box }, [compilers]);
  });
  afterAll(() => explored?.close());

  const slotOf = async (address: Address, slot: keyof typeof slots) => {
    const word = await explored.node.ask("eth_getStorageAt", address, slots[slot], "latest");
    return `0x${String(word).slice(-40)}` as Address;
  };
  const named = async (address: Address) => {
    const { contract_name, verify_level } = await explored.client.contracts.code(address);
    return { [String(contract_name)]: verify_level };
  };

  test.each([
    ["transparent", "TransparentUpgradeableProxy", "admin", "ProxyAdmin"],
    ["uups", "ERC1967Proxy", undefined, ""],
    ["beacon", "BeaconProxy", "beacon", "UpgradeableBeacon"],
  ] as const)(
    "verifies a %s proxy, its implementation and its admin or beacon",
    async (kind, proxyName, slot, slotName) => {
      const proxy = await explored.deployed(proxyKinds.indexOf(kind));
      const run = await explored.project.verify(proxy, 0);
      expect(run).toEqual({ code: 0, output: expect.stringContaining("Proxy fully verified.") });
      expect(run.output).toContain("Successfully linked proxy to implementation.");
      expect(await named(proxy)).toEqual({ [proxyName]: "exact" });
      if (slot !== undefined)
        expect(await named(await slotOf(proxy, slot))).toEqual({ [slotName]: "exact" });
      if (kind === "beacon") return;
      const implementation = await slotOf(proxy, "implementation");
      expect(await named(implementation)).toEqual({ Box: "exact" });
      const query = `module=contract&action=getsourcecode&address=${proxy}`;
      const answer = await fetch(`${explored.served.url}/etherscan/api?${query}`);
      expect(await answer.json()).toMatchObject({
        result: [{ Proxy: "1", Implementation: implementation, ContractName: proxyName }],
      });
    },
  );
});
