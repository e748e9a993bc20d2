// The calls of a transaction with what they say, and why it failed: the reason in words, where it began, and who passed it on.
import type { Address, ChainTransaction, Execution, Frame, Hex } from "../chain/records.ts";
import { decimal, decimalOrNull } from "../operations/format.ts";
import type { Decoder } from "./decode.ts";
import { cutReason } from "./format.ts";
import type { DecodedWire, FailureWire } from "./records.ts";
import { panicText } from "./standard-abi.ts";

/** What of a call its words are made of; the transaction is one, too. */
type Call = Pick<ChainTransaction | Frame, "from" | "to" | "created" | "input"> &
  Pick<Frame, "error" | "output">;

/** Characters of a value in a sentence. */
const MAX_VALUE = 80;

const short = (text: string): string =>
  text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;

/** "NotEnough(has: 100)" */
const inWords = ({ name, arguments: given }: DecodedWire): string =>
  `${name}(${given.map((one) => `${one.name}: ${short(one.value)}`).join(", ")})`;

type Reason = Pick<FailureWire, "reason" | "kind" | "error">;

/** What nodes say of a revert without data. */
const PLAIN_REVERT = /^(execution |vm execution error:? )?reverted?\.?$/i;

/** The reason of one failed call; `from`: whose errors it may be. */
function reasonOf(call: Call, from: readonly Call[], decoder: Decoder): Reason {
  const { output = "0x", error } = call;
  if (output === "0x") {
    const reason = PLAIN_REVERT.test(error ?? "") ? "reverted without a reason" : (error ?? "");
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
      return { kind: "error", reason: cutReason(inWords(decoded as DecodedWire)), error: decoded };
  }
}

/** The contracts whose errors a call may have passed on, for the list of all calls. */
const MAX_ABIS = 50;

/** Whose code a call runs. */
const codeOf = ({ to, created }: Call): Address | null => to ?? created;

const outputOf = ({ output }: Call): Hex => output ?? "0x";

type PlacedCall = Call & Pick<Frame, "traceAddress">;

/** The failed calls from the transaction down: each ended right after the one within it failed. */
function failedPath({ transaction, frames }: Execution): readonly PlacedCall[] {
  /** The last call at each depth: of the frames so far, the one that may still go on. */
  const last: PlacedCall[] = [{ ...transaction, traceAddress: [] }];
  for (const frame of frames) last.splice(frame.traceAddress.length, last.length, frame);
  const succeeded = last.findIndex(({ error }) => error === null);
  return succeeded < 0 ? last : last.slice(0, succeeded);
}

/** Whether a call returned what the one within it failed with. */
const isPassedOn = (call: Call, within: Call | undefined): boolean =>
  within !== undefined && outputOf(within) === outputOf(call);

/** The call of a path in which its failure began: whose error it is. */
const beganIn = (path: readonly PlacedCall[]): PlacedCall | undefined =>
  path.find((call, index) => !isPassedOn(call, path[index + 1]));

/** The call whose code ran last when a transaction failed; one to an account without code fails in its caller. */
export function failedCall(
  execution: Execution,
  hasCode: (address: Address) => boolean,
): PlacedCall | undefined {
  if (execution.transaction.succeeded !== false) return undefined;
  return beganIn(failedPath(execution).filter(({ to }) => to === null || hasCode(to)));
}

/** Why a transaction failed; null if it did not, or nothing is known. */
export function failureIn(execution: Execution, decoder: Decoder): FailureWire | null {
  const { transaction } = execution;
  if (transaction.succeeded !== false || transaction.error === null) return null;
  const calls = failedPath(execution);
  // Contracts pass on the errors of those they call: the innermost knows most of them.
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

/** What a call says. */
export const callOf = (
  { to, created, input }: Pick<Call, "to" | "created" | "input">,
  decoder: Decoder,
): DecodedWire | null => (to === null ? decoder.creation(created, input) : decoder.call(to, input));

/** A transaction and the first of its calls, in order. */
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
  // An error may be from any of those that were called.
  const others = [...new Map(shown.map((call) => [codeOf(call), call])).values()].slice(
    0,
    MAX_ABIS,
  );
  // Of another number, they are not of these calls.
  const outputOfCall = (index: number): string =>
    (outputs.length === frames.length + 1 ? outputs[index] : undefined) ?? "0x";
  return shown.map((call, index) => {
    const failed = call.error === null ? null : reasonOf(call, [call, ...others], decoder);
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
