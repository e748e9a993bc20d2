// The schemas of the builder's options and of recipes. Amounts are bigints, or decimal digits as in
// JSON.
import * as z from "zod/mini";
import { codec } from "../../src/models/codec.ts";
import { isAddress, isHex } from "../../src/models/hex.ts";
import { type Address, bigintOf, type Hex } from "../../src/models/primitives.ts";
import { blockFields, type Fields, transactionFields } from "../chain/fields.ts";
import { validOptions } from "../input/options.ts";

/**
 * Accepts negative amounts, because the ledger refuses them with a message that names the account.
 */
export const amount = codec<string | bigint, bigint>({
  expected: 'an amount: a bigint such as 5n or coins("0.5"), or decimal digits',
  json: { type: "string", pattern: "^[0-9]{1,78}$" },
  decode(value) {
    if (typeof value === "bigint") return value;
    return typeof value === "string" ? bigintOf(value) : undefined;
  },
  encode: (value) => `${value}`,
});

export const integerFrom = (minimum = 0, maximum = Number.MAX_SAFE_INTEGER) => {
  const isAny = maximum === Number.MAX_SAFE_INTEGER;
  return codec<number>({
    expected: `a whole number from ${minimum} ${isAny ? "up" : `to ${maximum}`}`,
    json: { type: "integer", minimum, ...(!isAny && { maximum }) },
    decode: (value) =>
      Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum
        ? Number(value)
        : undefined,
    encode: (value) => value as number,
  });
};

export const addressText = codec<Address>({
  expected: "an address: 0x and 40 hex digits",
  json: { type: "string", pattern: "^0x[0-9a-fA-F]{40}$" },
  decode: (value) => (isAddress(value) ? (value.toLowerCase() as Address) : undefined),
  encode: (value) => value as Address,
});

export const bytesText = codec<Hex>({
  expected: "bytes: 0x and an even number of hex digits",
  json: { type: "string", pattern: "^0x([0-9a-fA-F]{2})*$" },
  decode: (value) =>
    typeof value === "string" && isHex(value) ? (value.toLowerCase() as Hex) : undefined,
  encode: (value) => value as Hex,
});

const A_TEXT = "a text";
const A_DROP = '"all" or a list of transactions';
export const plainText = z.string(A_TEXT);
const yesOrNo = z.boolean("true or false");

const A_FUNCTION = "a function";
const code = z.custom<never>((value) => typeof value === "function", A_FUNCTION);

/** The schemas for optional fields of records, by the name of the field's kind. */
const kinds: Readonly<Record<string, z.ZodMiniType>> = {
  number: integerFrom(),
  amount,
  address: addressText,
  hash: bytesText,
  hex: bytesText,
  text: plainText,
  flag: yesOrNo,
};

/**
 * Returns a schema for each optional field. The type omits the field names on purpose: a type with
 * an index signature would hide the other field names of a recipe after a spread.
 */
const optionalFields = (fields: Fields): Readonly<Record<never, z.ZodMiniType>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { kind }]) => {
      if (!("valueKind" in kind && "missing" in kind && kind.missing === undefined)) return [];
      const schema = kinds[(kind.valueKind as { readonly name: string }).name] ?? z.unknown();
      return [[name, z.optional(schema)]];
    }),
  );

/** The gas of a transaction, and the optional fields of its record. */
export const gas = {
  gasPrice: z.optional(amount),
  maxFeePerGas: z.optional(amount),
  maxPriorityFeePerGas: z.optional(amount),
  gasLimit: z.optional(integerFrom()),
  gasUsed: z.optional(integerFrom()),
  ...optionalFields(transactionFields),
};

export const fails = { fails: z.optional(plainText) };

const call = { to: addressText, input: z.optional(bytesText), does: z.optional(code), ...fails };

export const creation = {
  code: z.optional(bytesText),
  initCode: z.optional(bytesText),
  constructorArguments: z.optional(bytesText),
};

/** A chosen address of a contract, instead of the one derived from the nonce of its creator. */
export const chosenAddress = { address: z.optional(addressText) };

export const metadata = {
  name: z.optional(z.nullable(plainText)),
  symbol: z.optional(z.nullable(plainText)),
  decimals: z.optional(z.nullable(integerFrom(0, 255))),
};

/** A time: a date, seconds since 1970, or ISO text. */
const moment = codec<Date | number | string, number>({
  expected: "a Date, seconds since 1970, or a time such as 2030-01-01T00:00:00Z",
  json: {
    anyOf: [
      { type: "integer", minimum: 0 },
      { type: "string", format: "date-time" },
    ],
  },
  decode(value) {
    const isTime = typeof value === "number" || value instanceof Date || isIsoTime(value);
    const seconds = typeof value === "number" ? value : new Date(value as string).getTime() / 1000;
    return isTime && Number.isFinite(seconds) ? Math.floor(seconds) : undefined;
  },
  encode: (value) => value as number,
});

const isIsoTime = (value: unknown): boolean =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value);

const fee = z.optional(z.nullable(amount));

export const blockHeader = {
  miner: z.optional(addressText),
  timestamp: z.optional(moment),
  baseFeePerGas: fee,
  gasLimit: z.optional(integerFrom()),
  rewards: z.optional(z.array(z.strictObject({ addr: addressText, reward: amount }))),
  ...optionalFields(blockFields),
};

const rules = {
  blockReward: z.optional(amount),
  miner: z.optional(addressText),
  blockTime: z.optional(integerFrom(1)),
  priorityFeePerGas: z.optional(amount),
  freeGas: z.optional(yesOrNo),
};

/** The rules, the first block and the id of a new chain. */
export const newChain = { ...blockHeader, ...rules, chainId: z.optional(integerFrom()) };

export const source = {
  abi: z.array(z.unknown()),
  compiler: z.optional(plainText),
  contractName: z.optional(plainText),
  source: z.optional(plainText),
  constructorArguments: z.optional(plainText),
  optimizationEnabled: z.optional(yesOrNo),
  runs: z.optional(integerFrom()),
  evmVersion: z.optional(z.nullable(plainText)),
  swarmSource: z.optional(plainText),
  libraries: z.optional(z.array(z.strictObject({ name: plainText, address: addressText }))),
  verifiedAt: z.optional(integerFrom()),
};

const create = { ...creation, does: z.optional(code), ...fails, value: z.optional(amount) };

const isIterable = (value: unknown) => typeof Object(value)[Symbol.iterator] === "function";
const pairs = z.custom<never>(isIterable, "pairs of a holder and an amount");

const schemas = {
  buildChain: z.strictObject(newChain),
  continueChain: z.strictObject(rules),
  account: z.strictObject({ name: z.optional(plainText), balance: z.optional(amount) }),
  transfer: z.strictObject({ ...gas, ...fails, input: z.optional(bytesText) }),
  call: z.strictObject({ ...call, value: z.optional(amount) }),
  callWithoutValue: z.strictObject(call),
  deploy: z.strictObject({ ...create, ...chosenAddress }),
  create: z.strictObject(create),
  create2: z.strictObject({ ...create, salt: z.unknown() }),
  gas: z.strictObject(gas),
  tokenCall: z.strictObject({ ...gas, ...fails }),
  mint: z.strictObject({ ...gas, ...fails, uri: z.optional(plainText) }),
  deployMRC20: z.strictObject({
    ...gas,
    ...metadata,
    ...chosenAddress,
    supply: z.optional(amount),
    holders: z.optional(pairs),
  }),
  deployMRC721: z.strictObject({ ...gas, ...metadata, ...chosenAddress }),
  verify: z.strictObject({
    ...source,
    viaIR: z.optional(yesOrNo),
    message: z.optional(plainText),
    level: z.optional(z.enum(["exact", "partial"])),
    uncovered: z.optional(z.array(z.unknown())),
    compiled: z.optional(z.unknown()),
  }),
  mine: z.strictObject(blockHeader),
  reorg: z.strictObject({
    drop: z.optional(z.union([z.literal("all"), z.array(z.unknown())], A_DROP)),
  }),
  generateChain: z.strictObject({
    seed: z.optional(z.union([z.number(), z.string()])),
    blocks: z.optional(integerFrom()),
    transactions: z.optional(integerFrom()),
    accounts: z.optional(integerFrom(1)),
    tokens: z.optional(integerFrom()),
    miners: z.optional(integerFrom(1)),
    chainId: z.optional(integerFrom()),
    startTime: z.optional(integerFrom()),
    onProgress: z.optional(code),
  }),
} as const;

/**
 * Checks the options of a function, and returns them in the form that the builder uses.
 *
 * @throws TypeError that names the function, the wrong option and what was expected
 */
export const checked = <Options extends object>(
  caller: string,
  schema: keyof typeof schemas,
  options: Options,
): Options => validOptions(caller, schemas[schema], options) as Options;
