// The balance of one address in an answer about several (specification 4.2, A1).
import { type Decoded, type Encoded, model } from "./model.ts";
import { address, amount } from "./primitives.ts";

/** An address and its balance in the native coin's smallest unit (A1). */
export const AccountBalance = /*#__PURE__*/ model({ address, balance: amount });
export type AccountBalance = Decoded<typeof AccountBalance>;
export type AccountBalanceWire = Encoded<typeof AccountBalance>;
