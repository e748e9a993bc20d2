// What is known of a verified contract: its ABI entries (specification 2.10) and its record (2.11).
import { listKind, recordKind } from "./compose.ts";
import { type Decoded, type Encoded, model } from "./model.ts";
import { address, flag, integer, nullable, status, text, timestamp } from "./primitives.ts";

const parameter = /*#__PURE__*/ recordKind({ name: nullable(text), type: text });

export const abiEntryKind = /*#__PURE__*/ recordKind(
  {
    name: nullable(text),
    /** function, event, constructor … */
    type: text,
    inputs: nullable(listKind(parameter)),
    outputs: nullable(listKind(parameter)),
    payable: nullable(flag),
    constant: nullable(flag),
    stateMutability: nullable(text),
  },
  "AbiEntry",
);
/** One entry of a contract's ABI as the service sends it (specification 2.10); what else a compiler wrote is kept. */
export const AbiEntry = /*#__PURE__*/ model(abiEntryKind);
export type AbiEntry = Decoded<typeof AbiEntry>;
export type AbiEntryWire = Encoded<typeof AbiEntry>;

export const verifiedContractKind = /*#__PURE__*/ recordKind(
  {
    address,
    logo: nullable(text),
    /** The compiler's version. */
    compiler: nullable(text),
    /** A serialized list. */
    libraries: nullable(text),
    verify_date: nullable(timestamp),
    contract_name: nullable(text),
    /** The optimizer's `runs`. */
    runs_optimizer: nullable(integer),
    /** "1" enabled, "0" not. */
    optimization_enabled: nullable(status),
    /** The runtime bytecode in hexadecimal. */
    contract_code: nullable(text),
    contract_abi: nullable(listKind(abiEntryKind)),
    contract_source: nullable(text),
    /** May be empty. */
    constructor_arguments: nullable(text),
    /** Where the source's metadata lies: a content address. Spelled so by the specification. */
    swam_source: nullable(text),
    verify_status: nullable(status),
    verify_message: nullable(text),
  },
  "VerifiedContract",
);
/** The record of a verified contract (specification 2.11). */
export const VerifiedContract = /*#__PURE__*/ model(verifiedContractKind);
export type VerifiedContract = Decoded<typeof VerifiedContract>;
export type VerifiedContractWire = Encoded<typeof VerifiedContract>;
