// A program with more accounts than a Map holds: a chain that credits each, and the table of addresses of a segment. Prints what it found.
import { Chain } from "../../mocks/chain/chain.ts";
import { Interned } from "../../mocks/chain/interned.ts";
import type { Address, Hash } from "../../mocks/chain/records.ts";

const accounts = Number(process.argv[2]);
const perBlock = 100_000;

const addressOf = (number: number): Address => `0x${number.toString(16).padStart(40, "0")}`;
const hashOf = (number: number): Hash => `0x${number.toString(16).padStart(64, "0")}`;
/** Some of the accounts, the first and the last included. */
const some = Array.from({ length: 1001 }, (_, nth) => Math.floor((nth * (accounts - 1)) / 1000));

function wrongBalances(): number {
  const chain = new Chain({ chainId: 1 });
  for (let number = 0; number * perBlock < accounts; number++) {
    const credits = Array.from(
      { length: perBlock },
      (_, at) => [addressOf(number * perBlock + at), BigInt(at)] as const,
    );
    const block = {
      ...{ number, hash: hashOf(number + 1), parentHash: hashOf(number), timestamp: number },
      ...{ miner: addressOf(accounts + 1), gasUsed: 0, gasLimit: 0, baseFeePerGas: null },
      ...{ transactionCount: 0, fees: 0n, miningReward: 0n },
    };
    chain.append({ block, executions: [], credits });
  }
  const expected = (account: number) => BigInt(account % perBlock);
  const wrong = () =>
    some.filter((account) => chain.balance(addressOf(account)) !== expected(account)).length;
  const before = wrong();
  // All of the last block's accounts get back what they had.
  chain.rewind(1);
  const last = accounts - 1;
  return (
    before + (chain.balance(addressOf(last)) === 0n ? 0 : 1) + (wrong() > 1 + 1000 / 100 ? 1 : 0)
  );
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
