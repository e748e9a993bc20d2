// Checks a submission without a compiler, and converts both kinds of submissions to one form.
import * as Base64 from "ox/Base64";
import * as z from "zod/mini";
import { messageOf } from "../../src/errors/base.ts";
import { isAddress } from "../../src/models/hex.ts";
import { check, describe, type Issue } from "../../src/models/issues.ts";
import { jsonIn } from "../../src/models/json.ts";
import type { InputSubmission, Submission } from "../operations/verifier.ts";
import { readArguments } from "./constructor-arguments.ts";

/** A submission that cannot be verified. The submitter gets the message. */
export class SubmissionError extends Error {
  override readonly name = "SubmissionError";
}

const MAX_SOURCE_BYTES = 2 ** 20;
const MAX_RUNS = 2 ** 32 - 1;

/** Makes the message of an invalid value, without the name of its field. */
const isNot = (expected: string) => ({
  error: ({ input }: { readonly input?: unknown }) => `is ${describe(input)}: expected ${expected}`,
});

/** Makes a schema that converts a text with `read`. Its errors become issues. */
const readAs = <Value>(read: (text: string) => Value) =>
  z.transform((text: string, { issues }): Value => {
    try {
      return read(text);
    } catch (error) {
      issues.push({ code: "custom", message: messageOf(error), input: text });
      return z.NEVER;
    }
  });

const source = readAs((base64) => {
  const compact = base64.replaceAll(/\s+/g, "");
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact) || compact.replaceAll("=", "").length % 4 === 1)
    throw new Error("is not base64");
  const bytes = Base64.toBytes(compact);
  if (bytes.length === 0) throw new Error("is empty");
  if (bytes.length > MAX_SOURCE_BYTES)
    throw new Error(`has ${bytes.length} bytes; at most ${MAX_SOURCE_BYTES} are compiled`);
  const isUtf16 =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) throw new Error("is UTF-16 text: save it as UTF-8");
  try {
    // The decoder drops a byte order mark, which compilers refuse.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("is not UTF-8 text");
  }
});

/** Hexadecimal without 0x. */
const constructorArguments = readAs((text) => {
  const hex = readArguments(text);
  if (hex === undefined) throw new Error("is not hexadecimal with two digits a byte");
  return hex;
});

const runs = isNot(`an integer from 0 to ${MAX_RUNS}`);
const runsSchema = z.int(runs).check(z.gte(0, runs), z.lte(MAX_RUNS, runs));

const evmVersionSchema = z
  .string()
  .check(z.trim(), z.regex(/^\w{0,40}$/, isNot('a name like "paris"')));

const addressSchema = z
  .string()
  .check(z.toLowerCase(), z.refine(isAddress, isNot("0x and 40 digits")));

/** Splits "Token.sol:Token". The file is left out if the name has none. */
export function splitName(name: string): { readonly file?: string; readonly contract: string } {
  const colon = name.lastIndexOf(":");
  const contract = name.slice(colon + 1);
  return colon < 0 ? { contract } : { file: name.slice(0, colon), contract };
}

const contractName = z
  .string()
  .check(
    z.regex(
      /^(?:[^\0]{1,255}:)?[A-Za-z_$][\w$]{0,255}$/,
      isNot('the name of a contract, perhaps after its file: "Token.sol:Token"'),
    ),
  );

const submissionSchema = z.object({
  contract_name: contractName,
  contract_source: source,
  constructor_arguments: constructorArguments,
  optimization_enabled: z.literal([0, 1], isNot("1 (on) or 0 (off)")),
  runs_optimizer: runsSchema,
  evm_version: z.nullish(evmVersionSchema),
  libraries: z.nullish(
    z.array(
      z.object({
        name: z.string(),
        address: addressSchema,
      }),
    ),
  ),
});

export interface ReadSubmission {
  readonly contract: string;
  /** The contract's file; undefined if the contract may be in any file. */
  readonly file: string | undefined;
  /** The files by name. */
  readonly sources: Readonly<Record<string, string>>;
  /** Hexadecimal without 0x. If undefined, the arguments on chain are recorded. */
  readonly constructorArguments: string | undefined;
  readonly optimizationEnabled: boolean;
  readonly runs: number;
  /** Null for the compiler's default. */
  readonly evmVersion: string | null;
  readonly libraries: readonly Library[];
  /** Settings that C3 has no field for. */
  readonly settings: MoreSettings;
}

export interface Library {
  readonly name: string;
  readonly address: `0x${string}`;
  /** The library's file; undefined if the library may be in any file. */
  readonly file?: string;
}

/** Settings of the compiler, each as in its standard JSON input. */
export interface MoreSettings {
  readonly remappings?: readonly string[] | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly debug?: { readonly revertStrings?: string | undefined } | undefined;
  /** Whether the metadata contains the text of the sources. */
  readonly useLiteralContent?: boolean | undefined;
  /** Only a hint, because the code on chain shows the pipeline. */
  readonly viaIR?: boolean | undefined;
}

/** Names a field for a message. */
function fieldLabel([field, index]: Issue["path"], { libraries }: Submission): string {
  const library = field === "libraries" ? libraries?.[Number(index)] : undefined;
  return library ? `The address of library ${describe(library.name)}` : String(field);
}

/** @throws SubmissionError that names every invalid field */
export function readSubmission(submission: Submission): ReadSubmission {
  const { value, issues } = check(submissionSchema, submission);
  if (issues)
    throw new SubmissionError(
      issues.map(({ path, expected }) => `${fieldLabel(path, submission)} ${expected}`).join("; "),
    );
  const { evm_version: evm, libraries, contract_name: name } = value;
  // C2 returns several files as one standard JSON input, and its record can be submitted again.
  if (/^\uFEFF?\s*\{/.test(value.contract_source))
    return readInputSubmission({ ...submission, standard_input: value.contract_source });
  const { contract, file = `${contract}.sol` } = splitName(name);
  return {
    contract,
    file,
    sources: { [file]: value.contract_source },
    constructorArguments: value.constructor_arguments,
    optimizationEnabled: value.optimization_enabled === 1,
    runs: value.runs_optimizer,
    evmVersion: !evm || evm === "default" ? null : evm,
    // Linkers put the file in front of a library's name: "PointMath.sol:PointMath".
    libraries: (libraries ?? []).map(({ name, address }) => ({
      name: splitName(name).contract,
      address: address as `0x${string}`,
    })),
    settings: {},
  };
}

const text = z.string(isNot("text"));
const flag = z.boolean(isNot("true or false"));
const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.object(shape, isNot("an object"));
const byName = <Value extends z.core.SomeType>(value: Value) =>
  z.record(z.string(), value, isNot("an object"));

/** Excludes deep nesting. The compiler itself checks the names and values. */
const detail = z.union([z.boolean(), z.record(z.string(), z.union([z.boolean(), z.string()]))], {
  error: () => "is another value: expected true, false, or an object of these and texts",
});

/**
 * The parts of the input that are used. The verifier chooses the outputs and the form of the code.
 */
const inputSchema = object({
  language: z.literal("Solidity", isNot('"Solidity", the only language compiled here')),
  sources: byName(object({ content: text })),
  settings: z.optional(
    object({
      remappings: z.optional(z.array(text, isNot("a list"))),
      optimizer: z.optional(
        object({
          enabled: z.optional(flag),
          runs: z.optional(runsSchema),
          details: z.optional(byName(detail)),
        }),
      ),
      evmVersion: z.nullish(evmVersionSchema),
      libraries: z.optional(byName(byName(addressSchema))),
      debug: z.optional(object({ revertStrings: z.optional(text) })),
      metadata: z.optional(object({ useLiteralContent: z.optional(flag) })),
      viaIR: z.optional(flag),
    }),
  ),
});

const inputSubmissionSchema = z.object({
  contract_name: contractName,
  constructor_arguments: z.optional(constructorArguments),
});

/** Reads a value by its schema. @throws SubmissionError that names all invalid fields */
function read<S extends z.ZodMiniType>(schema: S, value: unknown, subject = ""): z.output<S> {
  const { value: parsed, issues } = check(schema, value);
  if (issues === undefined) return parsed;
  const problems = issues.map(({ path, expected }) => [subject, path.join("."), expected]);
  throw new SubmissionError(problems.map((parts) => parts.filter(Boolean).join(" ")).join("; "));
}

/** Removes a byte order mark, which editors add, and Etherscan's second pair of braces. */
function unwrapped(text: string): string {
  const bare = text.replace(/^\uFEFF/, "").trim();
  return /^\{\s*\{/.test(bare) ? bare.slice(1, -1) : bare;
}

function parse(input: string): unknown {
  const text = unwrapped(input);
  const { length } = new TextEncoder().encode(text);
  if (length > MAX_SOURCE_BYTES)
    throw new SubmissionError(
      `The standard JSON input has ${length} bytes; at most ${MAX_SOURCE_BYTES} are compiled`,
    );
  const value = jsonIn(text);
  if (value === undefined) throw new SubmissionError("The standard JSON input is not JSON");
  return value;
}

/** The compiler's default for `runs`. */
const DEFAULT_RUNS = 200;

/** @throws SubmissionError that names the invalid fields */
export function readInputSubmission(submission: InputSubmission): ReadSubmission {
  const { contract_name: name, constructor_arguments } = read(inputSubmissionSchema, submission);
  const input = read(inputSchema, parse(submission.standard_input), "The standard JSON input:");
  const sources = Object.fromEntries(
    Object.entries(input.sources).map(([file, { content }]) => [file, content]),
  );
  const files = Object.keys(sources);
  const { contract, file } = splitName(name);
  if (file !== undefined && !Object.hasOwn(sources, file))
    throw new SubmissionError(
      `${JSON.stringify(name)} names no file of the standard JSON input: expected "file:contract", where the file is one of ${files.slice(0, 100).join(", ")}`,
    );
  const { optimizer, evmVersion, libraries, debug, metadata, remappings, viaIR } =
    input.settings ?? {};
  return {
    contract,
    file,
    sources,
    constructorArguments: constructor_arguments,
    optimizationEnabled: optimizer?.enabled ?? false,
    runs: optimizer?.runs ?? DEFAULT_RUNS,
    evmVersion: evmVersion || null,
    libraries: Object.entries(libraries ?? {}).flatMap(([libraryFile, addresses]) =>
      Object.entries(addresses).map(([name, address]) => ({
        file: libraryFile,
        name,
        address: address as `0x${string}`,
      })),
    ),
    settings: {
      remappings,
      details: optimizer?.details,
      debug,
      useLiteralContent: metadata?.useLiteralContent,
      viaIR,
    },
  };
}
