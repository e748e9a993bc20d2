// Compiles contracts with solc's own package, as a deployer would, and puts them on a chain.
import { createRequire } from "node:module";
import type { Address, Hex } from "../../mocks/chain/records.ts";
import { lastMetadata } from "../../mocks/ingest/metadata.ts";
import type { OnChainContract, Submission } from "../../mocks/operations/verifier.ts";
import { createVerifier, type VerifierOptions } from "../../mocks/verify/verifier.ts";
import { environmentFolder, isInstalled } from "../support/environments.ts";

export const ADDRESS: Address = `0x${"c0".repeat(20)}`;

export const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString("hex")}`;
export const bytesOf = (hex: Hex) => Buffer.from(hex.slice(2), "hex");
/** A number as the digits of a word. */
export const word = (value: bigint) => value.toString(16).padStart(64, "0");

/** Replaces the last 32 bytes of the metadata hash. */
export function withDigest(code: Hex, digest: Uint8Array): Hex {
  const bytes = bytesOf(code);
  const { start = 0, hash } = lastMetadata(bytes) ?? {};
  if (!hash) throw new Error("expected code with a metadata hash");
  bytes.set(digest, bytes.indexOf(hash, start) + hash.length - 32);
  return hexOf(bytes);
}

const solcFolder = environmentFolder("solc");

/** Whether the compilers that only long tests need are installed. */
export const hasOldCompilers = (): boolean => isInstalled(solcFolder);

/** The compilers that attacks are tried with. */
export const compilers = ["0.5.17", "0.6.12", "0.7.6", "0.8.20", "0.8.28", "0.8.37"];
export const withImmutables = compilers.filter((version) => version > "0.6.5");

/** Creates a verifier that finds the old compilers, too. */
export const createVerifierOfAll = (options: VerifierOptions = {}) =>
  createVerifier({ ...options, solc: hasOldCompilers() ? [solcFolder] : [] });

// From this folder, Node finds node_modules of the project as well.
const requireHere = createRequire(`${solcFolder}package.json`);

export interface Wanted {
  readonly version: string;
  readonly source: string;
  readonly name: string;
  readonly file?: string;
  readonly optimizer?: boolean;
  readonly runs?: number;
  readonly libraries?: Readonly<Record<string, Address>>;
  readonly settings?: object;
  /** Other files, by name. */
  readonly more?: Readonly<Record<string, string>>;
}

interface Output {
  readonly errors?: readonly { severity: string; formattedMessage: string }[];
  readonly contracts: Record<
    string,
    Record<
      string,
      {
        evm: { bytecode: { object: string }; deployedBytecode: { object: string } };
        abi: unknown[];
      }
    >
  >;
}

interface Code {
  readonly creation: Hex;
  readonly runtime: Hex;
}

const compiled = new Map<string, Code>();

/** Compiles and links with solc's own package. Caches the code of each source. */
export function compile(wanted: Wanted): Code {
  const key = JSON.stringify(wanted);
  const code = compiled.get(key) ?? compileNow(wanted);
  compiled.set(key, code);
  return code;
}

function compileNow(wanted: Wanted): Code {
  const { version, source, name, file = "Original.sol", libraries = {} } = wanted;
  const solc = requireHere(`solc-${version}`);
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(
      Object.entries({ ...wanted.more, [file]: source }).map(([name, content]) => [
        name,
        { content },
      ]),
    ),
    settings: {
      optimizer: { enabled: wanted.optimizer ?? true, runs: wanted.runs ?? 200 },
      libraries: { [file]: libraries },
      outputSelection: {
        "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] },
      },
      ...wanted.settings,
    },
  };
  const run: (input: string) => string = solc.compile ?? solc.compileStandardWrapper;
  const output: Output = JSON.parse(
    version.startsWith("0.4.")
      ? solc.compileStandardWrapper(JSON.stringify(input))
      : run(JSON.stringify(input)),
  );
  const contract = output.contracts?.[file]?.[name];
  if (contract === undefined) throw new Error(JSON.stringify(output.errors));
  const { bytecode, deployedBytecode } = contract.evm;
  return { creation: `0x${bytecode.object}`, runtime: `0x${deployedBytecode.object}` };
}

export const onChain = (runtimeCode: Hex, ...creationCodes: Hex[]): OnChainContract => ({
  address: ADDRESS,
  runtimeCode,
  creationCodes,
});

export const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Returns the submission of a user for a contract. */
export const submit = (wanted: Wanted, changed: Partial<Submission> = {}): Submission => ({
  contract_name: wanted.name,
  compiler: wanted.version,
  runs_optimizer: wanted.runs ?? 200,
  optimization_enabled: (wanted.optimizer ?? true) ? 1 : 0,
  contract_source: base64(wanted.source),
  constructor_arguments: "",
  libraries: Object.entries(wanted.libraries ?? {}).map(([name, address]) => ({ name, address })),
  ...changed,
});

/** A source that keeps every compiler busy, because each function has much to optimise. */
export const endless = `contract A { ${Array.from(
  { length: 3000 },
  (_, i) =>
    `function f${i}(uint a, uint b) public returns (uint) { for (uint j = 0; j < a; j++) b = b * a + ${i} + uint(keccak256(abi.encode(a, b, j))); return b; }`,
).join("\n")} }`;
