// Reads a submission of the compiler's standard JSON input: several files, and settings that C3 has no field for.
import * as z from "zod/mini";
import { check } from "../../src/models/issues.ts";
import type { InputSubmission } from "./port.ts";
import {
  addressSchema,
  constructorArguments,
  contractName,
  evmVersionSchema,
  isNot,
  MAX_SOURCE_BYTES,
  type ReadSubmission,
  runsSchema,
  SubmissionError,
  splitName,
} from "./submission.ts";

const text = z.string(isNot("text"));
const flag = z.boolean(isNot("true or false"));
const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.object(shape, isNot("an object"));
const byName = <Value extends z.core.SomeType>(value: Value) =>
  z.record(z.string(), value, isNot("an object"));

/** The optimizer's own schema is stricter; this one keeps out nesting of any depth. */
const detail = z.union([z.boolean(), z.record(z.string(), z.union([z.boolean(), z.string()]))], {
  error: () => "is another value: expected true, false, or an object of these and texts",
});

/** The parts of the input that are used. The submitter does not choose which code is compiled, nor its form (`viaIR`, `metadata`). */
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

const submissionSchema = z.object({
  contract_name: contractName,
  constructor_arguments: z.optional(constructorArguments),
});

/** A value in its schema's form. @throws SubmissionError that names all that is invalid */
function read<S extends z.ZodMiniType>(schema: S, value: unknown, what = ""): z.output<S> {
  const { value: found, issues } = check(schema, value);
  if (issues === undefined) return found;
  const all = issues.map(({ path, expected }) => [what, path.join("."), expected]);
  throw new SubmissionError(all.map((words) => words.filter(Boolean).join(" ")).join("; "));
}

function parse(text: string): unknown {
  const { length } = new TextEncoder().encode(text);
  if (length > MAX_SOURCE_BYTES)
    throw new SubmissionError(
      `The standard JSON input has ${length} bytes; at most ${MAX_SOURCE_BYTES} are compiled`,
    );
  try {
    return JSON.parse(text);
  } catch {
    throw new SubmissionError("The standard JSON input is not JSON");
  }
}

/** The compiler's `runs` where the input names none. */
const DEFAULT_RUNS = 200;

/** @throws SubmissionError that names what is invalid */
export function readInputSubmission(submission: InputSubmission): ReadSubmission {
  const { contract_name: name, constructor_arguments } = read(submissionSchema, submission);
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
    libraries: Object.entries(libraries ?? {}).flatMap(([own, addresses]) =>
      Object.entries(addresses).map(([name, address]) => ({
        file: own,
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
