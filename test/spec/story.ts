// A chain with what the demo chain has none of.
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import { buildChain, coins } from "../../mocks/index.ts";

export function tellRest(): ChainWriter {
  const story = buildChain();
  const alice = story.account({ name: "alice", balance: coins(10) });
  story.deployMRC721(alice, { name: "Art", decimals: 0 }).mint(alice, 1n);
  const vault = story.deploy(alice).address;
  story.mine();
  const proven = { level: "partial", uncovered: ["creation code"] } as const;
  story.verify(vault, { abi: [], message: "Runtime code is the same", ...proven });
  return story.chain;
}
