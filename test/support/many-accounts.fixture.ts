// A program with more accounts than a Map holds: a chain with a balance of each, and the table of addresses of a segment. Prints how many are
// wrong.
import { Chain } from "../../mocks/double/chain/chain.ts";
import { Interned } from "../../mocks/double/chain/interned.ts";
import type { Address, Hash } from "../../mocks/double/chain/records.ts";

const accounts = Number(process.argv[2]);

const addressOf = (number: number): Address => `0x${number.toString(16).padStart(40, "0")}`;
const hashOf = (number: number): Hash => `0x${number.toString(16).padStart(64, "0")}`;
/** Some of the accounts, the first and the last included. */
const some = Array.from({ length: 1001 }, (_, nth) => Math.floor((nth * (accounts - 1)) / 1000));

function* balances(): Generator<readonly [Address, bigint]> {
  for (let account = 0; account < accounts; account++)
    yield [addressOf(account), BigInt(account % 7)];
}

function wrongBalances(): number {
  const chain = new Chain({ chainId: 1 });
  const mine = (number: number, credits: readonly (readonly [Address, bigint])[] = []) =>
    chain.append({
      block: {
        ...{ number, hash: hashOf(number + 1), parentHash: hashOf(number), timestamp: number },
        ...{ miner: addressOf(accounts), gasUsed: 0, gasLimit: 0, baseFeePerGas: null },
        ...{ transactionCount: 0, fees: 0n, miningReward: 0n },
      },
      executions: [],
      credits,
    });
  const wrong = (more: bigint) =>
    some.filter((of) => chain.balance(addressOf(of)) !== BigInt(of % 7) + more).length;
  mine(0);
  chain.applyHeadState({ balances: balances() });
  const atFirst = wrong(0n);
  mine(
    1,
    some.map((account) => [addressOf(account), 5n]),
  );
  const credited = wrong(5n);
  chain.rewind(1);
  return atFirst + credited + wrong(0n);
}

function wrongNumbers(): number {
  const table = new Interned<Address>();
  for (let number = 0; number < accounts; number++) table.intern(addressOf(number));
  const isWrong = (account: number) =>
    table.find(addressOf(account)) !== account ||
    table.intern(addressOf(account)) !== account ||
    table.at(account) !== addressOf(account);
  return some.filter(isWrong).length + (table.find(addressOf(accounts)) === -1 ? 0 : 1);
}

console.log(JSON.stringify({ numbers: wrongNumbers(), balances: wrongBalances() }));
