// Random steps of a chain builder: transactions, blocks, reorganisations that drop some, and contracts whose events look like those of tokens.
import fc from "fast-check";
import { expect } from "vitest";
import { ZERO_ADDRESS } from "../../../../mocks/double/chain/hex.ts";
import type { Address, ChainTransaction } from "../../../../mocks/double/chain/records.ts";
import type { ChainWriter } from "../../../../mocks/double/chain/writer.ts";
import {
  buildChain,
  type CallFrame,
  type ChainBuilder,
  coins,
  ImpossibleError,
  tokenEvents,
  word,
} from "../../../../mocks/double/sources/builder/index.ts";
import { addressesIn, answers } from "../../chain/answers.ts";

export const people = 4;
const person = fc.nat(people - 1);
const amount = fc.oneof(fc.bigInt(0n, 50n), fc.bigInt(0n, coins(3)));
const outcome = fc.option(fc.constantFrom("execution reverted", "out of gas"), { freq: 4 });

export const anyStep = fc.oneof(
  fc.record({ does: fc.constant("transfer" as const), from: person, to: person, amount, outcome }),
  fc.record({ does: fc.constant("deploy" as const), from: person, amount, outcome }),
  fc.record({
    does: fc.constant("call" as const),
    from: person,
    to: person,
    amount,
    outcome,
    innerFails: fc.boolean(),
    creates: fc.boolean(),
  }),
  fc.record({
    does: fc.constantFrom(
      "token transfer" as const,
      "mint" as const,
      "burn" as const,
      "nft mint" as const,
      "nft transfer" as const,
      "nft burn" as const,
    ),
    from: person,
    to: person,
    amount: fc.bigInt(0n, 60n),
    outcome,
  }),
  fc.record({ does: fc.constant("mine" as const), blocks: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ does: fc.constant("reorg" as const), blocks: fc.nat(3), drops: fc.boolean() }),
  fc.record({
    does: fc.constant("drop" as const),
    blocks: fc.nat(4),
    // Which of the transactions in these blocks.
    dropped: fc.array(fc.nat(12), { maxLength: 4 }),
  }),
  fc.record({
    does: fc.constant("emit" as const),
    by: fc.constantFrom("a contract", "no token", "a token", "a collection"),
    form: fc.constantFrom("amount", "id", "unindexed"),
    from: fc.option(person),
    to: fc.option(person),
    amount: fc.bigInt(0n, 8n),
  }),
);
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
  let refused = 0;
  for (const step of steps) {
    const fails =
      "outcome" in step && step.outcome !== null ? { fails: step.outcome } : ({} as const);
    try {
      switch (step.does) {
        case "transfer":
          builder.transfer(at(step.from), at(step.to), step.amount, fails);
          break;
        case "deploy":
          builder.deploy(at(step.from), { value: step.amount, ...fails });
          break;
        case "call":
          builder.call(at(step.from), {
            to: vault,
            value: step.amount,
            ...fails,
            does: (frame) => {
              frame.emit([step.amount]);
              frame.call({
                to: at(step.to),
                value: step.amount / 2n,
                ...(step.innerFails ? { fails: "no" } : {}),
              });
              if (step.creates) frame.create({ value: frame.balance / 3n });
            },
          });
          break;
        case "token transfer":
          gold.transfer(at(step.from), at(step.to), step.amount, fails);
          break;
        case "mint":
          gold.mint(at(step.to), step.amount, fails);
          break;
        case "burn":
          gold.burn(at(step.from), step.amount, fails);
          break;
        case "nft mint":
          art.mint(at(step.to), step.amount, fails);
          break;
        case "nft transfer":
          art.transfer(at(step.from), at(step.to), step.amount, fails);
          break;
        case "nft burn":
          art.burn(at(step.from), step.amount, fails);
          break;
        case "mine":
          builder.mine(step.blocks);
          break;
        case "reorg": {
          builder.mine();
          const last = builder.chain.blockInput(builder.chain.head.number)?.executions.at(-1);
          const drop = step.drops && last !== undefined ? [last.transaction] : [];
          builder.reorg(Math.min(step.blocks, builder.chain.head.number - 2), { drop });
          break;
        }
        case "drop": {
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
          break;
        }
        case "emit": {
          const [from, to] = [step.from, step.to].map((who) =>
            who === null ? ZERO_ADDRESS : at(who),
          ) as [Address, Address];
          builder.call(at(0), {
            to: emitters[step.by],
            does: (frame) => emitTransfer(frame, step.form, from, to, step.amount),
          });
        }
      }
    } catch (error) {
      if (!(error instanceof ImpossibleError)) throw error;
      refused += 1;
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
    refused,
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
