// `--units`: prints amounts as exact decimal numbers of coins, or of tokens by their decimals.
import { InvalidArgumentError, Option } from "commander";
import type { AnyOperation } from "../contract/index.ts";
import type { Call } from "../http/call.ts";
import type { Address } from "../models/primitives.ts";
import { formatTokenAmount, isDecimals } from "../resources/display.ts";
import { tokenInfo } from "../resources/token-info.ts";
import { fieldsOf, type Row } from "./records.ts";

/** Decimals of the native coin's units. */
const coinUnits: Readonly<Record<string, number>> = { wei: 0, gwei: 9, ether: 18 };

/** Fields with amounts of the native coin, in records that state no decimals. */
const coinFields: readonly string[] = [
  ...["value", "gas_price", "max_fee_per_gas", "max_priority_fee_per_gas", "tx_fee"],
  ...["reward", "fees", "mining_reward"],
];

/** Fields with amounts of a token whose decimals the response lacks. */
const tokenFields: Readonly<Record<string, readonly string[]>> = {
  T1: ["total_supply"],
  T2: ["balance"],
};

/** Returns the fields of an operation's records that hold amounts. */
const amountsOf = (operation: AnyOperation): readonly string[] =>
  tokenFields[operation.id] ??
  // "balance" is an amount of the native coin in A1, and of a token with decimals in A6.
  fieldsOf(operation).filter((name) => coinFields.includes(name) || name === "balance");

/** Whether an operation returns amounts of a token without the token's decimals. */
export const hasUnknownDecimals = ({ id }: AnyOperation): boolean => id in tokenFields;

/** Marks an amount in the smallest unit of a token whose decimals are unknown. */
export const RAW_MARK = "raw";

/** A unit of amounts. */
export interface Unit {
  /** The unit as the user typed it: "ether", or the decimals of a token. */
  readonly typed: string;
  /** Undefined for whole tokens, until {@link withDecimals} has found the token's decimals. */
  readonly decimals: number | undefined;
}

function coinUnit(typed: string): Unit {
  const decimals = coinUnits[typed];
  if (decimals !== undefined) return { typed, decimals };
  throw new InvalidArgumentError(
    `expected one of ${Object.keys(coinUnits).join(", ")}, received "${typed}"`,
  );
}

function tokenUnit(typed: string): Unit {
  if (typed === "ether") return { typed, decimals: undefined };
  const decimals = typed === "wei" ? 0 : /^\d{1,3}$/.test(typed) ? Number(typed) : Number.NaN;
  if (decimals <= 255) return { typed, decimals };
  throw new InvalidArgumentError(
    `expected ether for whole tokens, wei, or the token's decimals (0 to 255), received "${typed}"`,
  );
}

/** Returns the option for amounts of a token whose decimals the response lacks. */
export const tokenUnitsOption = (): Option =>
  new Option(
    "--units <unit>",
    "ether prints whole tokens by the token's decimals; a number such as 6 sets the decimals (default: wei, the smallest unit)",
  ).argParser(tokenUnit);

/** Returns the option for an operation's amounts; undefined if its records have none. */
export function unitsOption(operation: AnyOperation): Option | undefined {
  if (amountsOf(operation).length === 0) return undefined;
  return hasUnknownDecimals(operation)
    ? tokenUnitsOption()
    : new Option(
        "--units <unit>",
        "wei, gwei or ether: print amounts as decimal numbers; token amounts use the token's decimals (default: wei)",
      ).argParser(coinUnit);
}

/** Completes a unit of whole tokens with the token's decimals, which only other records state. */
export async function withDecimals(
  unit: Unit | undefined,
  token: unknown,
  call: Call,
  signal: AbortSignal,
): Promise<Unit | undefined> {
  if (unit === undefined || unit.decimals !== undefined) return unit;
  const { decimals } = (await tokenInfo(call, token as Address, { signal })).data;
  return { ...unit, decimals: decimals ?? undefined };
}

/** Formats an amount in a unit. If the decimals are unknown, marks the amount instead. */
export const amountIn = (amount: bigint, unit: Unit): string =>
  unit.decimals === undefined ? `${amount} ${RAW_MARK}` : formatTokenAmount(amount, unit.decimals);

/** Converts the amounts of a record exactly to decimal numbers of the unit. */
export function inUnits(operation: AnyOperation, unit: Unit): (row: Row) => Row {
  const names = amountsOf(operation);
  return (row) => {
    const ofToken = "token_decimals" in row;
    const stated = row.token_decimals == null ? undefined : Number(row.token_decimals);
    const decimals = ofToken ? stated : unit.decimals;
    // A6 also lists collections, whose balance is a number of tokens.
    const isCounted = operation.id === "A6" && !ofToken;
    // An explorer may state any decimals, even invalid ones.
    const isUsable = decimals === undefined || isDecimals(decimals);
    if (unit.decimals === 0 || isCounted || !isUsable) return row;
    const changed = names.flatMap((name) => {
      const amount = row[name];
      return typeof amount === "string" && /^\d+$/.test(amount)
        ? [[name, amountIn(BigInt(amount), { ...unit, decimals })]]
        : [];
    });
    return { ...row, ...Object.fromEntries(changed) };
  };
}

/** Adds a decimal form to each amount, and drops the explorer's own `_formatted` fields. */
export function formattedAmounts(
  operation: AnyOperation,
  unit: Unit = { typed: "ether", decimals: 18 },
): (row: Row) => Row {
  const change = inUnits(operation, unit);
  return (row) => {
    const unformatted = Object.entries(row).filter(([name]) => !name.endsWith("_formatted"));
    const changed = change(row);
    const formatted = unformatted.flatMap(([name, value]) =>
      changed[name] === value ? [] : [[`${name}_formatted`, changed[name]] as const],
    );
    return Object.fromEntries([...unformatted, ...formatted]);
  };
}
