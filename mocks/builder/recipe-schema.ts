// The schema of a recipe: the state of a chain as JSON, for tests in any language.
import * as z from "zod/mini";
import {
  addressText,
  amount,
  blockHeader,
  bytesText,
  chosenAddress,
  creation,
  fails,
  gas,
  integerFrom,
  metadata,
  newChain,
  plainText,
  source,
} from "./schemas.ts";

/** The name of an account or a contract in the recipe, or an address. */
const party = plainText;

/** The name that the rest of the recipe uses for a contract. */
const contractName = { as: z.optional(plainText) };

/** A topic is bytes, a name of the recipe, or a signature such as `Deposit(address)`. */
const log = z.strictObject({ topics: z.array(plainText), data: z.optional(bytesText) });

/** Limits nesting, because OpenAPI generators do not read schemas that contain themselves. */
const MAX_DEPTH = 3;

/**
 * A call that a contract makes while it runs. The called contract emits its events first, and then
 * makes its own calls.
 */
const effectsAt = (depth: number): z.ZodMiniType =>
  z.strictObject({
    to: party,
    value: z.optional(amount),
    input: z.optional(bytesText),
    ...fails,
    logs: z.optional(z.array(log)),
    ...(depth < MAX_DEPTH && { calls: z.optional(z.array(effectsAt(depth + 1))) }),
  });

const effects = { logs: z.optional(z.array(log)), calls: z.optional(z.array(effectsAt(1))) };

const senderFields = { from: party, ...gas, ...fails };
const tokenFields = { ...senderFields, token: party };

/** Transactions of each kind: `send` names the kind. */
const transaction = z.discriminatedUnion("send", [
  z.strictObject({
    send: z.literal("coins"),
    ...senderFields,
    to: party,
    value: amount,
    input: z.optional(bytesText),
  }),
  z.strictObject({
    send: z.literal("call"),
    ...senderFields,
    to: party,
    value: z.optional(amount),
    input: z.optional(bytesText),
    ...effects,
  }),
  z.strictObject({
    send: z.literal("contract"),
    ...senderFields,
    ...contractName,
    ...creation,
    ...chosenAddress,
    value: z.optional(amount),
    ...effects,
  }),
  z.strictObject({
    send: z.literal("mrc20"),
    from: party,
    ...gas,
    ...contractName,
    ...metadata,
    ...chosenAddress,
    supply: z.optional(amount),
    holders: z.optional(z.array(z.strictObject({ holder: party, amount }))),
  }),
  z.strictObject({
    send: z.literal("mrc721"),
    from: party,
    ...gas,
    ...contractName,
    ...metadata,
    ...chosenAddress,
  }),
  /** `value` is the amount of an MRC20 token, or the id of an MRC721 token. */
  z.strictObject({ send: z.literal("transfer"), ...tokenFields, to: party, value: amount }),
  z.strictObject({ send: z.literal("approve"), ...tokenFields, to: party, value: amount }),
  z.strictObject({
    send: z.literal("mint"),
    ...tokenFields,
    to: party,
    value: amount,
    uri: z.optional(plainText),
  }),
  z.strictObject({ send: z.literal("burn"), ...tokenFields, value: amount }),
]);

const { miner: _, rewards: __, ...header } = blockHeader;

/** A block. With `count`, that many blocks; the first of them contains the transactions. */
const block = z.strictObject({
  ...header,
  miner: z.optional(party),
  wait: z.optional(integerFrom()),
  count: z.optional(integerFrom(1, 100_000)),
  transactions: z.optional(z.array(transaction)),
});

const account = z.strictObject({
  name: z.optional(plainText),
  address: z.optional(addressText),
  balance: z.optional(amount),
});

export const recipeSchema = z.strictObject({
  chain: z.optional(z.strictObject(newChain)),
  accounts: z.optional(z.array(account)),
  blocks: z.optional(z.array(block)),
  verified: z.optional(z.array(z.strictObject({ address: party, ...source }))),
});

/** A recipe in its JSON form. */
export type Recipe = z.input<typeof recipeSchema>;
export type RecipeTransaction = z.output<typeof transaction>;
