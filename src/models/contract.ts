// Verified contracts: ABI entries (specification 2.10) and the contract record (2.11).
import * as z from "zod/mini";
import { codec } from "./codec.ts";
import { type Decoded, type Encoded, list, model } from "./model.ts";
import { address, flag, integer, orNull, status, text, timestamp } from "./primitives.ts";
import { jsonAsList, nullable, reading } from "./reading.ts";

const parameter = model({ name: orNull(text), type: text });

/** An ABI entry as the service sends it (specification 2.10); other fields of the compiler are kept. */
export const AbiEntry = model({
  name: orNull(text),
  /** function, event, constructor … */
  type: text,
  inputs: orNull(list(parameter)),
  outputs: orNull(list(parameter)),
  payable: orNull(flag),
  constant: orNull(flag),
  stateMutability: orNull(text),
});
/** An ABI; some deployments write it as JSON text (R16). */
export const abi = () => reading(list(AbiEntry), jsonAsList);
export interface AbiEntry extends Decoded<typeof AbiEntry> {}
export type AbiEntryWire = Encoded<typeof AbiEntry>;

/** How much is proven of a source: all of it, or only what the program does; servers may add others. */
export type VerificationLevel = "exact" | "partial" | (string & {});

const levelOf = (value: unknown) => (typeof value === "string" ? value : undefined);

const verificationLevel = codec<VerificationLevel>({
  expected: "a verification level",
  json: { type: "string", enum: ["exact", "partial"] },
  decode: levelOf,
  encode: levelOf,
});

/** The results of C3. All but `data` only of mrc-explorer's own server (S35). */
export const Verification = model({
  /** "1": verified. */
  data: status,
  verify_level: z.optional(nullable(verificationLevel)),
  /** What the proof leaves open, such as "metadata hash"; empty if it is exact. */
  verify_uncovered: z.optional(nullable(list(text))),
  /** The parts that were compared, and the state of the proof recorded before. */
  verify_message: z.optional(z.nullable(text)),
});
export interface Verification extends Decoded<typeof Verification> {}
export type VerificationWire = Encoded<typeof Verification>;

/** The record of a verified contract (specification 2.11). */
export const VerifiedContract = model({
  address,
  logo: orNull(text),
  /** The compiler's version. */
  compiler: orNull(text),
  /** A serialized list. */
  libraries: orNull(text),
  verify_date: orNull(timestamp),
  contract_name: orNull(text),
  /** The optimizer's `runs`. */
  runs_optimizer: orNull(integer),
  /** "1" enabled, "0" disabled. */
  optimization_enabled: orNull(status),
  /** The runtime bytecode in hexadecimal. */
  contract_code: orNull(text),
  contract_abi: orNull(abi()),
  contract_source: orNull(text),
  /** May be empty. */
  constructor_arguments: orNull(text),
  /** The content address of the source's metadata; the specification's spelling. */
  swam_source: orNull(text),
  verify_status: orNull(status),
  verify_message: orNull(text),
  /** Only of mrc-explorer's own server (S35), as is `verify_uncovered`. */
  verify_level: z.optional(nullable(verificationLevel)),
  /** What the proof leaves open, such as "metadata hash"; empty if it is exact. */
  verify_uncovered: z.optional(nullable(list(text))),
});
export interface VerifiedContract extends Decoded<typeof VerifiedContract> {}
export type VerifiedContractWire = Encoded<typeof VerifiedContract>;
