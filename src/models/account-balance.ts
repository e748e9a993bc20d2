// The balance of one address in an answer about several (specification 4.2, A1).
import { recordKind } from "./compose.ts";
import { type Decoded, type Encoded, model } from "./model.ts";
import { address, amount } from "./primitives.ts";

export const accountBalanceKind = /*#__PURE__*/ recordKind(
  { address, balance: amount },
  "AccountBalance",
);
/** An address and its balance in the native coin's smallest unit (A1). */
export const AccountBalance = /*#__PURE__*/ model(accountBalanceKind);
export type AccountBalance = Decoded<typeof AccountBalance>;
export type AccountBalanceWire = Encoded<typeof AccountBalance>;
