// The decoded calls of a transaction, and why it failed.
import type { Address, ChainTransaction, Execution, Frame, Hex } from "../chain/records.ts";
import { cut } from "../ingest/read.ts";
import { decimal, decimalOrNull } from "../operations/format.ts";
import type { Decoder } from "./decode.ts";
import { cutReason } from "./format.ts";
import type { DecodedWire, FailureWire } from "./records.ts";
import { panicText } from "./standard-abi.ts";

/** The parts of a call that its one-line summary uses. A transaction is summarised the same way. */
type Call = Pick<ChainTransaction | Frame, "from" | "to" | "created" | "input"> &
  Pick<Frame, "error" | "output">;

/** Characters of a value in a reason. */
const MAX_VALUE = 80;

/** "NotEnough(has: 100)" */
function describeError({ name, arguments: values }: DecodedWire): string {
  const pairs = values.map(({ name, value }) => `${name}: ${cut(value, MAX_VALUE)}`);
  return `${name}(${pairs.join(", ")})`;
}

type Reason = Pick<FailureWire, "reason" | "kind" | "error">;

/** Messages with which nodes report a revert that returned no data. */
const PLAIN_REVERT = /^(execution |vm execution error:? )?reverted?\.?$/i;

/** Explains one failed call. Its error may be declared by any of the contracts in `from`. */
function reasonOf(call: Call, from: readonly Call[], decoder: Decoder): Reason {
  const { output = "0x", error } = call;
  if (output === "0x") {
    const isPlain = PLAIN_REVERT.test(error ?? "");
    const missing =
      isPlain && decoder.isMissing(call) ? ", and its source has no such function" : "";
    const reason = isPlain ? `reverted without a reason${missing}` : (error ?? "");
    return { kind: "none", reason: cutReason(reason), error: null };
  }
  const decoded = decoder.error(from, output);
  const [argument] = decoded?.arguments ?? [];
  switch (decoded?.signature) {
    case undefined:
      return { kind: "bytes", reason: cutReason(output), error: null };
    case "Error(string)":
      return { kind: "message", reason: argument?.value ?? "", error: null };
    case "Panic(uint256)": {
      return { kind: "panic", reason: panicText(argument?.value ?? ""), error: null };
    }
    default:
      return {
        kind: "error",
        reason: cutReason(describeError(decoded as DecodedWire)),
        error: decoded,
      };
  }
}

/** Limit of contracts whose ABIs are tried for the error of each call. */
const MAX_ABIS = 50;

/** The contract whose code a call runs. */
const codeOf = ({ to, created }: Call): Address | null => to ?? created;

const outputOf = ({ output }: Call): Hex => output ?? "0x";

type PlacedCall = Call & Pick<Frame, "traceAddress">;

/** The failed calls from the transaction down. Each ended right after the call within it failed. */
function failedPath({ transaction, frames }: Execution): readonly PlacedCall[] {
  /** The last call at each depth. The transaction itself has depth 0. */
  const last: PlacedCall[] = [{ ...transaction, traceAddress: [] }];
  for (const frame of frames) last.splice(frame.traceAddress.length, last.length, frame);
  const succeeded = last.findIndex(({ error }) => error === null);
  return succeeded < 0 ? last : last.slice(0, succeeded);
}

/** Whether a call returned the error of the call within it. */
const isPassedOn = (call: Call, within: Call | undefined): boolean =>
  within !== undefined && outputOf(within) === outputOf(call);

/** The call of a path in which the failure began. */
const beganIn = (path: readonly PlacedCall[]): PlacedCall | undefined =>
  path.find((call, index) => !isPassedOn(call, path[index + 1]));

/** The call whose code failed. If the called account has no code, its caller failed. */
export function failedCall(
  execution: Execution,
  hasCode: (address: Address) => boolean,
): PlacedCall | undefined {
  if (execution.transaction.succeeded !== false) return undefined;
  return beganIn(failedPath(execution).filter(({ to }) => to === null || hasCode(to)));
}

/** Returns null if the transaction succeeded or nothing is known. */
export function failureIn(execution: Execution, decoder: Decoder): FailureWire | null {
  const { transaction } = execution;
  if (transaction.succeeded !== false || transaction.error === null) return null;
  const calls = failedPath(execution);
  // Contracts pass on the errors of the contracts they call, so the innermost is tried first.
  const from = calls.toReversed();
  const path = calls.map((call, index) => {
    const { reason, error } = reasonOf(call, from, decoder);
    return {
      trace_address: [...call.traceAddress],
      address: codeOf(call),
      call: callOf(call, decoder),
      reason,
      error,
      passed_on: isPassedOn(call, calls[index + 1]),
    };
  });
  const began = beganIn(calls) ?? transaction;
  return {
    ...reasonOf(began, from, decoder),
    output: outputOf(began),
    trace_error: cutReason(transaction.error),
    path,
  };
}

export const callOf = (
  { to, created, input }: Pick<Call, "to" | "created" | "input">,
  decoder: Decoder,
): DecodedWire | null => (to === null ? decoder.creation(created, input) : decoder.call(to, input));

/** The transaction and its first calls, in order. */
export function callRecords(
  { transaction, frames }: Execution,
  decoder: Decoder,
  most: number,
  outputs: readonly (string | undefined)[],
) {
  const root = {
    ...transaction,
    type: transaction.to === null ? "create" : "call",
    traceAddress: [],
    undone: transaction.succeeded === false,
  };
  const shown = [root, ...frames.slice(0, most)];
  // Any of the contracts that were called may have declared an error.
  const callees = [...new Map(shown.map((call) => [codeOf(call), call])).values()].slice(
    0,
    MAX_ABIS,
  );
  // If the tracer counts calls differently, its outputs cannot be assigned to them.
  const outputOfCall = (index: number): string =>
    (outputs.length === frames.length + 1 ? outputs[index] : undefined) ?? "0x";
  return shown.map((call, index) => {
    const failed = call.error === null ? null : reasonOf(call, [call, ...callees], decoder);
    return {
      trace_address: [...call.traceAddress],
      type: call.type,
      sender: call.from,
      receiver: call.to,
      created: call.created,
      value: decimal(call.value),
      gas_used: decimalOrNull(call.gasUsed),
      undone: call.undone,
      reason: failed?.reason ?? null,
      error: failed?.error ?? null,
      call: callOf(call, decoder),
      returned: call.error === null ? decoder.result(call, outputOfCall(index)) : null,
    };
  });
}
