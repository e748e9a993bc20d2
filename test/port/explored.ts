// A tool's project beside a node and the explorer that follows it.
import { expect } from "vitest";
import type { Address } from "../../mocks/chain/records.ts";
import { followNode } from "../../mocks/follow/follow-node.ts";
import {
  createExplorer,
  createVerifier,
  type ServedExplorer,
  serveExplorer,
} from "../../mocks/node.ts";
import { ExplorerClient } from "../../src/index.ts";
import type { TestNode } from "../support/test-node.ts";
import type { Tool, ToolProject } from "./projects.ts";

/** The contract that every tool can deploy. */
export const counterSources = {
  "Base.sol": `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
abstract contract Base {
  function step() internal pure returns (uint256) { return 1; }
}
`,
  "Counter.sol": `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {Base} from "./Base.sol";
contract Counter is Base {
  uint256 public count;
  constructor(uint256 first) { count = first; }
  function increment() external { count += step(); }
}
`,
};

export interface Explored {
  readonly node: TestNode;
  readonly served: ServedExplorer;
  readonly client: ExplorerClient;
  readonly project: ToolProject;
  /** Deploys as {@link ToolProject.deploy}, and waits until the explorer has it. */
  deployed(first: number): Promise<Address>;
  followed(address: Address): Promise<void>;
  close(): Promise<void>;
}

/** `solc`: folders with more compilers. Where it fails, the node is stopped, too. */
export async function exploredProject(
  { create }: Tool,
  node: TestNode,
  sources: Readonly<Record<string, string>>,
  solc: readonly string[] = [],
): Promise<Explored> {
  const started: (() => unknown)[] = [() => node.stop()];
  const close = async () => {
    for (const end of started.splice(0).reverse()) await end();
  };
  try {
    const verifier = createVerifier({ timeout: 300_000, solc });
    started.push(() => verifier.close());
    const follower = await followNode(node.url);
    started.push(() => follower.close());
    const served = await serveExplorer(createExplorer({ chain: follower, verifier }));
    started.push(() => served.close());
    const project = create(sources, { rpc: node.url, explorer: served.url });
    started.push(() => project.remove());
    const followed = async (address: Address) => {
      await expect.poll(() => served.explorer.chain.code(address)).not.toBe("0x");
    };
    return {
      ...{ node, served, project, followed, close },
      client: new ExplorerClient({ baseUrl: served.url, apiKey: "any" }),
      async deployed(first) {
        const address = await project.deploy(first);
        await followed(address);
        return address;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
