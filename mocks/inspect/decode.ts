// Decodes calls, errors and logs by verified sources, or by known signatures.

import { decodeData, decodeLog, type Member, parametersOf } from "../../src/cli/abi.ts";
import { isHex } from "../../src/models/hex.ts";
import { isObject } from "../../src/models/issues.ts";
import { asObject } from "../../src/models/json.ts";
import type { LiveChain } from "../chain/live-chain.ts";
import {
  type Address,
  type ChainTransaction,
  type CreatedContract,
  type Hex,
  hasIds,
  type Log,
} from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { proxyOn } from "../operations/contract-on.ts";
import { cutReason } from "./format.ts";
import type { DecodedWire } from "./records.ts";
import {
  type SignatureKind,
  selectorKey,
  signaturesOf,
  standardsBySelector,
  verifiedBySelector,
} from "./signatures.ts";
import { isTokenAmount, returnsAmount } from "./standard-abi.ts";

/** A function, an error, an event or a constructor. */
type Signature = Pick<Member, "name" | "signature" | "inputs" | "outputs">;

/** The fields of a call that identify the code it runs. */
type CalledCode = Pick<ChainTransaction, "to" | "created" | "input">;

/** Limit of decoded values per answer, because decoding blocks all other requests. */
const MAX_VALUES = 20_000;
/** Cost of data that does not fit its ABI, as a number of values. */
const MISFIT = 4000;
/** Number of characters of data that cost as much as one value. */
const PER_VALUE = 64;

/** Decodes the data of one answer until the answer's budget of values is used up. */
export class Decoder {
  readonly #chain: ChainWriter;
  readonly #live: Pick<LiveChain, "contractCreatedBy"> | undefined;
  readonly #abis = new Map<Address, readonly (readonly unknown[])[]>();
  #left = MAX_VALUES;

  constructor(chain: ChainWriter, live?: Pick<LiveChain, "contractCreatedBy">) {
    this.#chain = chain;
    this.#live = live;
  }

  /** Returns null if no ABI has the function, or the data does not fit. */
  call(to: Address | null, input: Hex): DecodedWire | null {
    if (to === null || input.length < 10) return null;
    return this.#decode("function", [to], input);
  }

  /** Whether a verified contract was called with a selector that its source does not declare. */
  isMissing({ to, input }: Pick<CalledCode, "to" | "input">): boolean {
    if (to === null || input.length < 10) return false;
    const abis = this.#abisOf(to);
    const key = selectorKey("function", `0x${input.slice(2, 10)}`);
    return abis.length > 0 && abis.every((abi) => !signaturesOf(abi).has(key));
  }

  /** Decodes the constructor arguments, if the source of the contract is verified. */
  creation(created: Address | null, input: Hex): DecodedWire | null {
    const contract = this.#createdContract(created, input);
    if (contract === undefined) return null;
    const declared = contract.abi.find((item) => isObject(item) && item.type === "constructor");
    const signature = {
      name: contract.contractName,
      signature: "constructor",
      inputs: parametersOf(asObject(declared).inputs),
      outputs: [],
    };
    const data = contract.constructorArguments.replace(/^0x/, "");
    return this.#named(signature, `0x${data}`, null, false);
  }

  /** Returns null if no ABI has the function, or it returns nothing. */
  result({ to, input }: Pick<CalledCode, "to" | "input">, output: string) {
    if (to === null || input.length < 10 || output.length <= 2 || !isHex(output)) return null;
    for (const { signatures, isStandard } of this.#find("function", [to], input))
      for (const { name, signature, outputs } of signatures) {
        if (outputs.length === 0) continue;
        const values = this.#attempt(output.length, () => decodeData(outputs, output));
        // Standards do not name the amount that a function returns.
        const inputs = returnsAmount(signature)
          ? outputs.map((output) => ({ ...output, name: output.name || "amount" }))
          : outputs;
        const token = this.#tokenAmong([to]);
        if (values)
          return this.#write({ name, signature, inputs, outputs }, values, token, isStandard)
            .arguments;
      }
    return null;
  }

  #createdContract(created: Address | null, input: Hex): CreatedContract | undefined {
    const verified = created === null ? undefined : this.#chain.verified(created);
    return verified ?? this.#live?.contractCreatedBy?.(input);
  }

  method({ to, input }: Pick<ChainTransaction, "to" | "input">): string | null {
    if (to === null || input.length < 10) return null;
    for (const { signatures } of this.#find("function", [to], input))
      return signatures[0]?.name ?? null;
    return null;
  }

  /** Decodes an error by the ABIs of the contracts that may declare it, the likeliest first. */
  error(from: readonly CalledCode[], output: Hex): DecodedWire | null {
    if (output.length < 10) return null;
    const creations = from.flatMap(({ to, created, input }) =>
      to === null ? (this.#createdContract(created, input) ?? []) : [],
    );
    const called = from.flatMap(({ to }) => to ?? []);
    return this.#decode("error", called, output, creations);
  }

  log({ address, topics, data }: Pick<Log, "address" | "topics" | "data">): DecodedWire | null {
    const [topic, ...indexed] = topics;
    if (topic === undefined) return null;
    for (const { signatures, isStandard } of this.#find("event", [address], topic))
      for (const signature of signatures) {
        const { inputs } = signature;
        if (inputs.filter((input) => input.indexed).length !== indexed.length) continue;
        const decoded = this.#attempt(data.length, () => decodeLog(inputs, indexed, data));
        if (decoded) return this.#write(signature, decoded, address, isStandard);
      }
    return null;
  }

  /** The ABIs of a contract and of its proxy's target. */
  #abisOf(address: Address): readonly (readonly unknown[])[] {
    const cached = this.#abis.get(address);
    if (cached !== undefined) return cached;
    const target = proxyOn(this.#chain, address)?.target;
    const abis = [address, target].flatMap((contract) => {
      const verified = contract && this.#chain.verified(contract);
      return verified ? [verified.abi] : [];
    });
    this.#abis.set(address, abis);
    return abis;
  }

  /** Finds the signatures of a selector, first in verified sources. */
  *#find(
    kind: SignatureKind,
    from: readonly Address[],
    data: Hex,
    others: readonly CreatedContract[] = [],
  ) {
    const key = selectorKey(kind, kind === "event" ? data : `0x${data.slice(2, 10)}`);
    const abis = [
      ...others.map(({ abi }) => abi),
      ...from.flatMap((address) => this.#abisOf(address)),
    ];
    for (const abi of abis) {
      const signatures = signaturesOf(abi).get(key);
      if (signatures) yield { signatures, isStandard: false };
    }
    for (const signaturesByKey of [standardsBySelector(), verifiedBySelector(this.#chain)]) {
      const signatures = signaturesByKey.get(key);
      if (signatures) yield { signatures, isStandard: true };
    }
  }

  #decode(
    kind: SignatureKind,
    from: readonly Address[],
    data: Hex,
    others?: readonly CreatedContract[],
  ): DecodedWire | null {
    for (const { signatures, isStandard } of this.#find(kind, from, data, others))
      for (const signature of signatures) {
        const decoded = this.#named(
          signature,
          `0x${data.slice(10)}`,
          this.#tokenAmong(from),
          isStandard,
        );
        if (decoded) return decoded;
      }
    return null;
  }

  #tokenAmong(addresses: readonly Address[]): Address | null {
    return addresses.find((address) => this.#chain.token(address) !== undefined) ?? null;
  }

  #named(signature: Signature, data: Hex, token: Address | null, isStandard: boolean) {
    const values = this.#attempt(data.length, () => decodeData(signature.inputs, data));
    return values ? this.#write(signature, values, token, isStandard) : null;
  }

  /** Returns undefined if the budget is used up or the data does not fit. */
  #attempt(characters: number, decode: () => readonly unknown[]): readonly unknown[] | undefined {
    this.#left -= characters / PER_VALUE;
    if (this.#left < 0) return undefined;
    try {
      return decode();
    } catch {
      this.#left -= MISFIT;
      return undefined;
    }
  }

  #write(
    { name, signature, inputs }: Signature,
    values: readonly unknown[],
    token: Address | null,
    isStandard: boolean,
  ): DecodedWire {
    const called = token === null ? undefined : this.#chain.token(token);
    const decimals = called === undefined || hasIds(called.standard) ? null : called.decimals;
    return {
      name: cutReason(name),
      signature: cutReason(signature),
      arguments: inputs.map((input, index) => {
        const value = this.#textOf(values[index]);
        const isAmount = decimals !== null && isTokenAmount(signature, input);
        return {
          name: cutReason(input.name || `${index}`),
          type: cutReason(input.type),
          value: cutReason(value),
          decimals: isAmount ? `${decimals}` : null,
          symbol: isAmount && called?.symbol ? cutReason(called.symbol) : null,
        };
      }),
      is_standard: isStandard,
    };
  }

  /** Writes lists and structs as JSON. Counts each entry, because offsets may repeat a few bytes. */
  #textOf(value: unknown): string {
    if (typeof value !== "object" || value === null) return String(value);
    return JSON.stringify(value, (_, entry: unknown) => {
      this.#left -= 1;
      return typeof entry === "bigint" ? `${entry}` : entry;
    });
  }
}
