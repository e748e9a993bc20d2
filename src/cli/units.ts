// `--units`: amounts as exact decimal numbers of coins, or of tokens by their own decimals.
import { InvalidArgumentError, Option } from "commander";
import type { AnyOperation } from "../contract/index.ts";
import { formatTokenAmount } from "../resources/display.ts";
import { fieldsOf, type Row } from "./records.ts";

/** Decimals of the native coin's units. */
const coinUnits: Readonly<Record<string, number>> = { wei: 0, gwei: 9, ether: 18 };

/** Fields with amounts of the native coin in records without decimals of their own. */
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
  // "balance" is of the native coin in A1, and of a token with decimals in A6.
  fieldsOf(operation).filter((name) => coinFields.includes(name) || name === "balance");

/** Marks an amount in the smallest unit of a token, because the record lacks its decimals. */
const RAW_MARK = "raw";

/** A unit of amounts. */
export interface Unit {
  /** The user's word for the unit: "ether", or the decimals of a token. */
  readonly typed: string;
  readonly decimals: number;
}

function coinUnit(typed: string): Unit {
  const decimals = coinUnits[typed];
  if (decimals !== undefined) return { typed, decimals };
  throw new InvalidArgumentError(
    `expected one of ${Object.keys(coinUnits).join(", ")}, received "${typed}"`,
  );
}

function tokenUnit(typed: string): Unit {
  const decimals = /^\d{1,3}$/.test(typed) ? Number(typed) : Number.NaN;
  if (decimals <= 255) return { typed, decimals };
  throw new InvalidArgumentError(
    `expected the token's decimals (0 to 255), which the response does not have, received "${typed}"`,
  );
}

/** Returns the option for amounts of a token whose decimals the response lacks. */
export const decimalsOption = (): Option =>
  new Option(
    "--units <decimals>",
    "the token's decimals: print amounts as decimal numbers (default: 0, the smallest unit)",
  ).argParser(tokenUnit);

/** Returns the option for an operation's amounts; undefined if its records have none. */
export function unitsOption(operation: AnyOperation): Option | undefined {
  if (amountsOf(operation).length === 0) return undefined;
  return operation.id in tokenFields
    ? decimalsOption()
    : new Option(
        "--units <unit>",
        "wei, gwei or ether: print amounts as decimal numbers; token amounts use the token's decimals (default: wei)",
      ).argParser(coinUnit);
}

/** Converts the amounts of a record exactly to decimal numbers of the unit. */
export function inUnits(operation: AnyOperation, unit: Unit | undefined): (row: Row) => Row {
  const decimals = unit?.decimals ?? 0;
  const names = amountsOf(operation);
  return (row) => {
    const ofToken = "token_decimals" in row;
    const places = ofToken ? Number(row.token_decimals ?? 0) : decimals;
    // A6 also lists collections, whose balance is a number of tokens.
    const counted = operation.id === "A6" && !ofToken;
    // An explorer may state any decimals.
    if (decimals === 0 || counted || !Number.isInteger(places) || places > 255) return row;
    const isUnknown = ofToken && row.token_decimals == null;
    const changed = names.flatMap((name) => {
      const amount = row[name];
      // Without the mark it would read as a number of whole tokens.
      if (isUnknown && amount != null) return [[name, `${amount} ${RAW_MARK}`]];
      return typeof amount === "string" && /^\d+$/.test(amount)
        ? [[name, formatTokenAmount(BigInt(amount), places)]]
        : [];
    });
    return { ...row, ...Object.fromEntries(changed) };
  };
}

/** Adds a decimal form to each amount, and drops the explorer's own `_formatted` fields. */
export function formattedAmounts(operation: AnyOperation): (row: Row) => Row {
  // The decimals of T1 and T2 are not in the response.
  const hasDecimals = !(operation.id in tokenFields);
  const change = hasDecimals ? inUnits(operation, { typed: "ether", decimals: 18 }) : undefined;
  return (row) => {
    const unformatted = Object.entries(row).filter(([name]) => !name.endsWith("_formatted"));
    const changed = change?.(row) ?? row;
    const beside = unformatted.flatMap(([name, value]) =>
      changed[name] === value ? [] : [[`${name}_formatted`, changed[name]] as const],
    );
    return Object.fromEntries([...unformatted, ...beside]);
  };
}
