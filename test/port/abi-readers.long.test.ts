// Programs that read ABIs from Sourcify, with the explorer in its place: the plugin of wagmi's command line, and whatsabi.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  buildChain,
  coins,
  createExplorer,
  type ServedExplorer,
  serveExplorer,
} from "../../mocks/node.ts";
import { environmentFolder, isInstalled } from "../support/environments.ts";
import { temporaryFolder } from "../support/project.ts";

const environment = environmentFolder("abi-readers");
const folder = `${environment}node_modules/`;

const abi = [
  { type: "constructor", inputs: [{ name: "first", type: "uint256" }] },
  { type: "event", name: "Paid", inputs: [{ name: "by", type: "address", indexed: true }] },
  { type: "error", name: "Closed", inputs: [] },
  { type: "receive", stateMutability: "payable" },
  // As compilers before 0.4.16 wrote it.
  {
    type: "function",
    name: "count",
    inputs: [],
    outputs: [{ name: "", type: "uint256" }],
    constant: true,
    payable: false,
  },
];

describe.skipIf(!isInstalled(environment))("a verified contract", () => {
  const builder = buildChain();
  const till = builder.deploy(builder.account({ balance: coins(10) })).address;
  builder.mine();
  const source = "contract Till {}";
  builder.verify(till, { contractName: "Till", abi, source });
  const { chainId } = builder.chain;
  const home = temporaryFolder("abi-readers");
  let served: ServedExplorer;
  beforeAll(async () => {
    served = await serveExplorer(createExplorer({ chain: builder.chain }));
  });
  beforeEach(() => {
    const send = globalThis.fetch;
    vi.stubGlobal("fetch", (url: string | URL, init?: RequestInit) =>
      send(String(url).replace("https://sourcify.dev/server", `${served.url}/sourcify`), init),
    );
    // wagmi keeps what it fetched there.
    vi.stubEnv("HOME", home);
  });
  afterAll(() => served.close());
  const load = (file: string) => import(pathToFileURL(join(folder, file)).href);

  test("is read by wagmi's plugin, which accepts ABIs by abitype's schema alone", async () => {
    const { sourcify } = await load("@wagmi/cli/dist/esm/exports/plugins.js");
    const [read] = await sourcify({
      chainId,
      contracts: [{ name: "Till", address: till }],
    }).contracts();
    expect(read.abi.map(({ type }: { type: string }) => type)).toEqual(abi.map(({ type }) => type));
  });

  test("is read by whatsabi with its sources and settings", async () => {
    const { loaders } = await load("@shazow/whatsabi/lib.esm/index.js");
    const loader = new loaders.SourcifyABILoader({ chainId });
    expect(await loader.loadABI(till)).toHaveLength(abi.length);
    const contract = await loader.getContract(till);
    expect(contract).toMatchObject({ ok: true, name: "Till" });
    expect(await contract.getSources()).toEqual([{ path: "Till.sol", content: source }]);
    expect(await loader.loadABI(`0x${"12".repeat(20)}`)).toEqual([]);
  });
});
