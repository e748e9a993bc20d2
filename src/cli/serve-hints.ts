// What `mrc-explorer serve` prints when it is ready: commands about accounts, tokens and contracts that the chain has.
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import { printable } from "./table.ts";

/** What to ask for, and the commands that do. */
interface Hint {
  readonly about: string;
  readonly commands: readonly string[];
}

const count = new Intl.NumberFormat("en-US");
const ZERO = /^0x0+$/;

/** Of more tokens or contracts, the first are compared. */
const MAX_COMPARED = 1000;

/** What has an address, the one with most transactions first. */
const byUse = <Item extends { readonly address: `0x${string}` }>(
  chain: ChainWriter,
  items: readonly Item[],
): readonly Item[] => {
  const used = items
    .slice(0, MAX_COMPARED)
    .map((item) => ({ item, uses: chain.transactions(item.address, "all", {}).count }));
  return used.sort((one, other) => other.uses - one.uses).map(({ item }) => item);
};

function accountHints(chain: ChainWriter): Hint[] {
  const busiest = chain.busiestAccounts(10).filter(({ address }) => !ZERO.test(address));
  const accounts = busiest.filter(({ address }) => chain.code(address) === "0x").slice(0, 3);
  const [first] = accounts;
  const holder = busiest.find(({ address }) => chain.holdings(address, "mrc20").count > 0);
  const balances = accounts.map(({ address }) => address).join(" ");
  return [
    ...(first
      ? [
          {
            about: `Busy accounts, the first with ${count.format(first.transactions)} transactions`,
            commands: [
              ...accounts.map(({ address }) => `accounts transactions ${address} --limit 5`),
              `accounts balance ${balances}`,
            ],
          },
        ]
      : []),
    ...(holder
      ? [{ about: "The tokens of an account", commands: [`accounts tokens ${holder.address}`] }]
      : []),
  ];
}

function tokenHints(chain: ChainWriter): Hint[] {
  const tokens = byUse(chain, chain.tokens());
  return (["mrc20", "mrc721"] as const).flatMap((standard) => {
    const token = tokens.find((one) => one.standard === standard);
    if (token === undefined) return [];
    const { address, symbol, name } = token;
    const label = printable(symbol || name);
    return {
      about: `${label && `${label}, `}an ${standard.toUpperCase()} token`,
      commands:
        standard === "mrc20"
          ? [`tokens totalSupply ${address}`, `eventLogs list ${address} --limit 5`]
          : [`accounts inventory ${address} --limit 5`],
    };
  });
}

function contractHints(chain: ChainWriter): Hint[] {
  const [contract] = byUse(chain, chain.verifiedContracts());
  if (contract === undefined) return [];
  const about = `${printable(contract.contractName)}, a verified contract`;
  return [{ about, commands: [`contracts abi ${contract.address}`] }];
}

/** So many of the newest transactions are searched for one with internal transactions. */
const MAX_SEARCHED = 200;

function transactionHints(chain: ChainWriter): Hint[] {
  const all = chain.allTransactions({});
  const newest = all.slice(Math.max(0, all.count - MAX_SEARCHED), MAX_SEARCHED).reverse();
  const nested = newest.find((one) => chain.framesOf(one).count > 0);
  const [last] = newest;
  return [
    ...(last ? [{ about: "A transaction", commands: [`transactions status ${last.hash}`] }] : []),
    ...(nested
      ? [
          {
            about: "A transaction with internal ones",
            commands: [`transactions internalTransactions ${nested.hash}`],
          },
        ]
      : []),
    { about: "The newest block", commands: ["blocks get latest"] },
  ];
}

/** How the commands reach the explorer. */
export interface Reach {
  readonly url: string;
  /** Whether only some keys are accepted. They are not printed. */
  readonly keysListed: boolean;
  /** How the program is run: "npx mrc-explorer". */
  readonly program: string;
}

/** Lines of which the commands can be pasted into any shell; none for an empty chain. */
export function hintLines(chain: ChainWriter, { url, keysListed, program }: Reach): string[] {
  if (chain.length === 0) return [];
  const hints = [accountHints, tokenHints, contractHints, transactionHints].flatMap((hintsOf) =>
    hintsOf(chain),
  );
  const key = keysListed ? "…" : "any";
  return [
    `To try in another terminal${keysListed ? ", with one of the keys of --api-key" : ""}:`,
    `    export EXPLORER_BASE_URL=${url} EXPLORER_API_KEY=${key}`,
    // No comments behind the commands: zsh would take them for arguments.
    ...hints.flatMap(({ about, commands }) => [
      `  ${about}:`,
      ...commands.map((command) => `    ${program} ${command}`),
    ]),
  ];
}
