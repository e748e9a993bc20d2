// Blocks full of anything that can happen on a few addresses, for the laws a chain obeys.
import fc from "fast-check";
import { createdIn } from "../../mocks/chain/block-effects.ts";
import type { Chain } from "../../mocks/chain/chain.ts";
import type {
  Address,
  Block,
  ChainTransaction,
  ContractVerification,
  Execution,
  Frame,
  Hash,
  Log,
} from "../../mocks/chain/records.ts";
import { CONSECUTIVE_TOPIC, TRANSFER_TOPIC } from "../../mocks/chain/transfer-event.ts";

const pad = (value: number | bigint | string, digits: number) =>
  value.toString(16).padStart(digits, "0");
export const addressOf = (number: number): Address => `0x${pad(number, 40)}`;
const hashOf = (text: string): Hash => `0x${Buffer.from(text).toString("hex").padStart(64, "0")}`;

/** The addresses everything happens on; 0 is the zero address of mints and burns. */
export const ADDRESSES = Array.from({ length: 5 }, (_, number) => addressOf(number));
/** The contracts that emit logs, of any form and without any consistency. */
export const TOKENS = [addressOf(0x70), addressOf(0x71), addressOf(0x72)];

const account = fc.constantFrom(...ADDRESSES);
const amount = fc.bigInt({ min: 0n, max: 2n ** 80n });

const frame = fc.record({
  type: fc.constantFrom("call", "delegatecall", "staticcall", "create", "selfdestruct"),
  from: account,
  to: account,
  value: amount,
  undone: fc.boolean(),
});

const log = fc.record({
  token: fc.option(fc.constantFrom(...TOKENS), { nil: undefined }),
  form: fc.constantFrom("mrc20", "mrc721", "consecutive", "not indexed", "other"),
  from: account,
  to: account,
  value: fc.bigInt({ min: 0n, max: 4n }),
});

const transaction = fc.record({
  from: account,
  to: fc.option(account),
  value: amount,
  succeeded: fc.constantFrom(true, true, false, null),
  frames: fc.array(frame, { maxLength: 2 }),
  logs: fc.array(log, { maxLength: 3 }),
  /** The head state of what it creates, which differs between rival blocks. */
  state: fc.record({
    isVerified: fc.boolean(),
    standard: fc.constantFrom(undefined, "mrc20" as const),
  }),
});

/** The content of a block; where it goes is decided by `mine`. */
export const content = fc.record({
  miner: account,
  credits: fc.array(fc.tuple(account, amount), { maxLength: 1 }),
  transactions: fc.array(transaction, { maxLength: 4 }),
});
export const contents = (maxLength = 6) => fc.array(content, { maxLength });

export type Content = typeof content extends fc.Arbitrary<infer Value> ? Value : never;

/** A block after the chain's head, without anything in it. */
export function blockAfter(chain: Chain, changes: Partial<Block> = {}, branch = ""): Block {
  const number = chain.length;
  return {
    number,
    hash: hashOf(`${branch} block ${number}`),
    parentHash: number === 0 ? hashOf("none") : chain.head.hash,
    timestamp: 1000 + number,
    miner: addressOf(9),
    gasUsed: 0,
    gasLimit: 30_000_000,
    baseFeePerGas: number % 2 === 0 ? null : 7n,
    transactionCount: 0,
    fees: 0n,
    miningReward: 0n,
    ...changes,
  };
}

/** A transaction that does nothing. */
export const transactionIn = (
  block: Block,
  changes: Partial<ChainTransaction> = {},
): ChainTransaction => ({
  ...{ block, hash: `0x7e${block.hash.slice(4)}`, index: 0, from: addressOf(1), to: addressOf(2) },
  ...{ created: null, value: 0n, input: "0x", nonce: block.number, succeeded: true, error: null },
  ...{ gasLimit: 0, gasUsed: 0, cumulativeGasUsed: 0, gasPrice: 0n },
  ...{ maxFeePerGas: null, maxPriorityFeePerGas: null, ...changes },
});

/**
 * Appends a block with this content, and sets the head state of what it created. `branch` keeps the
 * hashes of rival blocks apart.
 */
export function mine(chain: Chain, { miner, credits, transactions }: Content, branch = ""): void {
  const number = chain.length;
  const counts = { gasUsed: 21_000 * transactions.length, transactionCount: transactions.length };
  const coins = { fees: BigInt(number) * 3n, miningReward: 2n };
  const block = blockAfter(chain, { miner, ...counts, ...coins }, branch);
  let logIndex = 0;
  const executions = transactions.map((content, index): Execution => {
    const id = `${branch} ${number}.${index}`;
    const created = content.to === null ? createdAddress(`${number}.${index}`) : null;
    const { from, to, value, succeeded } = content;
    const of = transactionIn(block, {
      ...{ hash: hashOf(id), index, from, to, created, value, input: "0xc0ffee", succeeded },
      error: succeeded === false ? "execution reverted" : null,
      ...{ gasLimit: 2 ** 40 + index, gasUsed: 21_000, cumulativeGasUsed: 21_000 * (index + 1) },
      ...{ gasPrice: value, maxFeePerGas: index % 2 === 0 ? null : 2n ** 64n },
      maxPriorityFeePerGas: index % 2 === 0 ? null : 1n,
    });
    const frames = content.frames.map(
      ({ type, from, to, value, undone }, at): Frame => ({
        transaction: of,
        traceAddress: [at],
        type: type as Frame["type"],
        from,
        to: type === "create" ? null : to,
        created: type === "create" ? createdAddress(`${number}.${index} ${at}`) : null,
        value,
        input: "0x",
        gasLimit: at === 0 ? null : 5_000,
        gasUsed: at === 0 ? null : 0,
        error: undone ? "out of gas" : null,
        undone,
        subTraces: 0,
      }),
    );
    const logs = content.logs.map(({ token, ...event }) => ({
      transaction: of,
      index: logIndex++,
      address: token ?? created ?? addressOf(0x70),
      ...eventOf(event),
    }));
    return { transaction: of, frames, logs };
  });
  chain.append({ block, executions, credits });
  for (const [index, execution] of executions.entries())
    applyCreated(chain, execution, transactions[index]?.state);
}

function eventOf({ form, from, to, value }: Omit<Content["transactions"][0]["logs"][0], "token">) {
  const word = (hex: bigint | string): Hash => `0x${pad(hex, 64)}`;
  const [sender, receiver, last] = [word(from.slice(2)), word(to.slice(2)), word(value)];
  const topics = [TRANSFER_TOPIC, sender, receiver] as const;
  const forms: Record<string, Pick<Log, "topics" | "data">> = {
    mrc20: { topics, data: last },
    mrc721: { topics: [...topics, last], data: "0x" },
    // Ids from 0 to the value.
    consecutive: { topics: [CONSECUTIVE_TOPIC, word(0n), sender, receiver], data: last },
    "not indexed": {
      topics: [TRANSFER_TOPIC],
      data: `${sender}${receiver.slice(2)}${last.slice(2)}`,
    },
    other: { topics: [last, receiver], data: "0x" },
  };
  return forms[form] as Pick<Log, "topics" | "data">;
}

function applyCreated(
  chain: Chain,
  execution: Execution,
  { isVerified = false, standard }: Partial<Content["transactions"][0]["state"]> = {},
): void {
  for (const address of createdIn(execution)) {
    chain.applyHeadState({
      codes: [[address, "0x60"]],
      tokens: [{ address, name: "Made", standard }],
      uris: [[address, 1n, `uri of ${address}`]],
      verified: isVerified ? [{ ...VERIFICATION, address }] : [],
    });
  }
}

const VERIFICATION = {
  ...{ code: "0x60", compiler: "v0.8.20", contractName: "Made", abi: [], source: "contract Made" },
  ...{ runs: 200, optimizationEnabled: false, constructorArguments: "", swarmSource: "" },
  ...{ verifiedAt: 1, libraries: [] },
} as const satisfies Partial<ContractVerification>;

/** An address that only creations at this place make: rival blocks may create the same one. */
const createdAddress = (place: string): Address =>
  `0x${Buffer.from(place).toString("hex").padStart(40, "c").slice(-40)}`;
