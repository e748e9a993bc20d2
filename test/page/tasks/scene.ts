// The scene of the page's tasks: a followed node with a shop on it, and the page in a browser.
import { readFileSync } from "node:fs";
import { encodeDeployData, encodeFunctionData } from "viem";
import { createExplorer, createVerifier, followNode, serveExplorer } from "../../../mocks/node.ts";
import type { ServedExplorer } from "../../../mocks/port/server.ts";
import type { Address, Hash } from "../../../src/models/primitives.ts";
import { startChromium } from "../../support/chromium.ts";
import { compileProject, type Sent, sendTransaction } from "../../support/compiled-project.ts";
import { buildPage, type Visit, visitPage } from "../../support/page.ts";
import type { TestNode } from "../../support/test-node.ts";

export const SHOP_FILE = "contracts/Shop.sol";
export const shopSource = readFileSync(new URL("shop.sol", import.meta.url), "utf8");

/** The project whose build output is at hand. */
const shop = compileProject({ [SHOP_FILE]: shopSource });

/** A project that the explorer does not know: two files, to be verified. */
export const kiosk = compileProject({
  "contracts/Counter.sol":
    "pragma solidity ^0.8.28;\ncontract Counter {\n  uint256 public count;\n  constructor(uint256 first) { count = first; }\n}\n",
  "contracts/Kiosk.sol":
    'pragma solidity ^0.8.28;\nimport "./Counter.sol";\ncontract Kiosk is Counter {\n  constructor() Counter(7) {}\n  function sell() external { count += 1; }\n}\n',
});

/** What is on the node. */
export interface Stage {
  readonly node: TestNode;
  readonly served: ServedExplorer;
  /** Three accounts of the node: who deployed all, a customer, and another one. */
  readonly keeper: Address;
  readonly customer: Address;
  readonly other: Address;
  /** "Aurora", 6 decimals; with artifacts, like the shop and its stock. */
  readonly token: Address;
  readonly shop: Address;
  readonly stock: Address;
  /** Not verified; of the project `kiosk`, contract Kiosk of contracts/Kiosk.sol. */
  readonly kiosk: Address;
  /** The customer bought 2 for 4 AUR, and gave a tip of 1 coin: 5 were left before its block, 3 are after it. */
  readonly bought: Hash;
  readonly boughtBlock: number;
  /** The customer wanted 9 of 3. */
  readonly failed: Hash;
  /** The approvals: the customer's for the shop, and the other's for the keeper. */
  readonly approvals: { readonly ofCustomer: Hash; readonly ofOther: Hash };
  stop(): Promise<void>;
}

async function play(node: TestNode) {
  const accounts = (await node.ask("eth_accounts")) as Address[];
  const [keeper, customer, other] = accounts.map((one) => one.toLowerCase() as Address);
  if (!keeper || !customer || !other) throw new Error("the node has no accounts");
  const deploy = async (code: Address): Promise<Address> =>
    (await sendTransaction(node, { data: code })).address.toLowerCase() as Address;
  const token = await deploy(
    encodeDeployData({ abi: shop.abi("Token"), bytecode: shop.code("Token"), args: [10n ** 12n] }),
  );
  const shopAddress = await deploy(
    encodeDeployData({ abi: shop.abi("Shop"), bytecode: shop.code("Shop"), args: [token] }),
  );
  const kioskAddress = await deploy(kiosk.code("Kiosk"));
  const call = (
    [contract, to]: readonly [string, Address],
    from: Address,
    functionName: string,
    args: readonly unknown[],
    value = "0x0",
  ): Promise<Sent> => {
    const data = encodeFunctionData({ abi: shop.abi(contract), functionName, args });
    return sendTransaction(node, { from, to, data, value, gas: "0x50000" });
  };
  const [aurora, store] = [["Token", token] as const, ["Shop", shopAddress] as const];
  await call(aurora, keeper, "transfer", [customer, 50_000_000n]);
  await call(aurora, keeper, "transfer", [other, 1_500_000n]);
  const ofCustomer = await call(aurora, customer, "approve", [shopAddress, 20_000_000n]);
  const ofOther = await call(aurora, other, "approve", [keeper, 7_000_000n]);
  const bought = await call(store, customer, "buy", [2n], `0x${(10n ** 18n).toString(16)}`);
  const failed = await call(store, customer, "buy", [9n]);
  const receipt = Object(await node.ask("eth_getTransactionReceipt", bought.hash));
  const stockCall = {
    to: shopAddress,
    data: encodeFunctionData({ abi: shop.abi("Shop"), functionName: "stock" }),
  };
  const stock = String(await node.ask("eth_call", stockCall, "latest"));
  return {
    ...{ keeper, customer, other, token, shop: shopAddress, kiosk: kioskAddress },
    stock: `0x${stock.slice(-40)}` as Address,
    ...{ bought: bought.hash, failed: failed.hash, boughtBlock: Number(receipt.blockNumber) },
    approvals: { ofCustomer: ofCustomer.hash, ofOther: ofOther.hash },
  };
}

/** Starts a node, plays on it, and serves what follows it, with the admin API. */
export async function setStage(start: () => Promise<TestNode>): Promise<Stage> {
  const node = await start();
  const played = await play(node);
  const known = shop.known();
  const follower = await followNode(node.url, {
    interval: 50,
    onHead: (chain) => known.update(chain),
    contractCreatedBy: (creation) => known.createdBy(creation),
  });
  const verifier = createVerifier();
  const served = await serveExplorer(createExplorer({ chain: follower, verifier }), {
    admin: true,
  });
  return {
    ...{ node, served, ...played },
    async stop() {
      await served.close({ graceMs: 0 });
      await follower.close();
      await verifier.close();
      await node.stop();
    },
  };
}

/** A browser with the built page, to visit stages. */
export async function openBrowser() {
  const [folder, browser] = [await buildPage(), await startChromium()];
  return {
    visit: ({ served }: Stage): Promise<Visit> => visitPage(browser, folder, served),
    close: () => browser.close(),
  };
}

/** Defines a test that opens the page at an address, and then does something there. */
export type Task = (
  title: string,
  addressIn: (stage: Stage) => string,
  steps: (scene: { readonly stage: Stage; readonly visit: Visit }) => Promise<void>,
) => void;
