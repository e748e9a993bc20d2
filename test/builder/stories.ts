// Stories of anything that can happen, also of what is dropped later, and of contracts whose events look like a token's.
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
import type { Chain } from "../../mocks/chain/chain.ts";
import { ZERO_ADDRESS } from "../../mocks/chain/constants.ts";
import type { Address, Transaction } from "../../mocks/chain/records.ts";
import { addressesIn, answers } from "../chain/answers.ts";

export const people = 4;
const person = fc.nat(people - 1);
const amount = fc.oneof(fc.bigInt(0n, 50n), fc.bigInt(0n, coins(3)));
const outcome = fc.option(fc.constantFrom("execution reverted", "out of gas"), { freq: 4 });

export const sentence = fc.oneof(
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
type Sentence = typeof sentence extends fc.Arbitrary<infer Told> ? Told : never;

export const initial = coins(5);

export function tell(sentences: readonly Sentence[], freeGas: boolean) {
  const story = buildChain({ freeGas, gasLimit: 1_000_000_000 });
  const accounts = Array.from({ length: people }, () => story.account({ balance: initial }));
  const at = (index: number): Address => accounts[index] ?? "0x";
  const gold = story.deployMRC20(at(0), { symbol: "GLD", supply: 100n });
  const art = story.deployMRC721(at(0));
  const vault = story.deploy(at(0)).address;
  const emitters = {
    "a contract": story.deploy(at(0)).address,
    "no token": story.deploy(at(0)).address,
    "a token": story.deployMRC20(at(0), { symbol: "ODD", supply: 5n }).address,
    "a collection": story.deployMRC721(at(0)).address,
  };
  story.mine();
  story.chain.applyHeadState({ tokens: [{ address: emitters["no token"], standard: null }] });
  const [payer, payee] = [story.account({ balance: initial }), story.account()];
  accounts.push(payer, payee);
  const unrelated = story.transfer(payer, payee, 1n, { gasPrice: coins("0.000001") });
  story.mine();
  const first = story.chain.head.number;
  let refused = 0;
  for (const told of sentences) {
    const fails =
      "outcome" in told && told.outcome !== null ? { fails: told.outcome } : ({} as const);
    try {
      switch (told.does) {
        case "transfer":
          story.transfer(at(told.from), at(told.to), told.amount, fails);
          break;
        case "deploy":
          story.deploy(at(told.from), { value: told.amount, ...fails });
          break;
        case "call":
          story.call(at(told.from), {
            to: vault,
            value: told.amount,
            ...fails,
            does: (frame) => {
              frame.emit([told.amount]);
              frame.call({
                to: at(told.to),
                value: told.amount / 2n,
                ...(told.innerFails ? { fails: "no" } : {}),
              });
              if (told.creates) frame.create({ value: frame.balance / 3n });
            },
          });
          break;
        case "token transfer":
          gold.transfer(at(told.from), at(told.to), told.amount, fails);
          break;
        case "mint":
          gold.mint(at(told.to), told.amount, fails);
          break;
        case "burn":
          gold.burn(at(told.from), told.amount, fails);
          break;
        case "nft mint":
          art.mint(at(told.to), told.amount, fails);
          break;
        case "nft transfer":
          art.transfer(at(told.from), at(told.to), told.amount, fails);
          break;
        case "nft burn":
          art.burn(at(told.from), told.amount, fails);
          break;
        case "mine":
          story.mine(told.blocks);
          break;
        case "reorg": {
          story.mine();
          const last = story.chain.body(story.chain.head.number)?.executions.at(-1);
          const drop = told.drops && last !== undefined ? [last.transaction] : [];
          story.reorg(Math.min(told.blocks, story.chain.head.number - 2), { drop });
          break;
        }
        case "drop": {
          story.mine();
          const blocks = Math.min(told.blocks, story.chain.head.number - first);
          const sent = bodiesOf(story.chain)
            .slice(story.chain.length - blocks)
            .flatMap(({ executions }) => executions.map(({ transaction }) => transaction));
          drop(
            story,
            blocks,
            told.dropped.flatMap((index) => sent[index] ?? []),
          );
          break;
        }
        case "emit": {
          const [from, to] = [told.from, told.to].map((who) =>
            who === null ? ZERO_ADDRESS : at(who),
          ) as [Address, Address];
          story.call(at(0), {
            to: emitters[told.by],
            does: (frame) => emitTransfer(frame, told.form, from, to, told.amount),
          });
        }
      }
    } catch (error) {
      if (!(error instanceof ImpossibleError)) throw error;
      refused += 1;
    }
  }
  story.mine();
  return { story, chain: story.chain, accounts, gold, art, emitters, unrelated, first, refused };
}

export type Told = ReturnType<typeof tell>;

/** Drops transactions, or changes nothing. */
function drop(story: ChainBuilder, blocks: number, dropped: readonly Transaction[]): void {
  const { chain } = story;
  const before = answers(chain, addressesIn(chain));
  try {
    const done = story.reorg(blocks, { drop: dropped });
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

const bodiesOf = (chain: Chain) =>
  Array.from({ length: chain.head.number + 1 }, (_, number) => chain.body(number)).filter(
    (body) => body !== undefined,
  );
export const bodies = ({ chain }: Told) => bodiesOf(chain);
