// Random steps of a chain builder: transactions, blocks, reorganisations that drop some, and
// contracts whose events look like those of tokens.
import fc from "fast-check";
import { expect } from "vitest";
import {
  buildChain,
  type CallFrame,
  type ChainBuilder,
  coins,
  ImpossibleError,
  tokenEvents,
  word,
} from "../../mocks/builder/index.ts";
import { ZERO_ADDRESS } from "../../mocks/chain/hex.ts";
import type { Address, ChainTransaction } from "../../mocks/chain/records.ts";
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import { addressesIn, answers } from "../chain/answers.ts";

export const people = 4;
const person = fc.nat(people - 1);

const kinds = [
  ...(["transfer", "deploy", "call", "mine", "reorg", "drop", "emit"] as const),
  ...(["transfer", "deploy", "call", "mine", "reorg", "drop", "emit"] as const),
  ...(["token transfer", "mint", "burn", "nft mint", "nft transfer", "nft burn"] as const),
];

/** A step of any kind, with more than it needs. */
export const anyStep = fc.record({
  does: fc.constantFrom(...kinds),
  from: person,
  to: person,
  amount: fc.oneof(fc.bigInt(0n, 50n), fc.bigInt(0n, coins(3))),
  outcome: fc.option(fc.constantFrom("execution reverted", "out of gas"), { freq: 4 }),
  innerFails: fc.boolean(),
  creates: fc.boolean(),
  blocks: fc.nat(4),
  drops: fc.boolean(),
  /** Which of the transactions in these blocks are dropped. */
  dropped: fc.array(fc.nat(12), { maxLength: 4 }),
  by: fc.constantFrom("a contract", "no token", "a token", "a collection"),
  form: fc.constantFrom("amount", "id", "unindexed"),
  /** Whose place the zero address takes in an event. */
  nobody: fc.constantFrom("from", "to", "neither", "neither"),
});
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

export const initial = coins(5);

export function runSteps(steps: readonly Step[], freeGas: boolean) {
  const builder = buildChain({ freeGas, gasLimit: 1_000_000_000 });
  const accounts = Array.from({ length: people }, () => builder.account({ balance: initial }));
  const at = (index: number): Address => accounts[index] ?? "0x";
  const gold = builder.deployMRC20(at(0), { symbol: "GLD", supply: 100n });
  const art = builder.deployMRC721(at(0));
  const vault = builder.deploy(at(0)).address;
  const emitters = {
    "a contract": builder.deploy(at(0)).address,
    "no token": builder.deploy(at(0)).address,
    "a token": builder.deployMRC20(at(0), { symbol: "ODD", supply: 5n }).address,
    "a collection": builder.deployMRC721(at(0)).address,
  };
  builder.mine();
  builder.chain.applyHeadState({ tokens: [{ address: emitters["no token"], standard: null }] });
  const [payer, payee] = [builder.account({ balance: initial }), builder.account()];
  accounts.push(payer, payee);
  const unrelated = builder.transfer(payer, payee, 1n, { gasPrice: coins("0.000001") });
  builder.mine();
  const first = builder.chain.head.number;
  for (const step of steps) {
    const [from, to] = [at(step.from), at(step.to)];
    const { amount } = step;
    const [few, id] = [amount % 61n, amount % 9n];
    const fails = step.outcome === null ? {} : { fails: step.outcome };
    const acts: Readonly<Record<Step["does"], () => unknown>> = {
      transfer: () => builder.transfer(from, to, amount, fails),
      deploy: () => builder.deploy(from, { value: amount, ...fails }),
      call: () =>
        builder.call(from, {
          ...{ to: vault, value: amount, ...fails },
          does: (frame) => {
            frame.emit([amount]);
            const inner = step.innerFails ? { fails: "no" } : {};
            frame.call({ to, value: amount / 2n, ...inner });
            if (step.creates) frame.create({ value: frame.balance / 3n });
          },
        }),
      "token transfer": () => gold.transfer(from, to, few, fails),
      mint: () => gold.mint(to, few, fails),
      burn: () => gold.burn(from, few, fails),
      "nft mint": () => art.mint(to, id, fails),
      "nft transfer": () => art.transfer(from, to, id, fails),
      "nft burn": () => art.burn(from, id, fails),
      mine: () => builder.mine(1 + (step.blocks % 2)),
      reorg: () => {
        builder.mine();
        const last = builder.chain.blockInput(builder.chain.head.number)?.executions.at(-1);
        const drop = step.drops && last !== undefined ? [last.transaction] : [];
        builder.reorg(Math.min(step.blocks, builder.chain.head.number - 2), { drop });
      },
      drop: () => {
        builder.mine();
        const blocks = Math.min(step.blocks, builder.chain.head.number - first);
        const sent = inputsOf(builder.chain)
          .slice(builder.chain.length - blocks)
          .flatMap(({ executions }) => executions.map(({ transaction }) => transaction));
        drop(
          builder,
          blocks,
          step.dropped.flatMap((index) => sent[index] ?? []),
        );
      },
      emit: () => {
        const sender = step.nobody === "from" ? ZERO_ADDRESS : from;
        const receiver = step.nobody === "to" ? ZERO_ADDRESS : to;
        builder.call(at(0), {
          to: emitters[step.by],
          does: (frame) => emitTransfer(frame, step.form, sender, receiver, id),
        });
      },
    };
    try {
      acts[step.does]();
    } catch (error) {
      if (!(error instanceof ImpossibleError)) throw error;
    }
  }
  builder.mine();
  return {
    builder,
    chain: builder.chain,
    accounts,
    gold,
    art,
    emitters,
    unrelated,
    first,
  };
}

export type Result = ReturnType<typeof runSteps>;

/** Drops transactions, or changes nothing. */
function drop(builder: ChainBuilder, blocks: number, dropped: readonly ChainTransaction[]): void {
  const { chain } = builder;
  const before = answers(chain, addressesIn(chain));
  try {
    const done = builder.reorg(blocks, { drop: dropped });
    expect(new Set(done.dropped)).toEqual(new Set(dropped));
  } catch (error) {
    expect(answers(chain, addressesIn(chain))).toEqual(before);
    throw error;
  }
}

/** An event that has the form of a token's transfer, whether it is one or not. */
function emitTransfer(frame: CallFrame, form: string, from: Address, to: Address, value: bigint) {
  const words = [from, to, value].map((field) => word(field).slice(2)).join("");
  if (form === "amount") frame.emit([tokenEvents.transfer, from, to], word(value));
  else if (form === "id") frame.emit([tokenEvents.transfer, from, to, value]);
  else frame.emit([tokenEvents.transfer], `0x${words}`);
}

const inputsOf = (chain: ChainWriter) =>
  Array.from({ length: chain.head.number + 1 }, (_, number) => chain.blockInput(number)).filter(
    (input) => input !== undefined,
  );
export const inputs = ({ chain }: Result) => inputsOf(chain);
