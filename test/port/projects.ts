// The tools that verify with Etherscan, each with a project of its own, where they are installed.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Address } from "../../mocks/chain/records.ts";
import { packageFile } from "../../scripts/package-file.ts";
import { environmentFolder } from "../support/environments.ts";
import { createProject, type Project } from "../support/project.ts";

const SOLC = fileURLToPath(new URL("../../node_modules/solc-0.8.28/", import.meta.url));
const VERSION = "0.8.28+commit.7893614a";

/** Where a project's node and explorer are. */
export interface Addresses {
  readonly rpc: string;
  readonly explorer: string;
}

/** How a program ended, and all it wrote. */
export interface Run {
  readonly code: number;
  readonly output: string;
}

/** A project with one contract, `Counter`, whose constructor takes a number. */
export interface ToolProject extends Project {
  /** The environment of its programs. */
  readonly env: Readonly<Record<string, string>>;
  deploy(first: number): Promise<Address>;
  /** The address of what the tool deploys with these words. */
  deployed(words: readonly string[]): Promise<Address>;
  verify(address: Address, first: number): Promise<Run>;
  /** Adds the explorer to foundry.toml, as the documentation shows. */
  addExplorer(): void;
  /** Runs a command of the documentation, with more words; `row` is how its table calls it. */
  documented(row: string, address: Address, more?: readonly string[]): Promise<Run>;
}

export interface Tool {
  readonly installed: boolean;
  create(sources: Readonly<Record<string, string>>, at: Addresses): ToolProject;
}

export type ToolName = "forge" | "hardhat-2" | "hardhat-3" | "hardhat-upgrades";

interface Form {
  readonly program: string;
  readonly sourceFolder: string;
  files(at: Addresses): Readonly<Record<string, string>>;
  deploy(first: number, at: Addresses): readonly string[];
  verify(address: Address, first: number, at: Addresses): readonly string[];
}

const word = (value: number) => value.toString(16).padStart(64, "0");

const page = packageFile("docs/verification.md").read();

/** What the documentation shows, with these addresses in place of its own. */
const shown = (found: RegExpExecArray | null, at: Addresses): string => {
  if (found === null) throw new Error("docs/verification.md does not show it");
  return (found[1] ?? "")
    .replaceAll("http://127.0.0.1:1717", at.explorer)
    .replaceAll("http://127.0.0.1:8545", at.rpc);
};

const shownConfiguration = (tool: string, at: Addresses) =>
  shown(new RegExp(`For ${tool}[^\`]*\`\`\`js\n([^\`]*)\`\`\``).exec(page), at);

/** The arguments of the program in the shown command. */
function shownCommand(tool: string, address: Address, first: number, at: Addresses) {
  const command = shown(
    new RegExp(`\\| ${tool} \\| \`(?:npx hardhat|forge|cast) ([^\`]*)\``).exec(page),
    at,
  );
  return command.split(" ").map((one) => ({ ADDRESS: address, 7: `${first}` })[one] ?? one);
}

/** A compiler as forge calls it, of the npm package: no native one can be installed from there. */
const compiler = `#!${process.execPath}
const solc = require(${JSON.stringify(SOLC)});
if (process.argv.includes("--version")) console.log("Version: " + solc.version());
else process.stdout.write(solc.compile(require("node:fs").readFileSync(0, "utf8")));
`;

const foundryBinary = (program: "forge" | "cast") => {
  const name = `${program}-${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
  return `${environmentFolder("forge")}node_modules/@foundry-rs/${name}/bin/${program}`;
};

const foundryToml = `[profile.default]
libs = []
solc = "0.8.28"
offline = true
cache = false
`;

/** How forge creates a contract; `rest`: more options. */
export const forgeCreate = (contract: string, { rpc }: Addresses, ...rest: readonly string[]) => [
  ...["create", contract, "--broadcast", "--rpc-url", rpc],
  ...["--unlocked", "--from", "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"],
  ...rest,
];

const forge: Form = {
  program: foundryBinary("forge"),
  sourceFolder: "src",
  files: () => ({
    "foundry.toml": foundryToml,
    // Where forge keeps the compilers that it has downloaded.
    "home/.svm/0.8.28/solc-0.8.28": compiler,
  }),
  deploy: (first, at) =>
    forgeCreate("src/Counter.sol:Counter", at, "--constructor-args", `${first}`),
  verify: (address, first, at) => [
    ...shownCommand("forge", address, first, at),
    ...["--constructor-args", `0x${word(first)}`],
    // Without the commit, forge asks the network for it.
    ...["--compiler-version", VERSION],
  ],
};

/** The program of either Hardhat. */
function hardhatScript(folder: string): string {
  const manifest = `${environmentFolder(folder)}node_modules/hardhat/package.json`;
  const { bin } = existsSync(manifest)
    ? (JSON.parse(readFileSync(manifest, "utf8")) as { bin: string | { hardhat: string } })
    : { bin: "" };
  return join(dirname(manifest), typeof bin === "string" ? bin : bin.hardhat);
}

/** The body of a script that deploys; both Hardhats have the provider and the artifact in their own ways. */
const deploying = `
const [from] = await provider.request({ method: "eth_accounts" });
const data = bytecode + BigInt(process.env.FIRST).toString(16).padStart(64, "0");
const hash = await provider.request({ method: "eth_sendTransaction", params: [{ from, data, gas: "0x200000" }] });
let receipt = null;
while (receipt === null) receipt = await provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
console.log("Deployed to: " + receipt.contractAddress);
`;

/** A configuration of Hardhat 2: the documented one, with the compiler from npm and more plugins. */
const hardhat2Files = (at: Addresses, plugins = "") => ({
  "shown.js": shownConfiguration("Hardhat 2", at),
  "hardhat.config.js": `
const { subtask } = require("hardhat/config");
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require("hardhat/builtin-tasks/task-names");
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({
  version: "0.8.28",
  longVersion: "${VERSION}",
  compilerPath: ${JSON.stringify(`${SOLC}soljson.js`)},
  isSolcJs: true,
}));
module.exports = require("./shown.js");
${plugins}`,
});

const hardhat2: Form = {
  program: hardhatScript("hardhat-2"),
  sourceFolder: "contracts",
  files: (at) => ({
    ...hardhat2Files(at),
    "deploy.js": `
(async () => {
const { provider } = hre.network;
const { bytecode } = await hre.artifacts.readArtifact("Counter");
${deploying}
})();`,
  }),
  deploy: () => ["run", "deploy.js", "--network", "mrc"],
  verify: (address, first, at) => shownCommand("Hardhat 2", address, first, at),
};

const hardhat3: Form = {
  program: hardhatScript("hardhat-3"),
  sourceFolder: "contracts",
  files: (at) => ({
    "package.json": `{ "type": "module" }`,
    "shown.js": shownConfiguration("Hardhat 3", at),
    "hardhat.config.js": `
import shown from "./shown.js";
const path = ${JSON.stringify(`${SOLC}soljson.js`)};
export default { ...shown, solidity: { version: shown.solidity, path } };`,
    "deploy.js": `
import { artifacts, network } from "hardhat";
const { provider } = await network.create();
const { bytecode } = await artifacts.readArtifact("Counter");
${deploying}`,
  }),
  deploy: () => ["run", "deploy.js", "--network", "mrc", "--build-profile", "production"],
  verify: (address, first, at) => shownCommand("Hardhat 3", address, first, at),
};

/** The kinds of proxies that OpenZeppelin's plugin deploys, by the number that `deploy` takes. */
export const proxyKinds = ["transparent", "uups", "beacon"] as const;

const hardhatUpgrades: Form = {
  program: hardhatScript("hardhat-upgrades"),
  sourceFolder: "contracts",
  files: (at) => ({
    ...hardhat2Files(at, 'require("@openzeppelin/hardhat-upgrades");'),
    "deploy.js": `
(async () => {
const kind = ${JSON.stringify(proxyKinds)}[process.env.FIRST];
const Box = await hre.ethers.getContractFactory("Box");
const proxy = kind === "beacon"
  ? await hre.upgrades.deployBeaconProxy(await hre.upgrades.deployBeacon(Box), Box, [7])
  : await hre.upgrades.deployProxy(Box, [7], { kind, unsafeAllow: ["missing-public-upgradeto"] });
console.log("Deployed to: " + await proxy.getAddress());
})();`,
  }),
  deploy: () => ["run", "deploy.js", "--network", "mrc"],
  verify: (address, first, at) =>
    shownCommand("OpenZeppelin's hardhat-upgrades", address, first, at),
};

const forms: Readonly<Record<ToolName, Form>> = {
  forge,
  "hardhat-2": hardhat2,
  "hardhat-3": hardhat3,
  "hardhat-upgrades": hardhatUpgrades,
};

/** The package of a tool that verifies; forge does by itself. */
const plugins: Readonly<Record<ToolName, string>> = {
  forge: "",
  "hardhat-2": "@nomicfoundation/hardhat-verify",
  "hardhat-3": "@nomicfoundation/hardhat-verify",
  "hardhat-upgrades": "@openzeppelin/hardhat-upgrades",
};

/** Whether a tool and its plugin are installed; if not, this warns that the tests with them are skipped. */
function isInstalled(name: ToolName): boolean {
  const { program } = forms[name];
  const plugin = `${environmentFolder(name)}node_modules/${plugins[name]}/package.json`;
  const isThere = existsSync(program) && (name === "forge" || existsSync(plugin));
  if (!isThere) console.warn(`\n*** SKIPPED: ${name}. To run it: npm run ci:install ***\n`);
  return isThere;
}

/** Whether cast is there, too: it is a package of its own. */
export const castInstalled = existsSync(foundryBinary("cast"));

export const tool = (name: ToolName): Tool => ({
  installed: isInstalled(name),
  create(sources, at) {
    const form = forms[name];
    const project = createProject(name);
    const { folder, write } = project;
    for (const [path, content] of Object.entries(form.files(at))) write(path, content);
    for (const [path, content] of Object.entries(sources))
      write(`${form.sourceFolder}/${path}`, content);
    symlinkSync(`${environmentFolder(name)}node_modules`, join(folder, "node_modules"), "junction");

    const environment: Readonly<Record<string, string>> = {
      ...(process.env as Record<string, string>),
      ...{ HOME: join(folder, "home"), HARDHAT_DISABLE_TELEMETRY_PROMPT: "true" },
      ...{ NO_COLOR: "1", CI: "true" },
    };
    const run = (
      words: readonly string[],
      env: Readonly<Record<string, string>> = {},
      own = form.program,
    ) =>
      new Promise<Run>((resolve) => {
        const [program, ...first] = name === "forge" ? [own] : [process.execPath, own];
        const options = {
          cwd: folder,
          env: { ...environment, ...env },
        };
        execFile(program ?? "", [...first, ...words], options, (error, out, err) =>
          resolve({ code: error ? Number(error.code ?? -1) : 0, output: out + err }),
        );
      });
    const deployed = async (
      words: readonly string[],
      env: Readonly<Record<string, string>> = {},
    ) => {
      const { output } = await run(words, env);
      const address = /Deployed to: (0x[0-9a-fA-F]{40})/.exec(output)?.[1];
      if (address === undefined) throw new Error(`${name} did not deploy; it wrote:\n${output}`);
      return address.toLowerCase() as Address;
    };
    return {
      ...project,
      env: { ...environment, PATH: `${dirname(form.program)}${delimiter}${environment.PATH}` },
      deployed,
      deploy: (first) => deployed(form.deploy(first, at), { FIRST: `${first}` }),
      verify: (address, first) => run(form.verify(address, first, at)),
      addExplorer: () =>
        write("foundry.toml", foundryToml + shown(/```toml\n([^`]*)```/.exec(page), at)),
      documented: (row, address, more = []) =>
        run(
          [...shownCommand(row, address, 7, at), ...more],
          {},
          row.startsWith("cast") ? foundryBinary("cast") : form.program,
        ),
    };
  },
});
