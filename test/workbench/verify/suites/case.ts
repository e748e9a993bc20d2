// A case of a verifier's public test suite: a contract on a chain, a submission, and what that verifier says of it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Hex } from "../../../../mocks/double/chain/records.ts";
import { buildChain, type ChainBuilder, coins } from "../../../../mocks/index.ts";
import type { Anvil } from "../../../support/anvil.ts";

export interface Case {
  /** Names the case within its suite. */
  readonly name: string;
  /** The name of the contract's file. */
  readonly file: string;
  readonly contract: string;
  readonly source: string;
  readonly compiler: string;
  readonly optimizer: boolean;
  readonly runs: number;
  readonly evmVersion?: string | undefined;
  readonly libraries: readonly { readonly name: string; readonly address: string }[];
  /** Without 0x. */
  readonly constructorArguments: string;
  readonly runtime: Hex;
  /** The input of the creating transaction, with arguments; undefined where the suite has none. */
  readonly creation?: Hex | undefined;
  readonly expected: "verified" | "refused";
  /** How much the suite says is proven: whether the metadata hash matches. Undefined where it does not say. */
  readonly level?: "exact" | "partial" | undefined;
}

/** A case that a single Solidity file cannot express, or that needs what is not at hand. */
export interface LeftOut {
  readonly name: string;
  readonly leftOut: string;
}

export interface Suite {
  readonly name: string;
  /** What it was read from. */
  readonly source: string;
  readonly cases: readonly (Case | LeftOut)[];
}

/** The folder with checkouts of the suites' repositories; undefined where there is none. */
export const checkouts = process.env.VERIFICATION_SUITES;

/** A folder of a checkout, if it is there. */
export function checkout(...path: readonly string[]): string | undefined {
  const folder = checkouts === undefined ? undefined : join(checkouts, ...path);
  return folder !== undefined && existsSync(folder) ? folder : undefined;
}

export const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

export const hex = (text: string): Hex => `0x${text.trim().replace(/^0x/, "").toLowerCase()}`;

/** Who deploys, on the node and on the chain of a case: constructors keep their sender and their address. */
export const deployerOn = (builder: ChainBuilder) => builder.account({ balance: coins(1000) });

const DEPLOYER = deployerOn(buildChain());

/** The runtime code that a creation returns, as a node runs it. */
export const runCreation = async (node: Anvil, data: Hex): Promise<Hex> =>
  hex(z.string().parse(await node.ask("eth_call", { from: DEPLOYER, data })));

/** A compiler's settings, as far as a submission has them. */
export const settingsSchema = z.object({
  optimizer: z.optional(
    z.object({ enabled: z.optional(z.boolean()), runs: z.optional(z.number()) }),
  ),
  evmVersion: z.optional(z.string()),
});

/** Libraries by file, or by "file:name" as metadata and link values have them. */
export const librariesSchema = z.record(
  z.string(),
  z.union([z.string(), z.record(z.string(), z.string())]),
);

const bareName = (name: string) => name.slice(name.lastIndexOf(":") + 1);

/** The libraries in the form of a submission. */
export const librariesOf = (libraries: z.infer<typeof librariesSchema> = {}) =>
  Object.entries(libraries).flatMap(([key, value]) =>
    typeof value === "string"
      ? [{ name: bareName(key), address: value }]
      : Object.entries(value).map(([name, address]) => ({ name, address })),
  );

/** The settings of a case. */
export const settingsOf = ({ optimizer, evmVersion }: z.infer<typeof settingsSchema>) => ({
  optimizer: optimizer?.enabled ?? false,
  runs: optimizer?.runs ?? 200,
  evmVersion,
});
