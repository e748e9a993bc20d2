// Reads the functions, events and errors of an ABI, which may be invalid, and decodes data and logs
// by them. Runs in browsers.
import * as AbiItem from "ox/AbiItem";
import * as AbiParameters from "ox/AbiParameters";
import { isObject } from "../models/issues.ts";
import type { Hex } from "../models/primitives.ts";

export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly indexed: boolean;
  readonly components: readonly Parameter[];
}

/** A function, an event or an error. */
export interface Member {
  readonly type: "function" | "event" | "error";
  readonly name: string;
  /** The signature: "transfer(address,uint256)". */
  readonly signature: string;
  /** The first four bytes of the signature's hash, or the whole hash for an event. */
  readonly selector: Hex;
  readonly inputs: readonly Parameter[];
  readonly outputs: readonly Parameter[];
  /** Whether the function changes no state. */
  readonly isView: boolean;
  readonly isPayable: boolean;
}

/** Reads the inputs or outputs of an entry, or the members of a tuple. */
export const parametersOf = (parameters: unknown): readonly Parameter[] =>
  (Array.isArray(parameters) ? parameters : []).map((value: unknown) => {
    const { name, type, indexed, components } = Object(value);
    return {
      name: typeof name === "string" ? name : "",
      type: String(type),
      indexed: indexed === true,
      components: parametersOf(components),
    };
  });

/** Reads the members of an ABI, and leaves out invalid entries. */
export function membersOf(abi: readonly unknown[]): readonly Member[] {
  return abi.flatMap((item): Member[] => {
    if (!isObject(item)) return [];
    const { type = "function", name, stateMutability, anonymous, constant } = item;
    if (type !== "function" && type !== "event" && type !== "error") return [];
    if (typeof name !== "string" || anonymous === true) return [];
    try {
      const signature = AbiItem.getSignature(item as AbiItem.AbiItem);
      const hash = AbiItem.getSignatureHash(signature);
      return [
        {
          type,
          name,
          signature,
          selector: type === "event" ? hash : `0x${hash.slice(2, 10)}`,
          inputs: parametersOf(item.inputs),
          outputs: parametersOf(item.outputs),
          isView: stateMutability === "view" || stateMutability === "pure" || constant === true,
          isPayable: stateMutability === "payable",
        },
      ];
    } catch {
      return [];
    }
  });
}

/** Decodes the values in data. Throws if the data does not match the inputs. */
export const decodeData = (inputs: readonly Parameter[], data: Hex): readonly unknown[] =>
  inputs.length === 0
    ? []
    : AbiParameters.decode(inputs as readonly AbiParameters.Parameter[], data, {
        checksumAddress: false,
      });

/** Whether a topic contains only the hash of a value of this type. */
export const isDynamic = ({ type }: Parameter): boolean => /^(string|bytes|tuple)$|\]$/.test(type);

/**
 * Decodes a log into values in the order of its event's parameters. `topics` excludes the first
 * topic. For a dynamic indexed parameter, the value is its hash, because topics contain no more.
 * Throws if the log does not match the event.
 */
export function decodeLog(
  inputs: readonly Parameter[],
  topics: readonly Hex[],
  data: Hex,
): readonly unknown[] {
  const unindexed = decodeData(
    inputs.filter(({ indexed }) => !indexed),
    data,
  );
  const [inTopics, inData] = [topics.values(), unindexed.values()];
  return inputs.map((input) => {
    if (!input.indexed) return inData.next().value;
    const value = inTopics.next().value ?? "0x";
    return isDynamic(input) ? value : decodeData([input], value)[0];
  });
}
