// `mrc-explorer verify`: the deployed contracts of Hardhat and Foundry projects, with a service and with a node.
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Address } from "../../mocks/chain/records.ts";
import { createExplorer, createVerifier, serveExplorer, word } from "../../mocks/node.ts";
import { startAnvil } from "../support/anvil.ts";
import { runCli } from "./run-cli.ts";
import {
  codeOf,
  flatShop,
  foundryBuild,
  hardhat3Build,
  hardhatBuild,
  LIBRARY,
  plainFoundryBuild,
  projectFolder,
  sampleDeployer,
} from "./sample-project.ts";

/** A contract of another network. */
const ELSEWHERE: Address = `0x${"e1".repeat(20)}`;

const verifier = createVerifier({ timeout: 300_000 });
afterAll(() => verifier.close());
beforeAll(() => void codeOf("Counter"));

/** A service with the sample project's contracts on its chain, one of them made by another contract. */
async function deployedService() {
  const { builder, deployer, deploy } = sampleDeployer();
  const counter = deploy("Counter", word(7n).slice(2)).address;
  const player = deploy("Player").address;
  const shop = deploy("Shop").address;
  const stranger = builder.deploy(deployer, { code: "0x6001" }).address;
  builder.mine();
  const { creation, runtime } = codeOf("Player", LIBRARY.slice(2));
  let made: Address | null = null;
  builder.call(deployer, {
    to: stranger,
    does: (frame) => {
      made = frame.create({ code: runtime, initCode: creation });
    },
  });
  builder.mine();
  if (made === null) throw new Error("nothing was made");
  const served = await serveExplorer(createExplorer({ chain: builder, verifier }));
  onTestFinished(() => served.close());
  const env = { EXPLORER_API_KEY: "any", PATH: process.env.PATH ?? "" };
  return { url: served.url, env, counter, player, shop, stranger, made };
}

const broadcast = (deployed: Readonly<Record<string, Address>>, more: readonly Address[] = []) => ({
  "broadcast/Deploy.s.sol/31337/run-latest.json": {
    transactions: [
      ...Object.entries(deployed).map(([contractName, contractAddress]) => ({
        transactionType: "CREATE",
        contractName,
        contractAddress,
        additionalContracts: [],
      })),
      {
        transactionType: "CALL",
        contractName: "Counter",
        contractAddress: LIBRARY,
        additionalContracts: more.map((address) => ({
          transactionType: "CREATE",
          address,
          initCode: "0x",
        })),
      },
    ],
    receipts: [],
    libraries: [],
    chain: 31337,
  },
});

/** A flattener that prints Shop.sol with all it needs. */
const flattener = `#!/bin/sh
case "$*" in
"flatten contracts/Shop.sol" | "flatten -- contracts/Shop.sol") cat <<'END'
${flatShop}
END
;;
*) exit 1 ;;
esac
`;

/** Address, contract, result and reason of each verdict. */
const rowsOf = (out: string): (string | null)[][] => JSON.parse(out).data.map(Object.values);

describe("verify", () => {
  test("submits what a Foundry project recorded", async () => {
    const service = await deployedService();
    const { counter, player, made } = service;
    const project = projectFolder({
      ...plainFoundryBuild(),
      ...broadcast({ Counter: counter, Player: player, Shop: ELSEWHERE }, [made]),
      "bin/forge": flattener,
    });
    const words = ["verify", "--foundry", project, "--url", service.url];
    const PATH = `${join(project, "bin")}${delimiter}${service.env.PATH}`;
    const { code, out, err } = await runCli(words, { env: { ...service.env, PATH } });
    expect(err).toBe("");
    expect(code).toBe(0);
    const [Counter, Player] = ["contracts/Counter.sol:Counter", "contracts/Points.sol:Player"];
    expect(rowsOf(out)).toEqual([
      [counter, Counter, "verified", "exact"],
      [player, Player, "verified", "exact"],
      [ELSEWHERE, "contracts/Shop.sol:Shop", "absent", "no contract on this chain"],
      [made, Player, "verified", "exact"],
    ]);
    const source = ["contracts", "code", counter, "--base-url", service.url];
    const { data } = JSON.parse((await runCli(source, { env: service.env })).out);
    expect(data).toMatchObject({
      contract_name: "Counter",
      constructor_arguments: word(7n).slice(2),
      runs_optimizer: "300",
      optimization_enabled: "1",
    });
  });

  test("reads a Hardhat project, and says which contracts it leaves out", async () => {
    const service = await deployedService();
    const { counter, shop, stranger } = service;
    const project = projectFolder({
      ...hardhat3Build(),
      "ignition/deployments/chain-31337/deployed_addresses.json": {
        "Shops#Counter": counter,
        "Shops#Shop": shop,
      },
      "ignition/deployments/chain-31337/artifacts/Shops#Counter.json": {
        contractName: "Counter",
      },
      "deployments/localhost/Stranger.json": { address: stranger, abi: [] },
      "deployments/localhost/.chainId": "31337",
    });
    const words = ["verify", "--hardhat", project, "--url", service.url];
    const { code, out, err } = await runCli(words, { env: service.env });
    expect({ code, err }).toEqual({
      code: 1,
      err: "error: 2 of 3 contracts are not verified\n",
    });
    expect(rowsOf(out)).toEqual([
      [counter, "contracts/Counter.sol:Counter", "verified", "exact"],
      [
        shop,
        "contracts/Shop.sol:Shop",
        "left out",
        "it needs 2 files (contracts/Counter.sol, contracts/Shop.sol), and the project has no flattener",
      ],
      [
        stranger,
        null,
        "left out",
        "no contract of the project was created with this code, though recorded as Stranger: compile it as it was when deployed",
      ],
    ]);
  });

  test.skipIf(process.platform === "win32")(
    "joins several files with the project's own flattener",
    async () => {
      const service = await deployedService();
      const { shop, counter, url } = service;
      const words = (...more: string[]) => ["verify", ...more, "--url", url, "--address", shop];
      const hardhat = projectFolder({
        ...hardhatBuild(),
        "node_modules/.bin/hardhat": flattener,
      });
      const { out } = await runCli(words("--hardhat", hardhat), { env: service.env });
      expect(rowsOf(out)).toEqual([[shop, "contracts/Shop.sol:Shop", "verified", "partial"]]);

      const foundry = projectFolder({
        ...foundryBuild(),
        ...broadcast({ Counter: counter }),
        "bin/forge": "#!/bin/sh\necho 'no such file' >&2; exit 1\n",
      });
      const PATH = `${join(foundry, "bin")}${delimiter}${process.env.PATH}`;
      const failed = await runCli(words("--foundry", foundry), { env: { ...service.env, PATH } });
      expect(rowsOf(failed.out)[0]?.[3]).toMatch(
        /^it needs 2 files .*, and the flattener failed: .*no such file/s,
      );
    },
  );

  test("verifies what a node has, in this process", async () => {
    const node = await startAnvil();
    onTestFinished(() => node.stop());
    const [from] = (await node.ask("eth_accounts")) as string[];
    const send = (data: string, to?: Address) =>
      node.ask("eth_sendTransaction", { from, to, data, gas: "0x2dc6c0" });
    const data = codeOf("Counter").creation + word(3n).slice(2);
    await send(data);
    await send(data.replace(/(?<=6970667358221220).{64}/, "ab".repeat(32)));
    // What fails, and what destroys itself, is no contract.
    for (const creation of ["0xfe", "0x33ff"]) await send(creation);
    // Creates what follows the first byte; if that is not zero, it undoes it: the next one gets its address.
    const factory = "0x6001360380600160003760006000f060003560001a601957005b60006000fd";
    await node.ask("anvil_setCode", ELSEWHERE, factory);
    await send(`0x01${codeOf("Shop").creation.slice(2)}`, ELSEWHERE);
    await send(`0x00${data.slice(2)}`, ELSEWHERE);
    await node.ask("anvil_mine", "0x1");
    const project = projectFolder(hardhatBuild());
    const { code, out, err } = await runCli(["verify", "--hardhat", project, "--rpc", node.url], {
      env: {},
    });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(rowsOf(out).map(([, ...verdict]) => verdict)).toEqual([
      ["contracts/Counter.sol:Counter", "verified", "exact"],
      ["contracts/Counter.sol:Counter", "verified", "partial"],
      ["contracts/Counter.sol:Counter", "verified", "exact"],
    ]);
  });
});

describe("verify says what is wrong with", () => {
  const env = { EXPLORER_API_KEY: "any", EXPLORER_BASE_URL: "http://127.0.0.1:9" };

  const build = "out/build-info/a.json";
  test.each<[string, string, () => Readonly<Record<string, unknown>>, number, RegExp]>([
    ["no project", "", () => ({}), 2, /Missing --hardhat or --foundry/],
    ["no folder", "--hardhat none", () => ({}), 1, /none does not exist/],
    ["no folder", "--foundry none", () => ({}), 1, /none does not exist/],
    [
      "a project that is not compiled",
      "--hardhat .",
      () => ({ "hardhat.config.ts": "" }),
      1,
      /No build-info with sources in .*artifacts.build-info: run npx hardhat compile/,
    ],
    [
      "a Foundry project that has only the list of its files",
      "--foundry .",
      () => ({ [build]: { id: "a", source_id_to_path: {}, language: "Solidity" } }),
      1,
      /No build-info with sources in .*: run forge build --build-info/,
    ],
    [
      "a build-info of another form",
      "--foundry .",
      () => ({ [build]: { id: "a", language: "Solidity" } }),
      1,
      /a\.json: .*solcVersion/,
    ],
    [
      "a project without deployments",
      "--hardhat .",
      hardhatBuild,
      1,
      /recorded no deployments: name the contracts with --address/,
    ],
    [
      "an address",
      "--hardhat . --address 0x12",
      hardhatBuild,
      2,
      /--address "0x12": expected 0x and 40 hexadecimal digits/,
    ],
  ])("%s: verify %s", async (_, options, files, code, err) => {
    const project = projectFolder(files());
    const words = `verify ${options}`.trim().split(" ");
    const given = words.map((word) => (/^(\.|none)$/.test(word) ? join(project, word) : word));
    expect(await runCli(given, { env })).toMatchObject({ code, err: expect.stringMatching(err) });
  });
});
