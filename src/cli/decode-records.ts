// Decodes event logs and the call data of transactions by the ABI of verified contracts (C1).
import { type AnyOperation, operations } from "../contract/index.ts";
import type { Call } from "../http/call.ts";
import type { Hex } from "../models/primitives.ts";
import { decodeData, type Member, membersOf } from "./abi.ts";
import { decodedBy, findAbi, wireValue } from "./log-views.ts";
import type { Row } from "./records.ts";

interface DecodeContext {
  readonly options: { readonly call: Call };
  readonly io: { readonly signal: AbortSignal };
}

/** For how many contracts to request the ABI per list. */
const MAX_CONTRACTS = 20;

/** Decodes call data into a function and its arguments; undefined for an unknown function. */
function decodeInput(functions: readonly Member[], input: Hex): Row | undefined {
  const called = functions.find(({ selector }) => selector === input.slice(0, 10));
  if (called === undefined) return undefined;
  try {
    const values = decodeData(called.inputs, `0x${input.slice(10)}`);
    const entries = called.inputs.map(({ name }, index) => [
      name || `value_${index}`,
      wireValue(values[index]),
    ]);
    return { function: called.signature, arguments: Object.fromEntries(entries) };
  } catch {
    return { function: called.signature };
  }
}

const functionsIn = (abi: readonly unknown[]): readonly Member[] =>
  membersOf(abi).filter(({ type }) => type === "function");

/**
 * Creates a function that adds the called function and its arguments to a record: by `abi`, or by
 * default by the ABI of each called contract.
 */
export function inputDecoder(context: DecodeContext, abi?: readonly unknown[]) {
  const abiFunctions = abi && functionsIn(abi);
  const functionsByContract = new Map<string, Promise<readonly Member[]>>();
  return async (row: Row): Promise<Row> => {
    const input = `${row.input ?? ""}` as Hex;
    const receiver = `${row.receiver ?? ""}`;
    if (input.length < 10 || receiver === "") return row;
    let request = functionsByContract.get(receiver);
    if (!abiFunctions && !request && functionsByContract.size < MAX_CONTRACTS) {
      request = findAbi(context.options.call, receiver, context.io.signal).then((entries = []) =>
        functionsIn(entries),
      );
      functionsByContract.set(receiver, request);
    }
    const functions = abiFunctions ?? (await request) ?? [];
    return { ...row, ...(decodeInput(functions, input) ?? { function: input.slice(0, 10) }) };
  };
}

export async function recordDecoder(
  operation: AnyOperation,
  input: Row,
  context: DecodeContext,
): Promise<(row: Row) => Promise<Row>> {
  if (operation.id !== operations.L1.id) return inputDecoder(context);
  const abi = await findAbi(context.options.call, input.address, context.io.signal);
  if (abi === undefined)
    throw new TypeError("decode: the contract is not verified, so its events are unknown");
  const { change } = decodedBy(abi, input.topic_0);
  return async (row) => change(row);
}
