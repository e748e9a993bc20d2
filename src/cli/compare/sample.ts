// Samples addresses, hashes and blocks from an explorer's answers, as inputs of each operation.
import { isEnvelope, RESULTS } from "../../contract/envelope.ts";
import { type OperationId, operations } from "../../contract/index.ts";
import { isAddress } from "../../models/hex.ts";
import { isObject } from "../../models/issues.ts";
import { type Row, rowsOf } from "../records.ts";
import type { ExplorerResponse, WireInput } from "./ask.ts";

/** The zero address, which is the sender of minted tokens. */
const MINTER = "0x0000000000000000000000000000000000000000";

/** An address and a hash that no chain contains. */
export const UNUSED_ADDRESS = "0x00000000000000000000000000000000c0ffee01";
const UNUSED_HASH = `0x${"c0ffee".padStart(64, "0")}`;

/** The addresses that the user passed. */
export interface KnownAddresses {
  readonly addresses: readonly string[];
  readonly tokens: readonly string[];
  readonly contracts: readonly string[];
}

/** The list in an answer, or one of the two lists of A6. */
export interface AnswerList {
  /** The name of a list of A6, "mrc_20" or "mrc_721"; empty for other lists. */
  readonly name: string;
  readonly count: unknown;
  readonly records: readonly Row[];
}

/** Returns the lists in an answer; none if the answer is an error. */
export function answerLists({ status, json }: ExplorerResponse): readonly AnswerList[] {
  const results = isEnvelope(json) ? json[RESULTS] : json;
  if (status !== 200 || !isObject(results)) return [];
  const nested = Object.entries(results).flatMap(([name, list]) =>
    isObject(list) && RESULTS in list
      ? [{ name, count: list.count, records: rowsOf({ data: list.results ?? [] }) }]
      : [],
  );
  const { count, data } = results;
  return nested.length > 0 ? nested : [{ name: "", count, records: rowsOf({ data: data ?? [] }) }];
}

export const recordsIn = (answer: ExplorerResponse): readonly Row[] =>
  answerLists(answer).flatMap(({ records }) => records);

export class Sample {
  readonly #named: KnownAddresses;
  /** How often each address occurred, by field. */
  readonly #seen = new Map<string, Map<string, number>>();
  /** The records of each operation's longest list. */
  readonly #records = new Map<OperationId, readonly Row[]>();
  /** The block of each transaction. */
  readonly blocks = new Map<string, number>();
  /** The newest block that a record names. */
  newestBlock = 1;

  constructor(addresses: KnownAddresses) {
    this.#named = addresses;
  }

  add(id: OperationId, answer: ExplorerResponse): void {
    const records = recordsIn(answer);
    if (records.length > (this.#records.get(id)?.length ?? 0)) this.#records.set(id, records);
    for (const record of records) this.#note(record);
  }

  #note(record: Row): void {
    for (const [field, value] of Object.entries(record)) {
      if (!isAddress(value) || value === MINTER) continue;
      const counts = this.#seen.get(field) ?? new Map<string, number>();
      const address = value.toLowerCase();
      this.#seen.set(field, counts.set(address, (counts.get(address) ?? 0) + 1));
    }
    const block = Number(record.block_number ?? Number.NaN);
    if (!(block >= 0)) return;
    if (typeof record.transaction_hash === "string")
      this.blocks.set(record.transaction_hash, block);
    this.newestBlock = Math.max(this.newestBlock, block);
  }

  /** Returns the addresses in some fields, the most frequent first. */
  frequent(...fields: readonly string[]): string[] {
    const counts = new Map<string, number>();
    for (const field of fields)
      for (const [address, count] of this.#seen.get(field) ?? [])
        counts.set(address, (counts.get(address) ?? 0) + count);
    return [...counts].sort(([, left], [, right]) => right - left).map(([address]) => address);
  }

  /** Returns the user's accounts, then the accounts that records name most often. */
  accounts(): string[] {
    const frequent = this.frequent("receiver", "sender", "miner");
    return [...new Set([...this.#named.addresses, MINTER, ...frequent])];
  }

  /** Returns inputs of an operation, the most promising first; no chain contains the last one. */
  inputs(id: OperationId): WireInput[] {
    const tokens = [...this.#named.tokens, ...this.frequent("token_address")];
    const accounts = this.accounts().filter((address) => address !== MINTER);
    const valuesIn = (of: OperationId, field: string) =>
      (this.#records.get(of) ?? []).map((record) => record[field]);
    if (id === "A1") return [{ addresses: [...accounts, ...tokens, UNUSED_ADDRESS].slice(0, 3) }];
    if (id === "T2" || id === "T3") {
      const transfers = this.#records.get(id === "T2" ? "A4" : "A5") ?? [];
      const holdings = transfers.map(({ token_address, receiver, sender }) => ({
        contract_hash: token_address,
        address_hash: receiver === MINTER ? sender : receiver,
      }));
      return [...holdings, { contract_hash: UNUSED_ADDRESS, address_hash: UNUSED_ADDRESS }];
    }
    // Tokens first, because they are the contracts most often verified.
    const contracts = [...this.#named.contracts, ...tokens, ...accounts];
    const { places, resource } = operations[id];
    const name = [...places.path, ...places.query][0] ?? "";
    const values: Readonly<Record<string, readonly unknown[]>> = {
      block_number: [this.newestBlock],
      transaction_hash: [
        ...(id === "X3" ? valuesIn("A3", "transaction_hash") : this.blocks.keys()),
        UNUSED_HASH,
      ],
      contract_hash: [...(resource === "contracts" ? contracts : tokens), UNUSED_ADDRESS],
      contract_address: [...valuesIn("A5", "token_address"), ...tokens, UNUSED_ADDRESS],
      address: [...contracts, UNUSED_ADDRESS],
      address_hash: [
        ...(id === "A3" ? tokens.slice(0, 2) : []),
        ...(id === "A10" ? this.frequent("miner") : []),
        // Receivers of MRC721 tokens most likely hold tokens of both standards.
        ...(/^A[678]$/.test(id) ? valuesIn("A5", "receiver") : []),
        ...accounts,
        UNUSED_ADDRESS,
      ],
    };
    const candidates = (values[name] ?? []).filter((value) => value != null && value !== MINTER);
    return [...new Set(candidates)].map((value) => ({ [name]: value }));
  }
}
