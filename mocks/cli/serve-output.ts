// Lines that `mrc-explorer serve` prints: commands to try, and a line for each request.

import { printable } from "../../src/cli/table.ts";
import { operationLabel } from "../../src/contract/operation-names.ts";
import { redactor } from "../../src/errors/find-key.ts";
import { excerpt } from "../../src/errors/redact.ts";
import { hasIds, standards } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import type { ServiceRequest } from "../message/message.ts";
import type { JournalEntry } from "../message/notes.ts";

/** Commands to try, and what they are about. */
interface Hint {
  readonly about: string;
  readonly commands: readonly string[];
}

const count = new Intl.NumberFormat("en-US");
const ZERO = /^0x0+$/;

/** How many tokens or contracts are compared by use. */
const MAX_COMPARED = 1000;

/** Tokens or contracts, the one with most transactions first. */
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
  return standards.flatMap((standard) => {
    const token = tokens.find((one) => one.standard === standard);
    if (token === undefined) return [];
    const { address, symbol, name } = token;
    const label = printable(symbol || name);
    return {
      about: `${label && `${label}, `}an ${standard.toUpperCase()} token`,
      commands: hasIds(standard)
        ? [`accounts inventory ${address} --limit 5`]
        : [`tokens totalSupply ${address}`, `eventLogs list ${address} --limit 5`],
    };
  });
}

function contractHints(chain: ChainWriter): Hint[] {
  const [contract] = byUse(chain, chain.verifiedContracts());
  if (contract === undefined) return [];
  const about = `${printable(contract.contractName)}, a verified contract`;
  return [{ about, commands: [`contracts abi ${contract.address}`] }];
}

/** How many of the newest transactions are searched for one with internal transactions. */
const MAX_SEARCHED = 200;

function transactionHints(chain: ChainWriter): Hint[] {
  const transactions = chain.allTransactions({});
  const newest = transactions
    .slice(Math.max(0, transactions.count - MAX_SEARCHED), MAX_SEARCHED)
    .reverse();
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
    // No comments after the commands: zsh would take them for arguments.
    ...hints.flatMap(({ about, commands }) => [
      `  ${about}:`,
      ...commands.map((command) => `    ${program} ${command}`),
    ]),
  ];
}

/** Longer paths are cut. */
const MAX_TARGET = 2000;

/** A request in one line, from its time to its faults. The API key is redacted everywhere. */
export function logLine(entry: JournalEntry, { headers }: ServiceRequest): string {
  const { at, method, target, operation, status, duration, faults } = entry;
  const key = headers["api-key"];
  const redact = redactor(typeof key === "string" ? key : undefined);
  return [
    new Date(at).toISOString(),
    excerpt(method, redact, 20),
    excerpt(target, redact, MAX_TARGET),
    operation === undefined ? "no operation" : operationLabel(operation),
    status || "no response",
    `${Math.round(duration)} ms`,
    ...(faults.length > 0 ? [`faults: ${faults.join(", ")}`] : []),
  ].join(" ");
}
