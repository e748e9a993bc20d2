// Verified contracts: ABI entries (specification 2.10) and the contract record (2.11).
import * as z from "zod/mini";
import { codec } from "./codec.ts";
import { type Decoded, type Encoded, list, model } from "./model.ts";
import { address, flag, integer, orNull, status, text, timestamp } from "./primitives.ts";
import { jsonAsList, nullable, reading } from "./reading.ts";

const parameter = model({
  /** The name; empty or null if the source has none. */
  name: orNull(text),
  /** The type, such as uint256 or address[]. */
  type: text,
});

/** An ABI entry as the service sends it, including further fields of the compiler. */
export const AbiEntry = model({
  /** The name in the source; null for constructors, fallback and receive functions. */
  name: orNull(text),
  /** The kind of entry: function, event, constructor, error, fallback or receive. */
  type: text,
  /** The parameters. */
  inputs: orNull(list(parameter)),
  /** The return values; null for entries that return nothing, such as events. */
  outputs: orNull(list(parameter)),
  /** Whether the function accepts coins; null if the compiler does not say. */
  payable: orNull(flag),
  /** Whether the function changes no state; null if the compiler does not say. */
  constant: orNull(flag),
  /** pure, view, nonpayable or payable; null for events and errors. */
  stateMutability: orNull(text),
});
/** Creates the schema of an ABI, which some deployments send as JSON text (R16). */
export const abi = () => reading(list(AbiEntry), jsonAsList);
export interface AbiEntry extends Decoded<typeof AbiEntry> {}
export type AbiEntryWire = Encoded<typeof AbiEntry>;

/**
 * How much of a source is proven: "exact" proves all of it, "partial" only the behaviour of the
 * program. Servers may add other levels.
 */
export type VerificationLevel = "exact" | "partial" | (string & {});

const levelOf = (value: unknown) => (typeof value === "string" ? value : undefined);

const verificationLevel = codec<VerificationLevel>({
  expected: "a verification level",
  json: { type: "string", enum: ["exact", "partial"] },
  decode: levelOf,
  encode: levelOf,
});

/** The result of a verification. Only the server of this package sends more than `data`. */
export const Verification = model({
  /** "1": verified. */
  data: status,
  /** How much is proven. */
  verify_level: z.optional(nullable(verificationLevel)),
  /** The parts that are not proven, such as "metadata hash"; empty if the proof is exact. */
  verify_uncovered: z.optional(nullable(list(text))),
  /** The parts that were compared, and whether an earlier proof was replaced. */
  verify_message: z.optional(z.nullable(text)),
});
export interface Verification extends Decoded<typeof Verification> {}
export type VerificationWire = Encoded<typeof Verification>;

/** The record of a verified contract. */
export const VerifiedContract = model({
  /** The address of the contract. */
  address,
  /** The URL of the project's logo; null if it has none. */
  logo: orNull(text),
  /** The compiler's version. */
  compiler: orNull(text),
  /** The linked libraries, as a serialized list. */
  libraries: orNull(text),
  /** When the source was verified, in UTC. */
  verify_date: orNull(timestamp),
  /** The name of the contract in its source. */
  contract_name: orNull(text),
  /** The optimizer's `runs`. */
  runs_optimizer: orNull(integer),
  /** "1" enabled, "0" disabled. */
  optimization_enabled: orNull(status),
  /** The runtime bytecode in hexadecimal; "0x" without code. */
  contract_code: orNull(text),
  /** The ABI that the compiler wrote. */
  contract_abi: orNull(abi()),
  /** The source text. */
  contract_source: orNull(text),
  /** The ABI-encoded constructor arguments in hexadecimal; may be empty. */
  constructor_arguments: orNull(text),
  /** The Swarm address of the source's metadata. The API spells the name without "r". */
  swam_source: orNull(text),
  /** "1" if verified; other values are not specified. */
  verify_status: orNull(status),
  /** The verifier's report; null if there is none. */
  verify_message: orNull(text),
  /** How much is proven. Only the server of this package sends this and `verify_uncovered`. */
  verify_level: z.optional(nullable(verificationLevel)),
  /** The parts that are not proven, such as "metadata hash"; empty if the proof is exact. */
  verify_uncovered: z.optional(nullable(list(text))),
});
export interface VerifiedContract extends Decoded<typeof VerifiedContract> {}
export type VerifiedContractWire = Encoded<typeof VerifiedContract>;
