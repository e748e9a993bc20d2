// Filters records of an account by amount, counterparty, outcome or function, and adds up amounts.
import { eventTopic } from "../contract/event-topic.ts";
import type { AnyOperation } from "../contract/index.ts";
import { formatTokenAmount, isDecimals } from "../resources/display.ts";
import type { Row } from "./records.ts";

/** Conditions of which a record must meet all. */
export interface RecordFilters {
  /** The minimum amount, in coins or whole tokens: "10", "0.5". */
  readonly minValue?: string | undefined;
  readonly counterparty?: string | undefined;
  /** Only records that failed. */
  readonly failed?: boolean | undefined;
  /** The called function: "transfer(address,uint256)" or its selector. Needs the records' input. */
  readonly method?: string | undefined;
}

/** Whether the records of an operation have a sender and a receiver. */
export const hasParties = ({ id }: AnyOperation): boolean => /^A[2-5]$/.test(id);

const COIN_DECIMALS = 18;

/** Converts a decimal number to the smallest unit; undefined if the text is not a number. */
export function parseAmount(text: string, decimals: number): bigint | undefined {
  const [, whole, fraction = ""] = /^(\d{1,78})(?:\.(\d{1,255}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  // Digits beyond the smallest unit round up, because the next smaller amount is below the minimum.
  const digits = fraction.padEnd(decimals, "0");
  const isCut = /[1-9]/.test(digits.slice(decimals));
  return BigInt(whole + digits.slice(0, decimals)) + (isCut ? 1n : 0n);
}

/** Returns the decimals of a record's amount; null if they are unknown or invalid. */
const decimalsOf = (row: Row): number | null => {
  if (!("token_address" in row)) return COIN_DECIMALS;
  const decimals = Number(row.token_decimals ?? Number.NaN);
  // A token may state any number, even an invalid one.
  return isDecimals(decimals) ? decimals : null;
};

/** Whether two addresses or hashes are the same, ignoring case. */
export const isSame = (left: unknown, right: unknown): boolean =>
  `${left}`.toLowerCase() === `${right}`.toLowerCase();

/** Returns the selector of a function by its selector or signature. */
const methodSelector = (method: string): string =>
  /^0x[0-9a-f]{8}$/i.test(method) ? method : eventTopic(method).slice(0, 10);

/** Creates a filter of records. An amount with unknown decimals is below every minimum. */
export function recordFilter({ minValue, counterparty, failed, method }: RecordFilters) {
  const selector = method && methodSelector(method);
  return (row: Row): boolean => {
    if (minValue !== undefined) {
      const decimals = decimalsOf(row);
      const least = decimals === null ? undefined : parseAmount(minValue, decimals);
      if (least === undefined || BigInt(`${row.value ?? 0}`) < least) return false;
    }
    if (counterparty && !isSame(row.sender, counterparty) && !isSame(row.receiver, counterparty))
      return false;
    if (failed && `${row.tx_status ?? row.status}` !== "0") return false;
    return !selector || isSame(`${row.input ?? ""}`.slice(0, 10), selector);
  };
}

/** Returns a transaction's fee, as stated or as gas times price; null if the record lacks both. */
export function recordFee({ tx_fee, gas_used, gas_price }: Row): bigint | null {
  if (tx_fee != null) return BigInt(`${tx_fee}`);
  return gas_used == null || gas_price == null
    ? null
    : BigInt(`${gas_used}`) * BigInt(`${gas_price}`);
}

/** A row of sums: of the coin or of one token, in one group. */
interface SumGroup {
  readonly token: Row;
  readonly amounts: Map<string, bigint>;
  records: number;
  /** How often an amount was missing. */
  unknown: number;
}

/** Adds up fields of records, separately for each token and each group, such as a month. */
export class Sums {
  readonly #fields: readonly string[];
  readonly #groups = new Map<string, SumGroup>();

  constructor(fields: readonly string[]) {
    this.#fields = fields;
  }

  add(row: Row, inGroup: Row = {}): void {
    const { token_address, token_symbol, token_decimals } = row;
    const key = JSON.stringify([inGroup, token_address]);
    const token = {
      ...inGroup,
      ...(token_address !== undefined && { token_address, token_symbol, token_decimals }),
    };
    const group = this.#groups.get(key) ?? { token, amounts: new Map(), records: 0, unknown: 0 };
    this.#groups.set(key, group);
    group.records++;
    for (const field of this.#fields) {
      const amount = row[field];
      if (amount == null) group.unknown++;
      else group.amounts.set(field, (group.amounts.get(field) ?? 0n) + BigInt(`${amount}`));
    }
  }

  /** Returns the sums as records, with each amount in the smallest unit and as a decimal number. */
  rows(): Row[] {
    return [...this.#groups.values()].map(({ token, amounts, records, unknown }) => {
      const decimals = decimalsOf(token);
      const sums = this.#fields.flatMap((field) => {
        const sum = amounts.get(field) ?? 0n;
        const formatted = decimals === null ? null : formatTokenAmount(sum, decimals);
        return [
          [field, `${sum}`],
          [`${field}_formatted`, formatted],
        ];
      });
      const missing = unknown > 0 ? { amounts_unknown: unknown } : {};
      return { ...token, records, ...Object.fromEntries(sums), ...missing };
    });
  }
}
