// Lines that `mrc-explorer serve` prints: commands to try, and a line for each request.
import { printable } from "../../src/cli/table.ts";
import { operationLabel } from "../../src/contract/operation-names.ts";
import { redactor } from "../../src/errors/find-key.ts";
import { excerpt } from "../../src/errors/redact.ts";
import { hasIds, standards } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import type { ServiceRequest } from "../message/message.ts";
import type { JournalEntry } from "../message/notes.ts";

/** Commands to try on one subject. */
interface Hint {
  readonly subject: string;
  readonly commands: readonly string[];
}

const count = new Intl.NumberFormat("en-US");
const ZERO = /^0x0+$/;

/** Limit of tokens or contracts whose use is counted, because a chain may have very many. */
const MAX_COUNTED = 1000;

/** Sorts tokens or contracts by their transactions, the most used first. */
const byUse = <Item extends { readonly address: `0x${string}` }>(
  chain: ChainWriter,
  items: readonly Item[],
): readonly Item[] =>
  items
    .slice(0, MAX_COUNTED)
    .map((item) => ({ item, uses: chain.transactions(item.address, "all", {}).count }))
    .sort((one, other) => other.uses - one.uses)
    .map(({ item }) => item);

/** Commands that have an answer on a chain. */
function* hintsOn(chain: ChainWriter): Generator<Hint> {
  const busiest = chain.busiestAccounts(10).filter(({ address }) => !ZERO.test(address));
  const accounts = busiest.filter(({ address }) => chain.code(address) === "0x").slice(0, 3);
  if (accounts[0])
    yield {
      subject: `Busy accounts, the first with ${count.format(accounts[0].transactions)} transactions`,
      commands: [
        ...accounts.map(({ address }) => `accounts transactions ${address} --limit 5`),
        `accounts balance ${accounts.map(({ address }) => address).join(" ")}`,
      ],
    };
  const holder = busiest.find(({ address }) => chain.holdings(address, "mrc20").count > 0);
  if (holder)
    yield { subject: "The tokens of an account", commands: [`accounts tokens ${holder.address}`] };
  const tokens = byUse(chain, chain.tokens());
  for (const standard of standards) {
    const token = tokens.find((candidate) => candidate.standard === standard);
    if (token === undefined) continue;
    const { address, symbol, name } = token;
    const label = printable(symbol || name);
    yield {
      subject: `${label && `${label}, `}an ${standard.toUpperCase()} token`,
      commands: hasIds(standard)
        ? [`accounts inventory ${address} --limit 5`]
        : [`tokens totalSupply ${address}`, `eventLogs list ${address} --limit 5`],
    };
  }
  const [contract] = byUse(chain, chain.verifiedContracts());
  if (contract)
    yield {
      subject: `${printable(contract.contractName)}, a verified contract`,
      commands: [`contracts abi ${contract.address}`],
    };
  const transactions = chain.allTransactions({});
  const [last] = transactions.slice(Math.max(0, transactions.count - 1), 1);
  if (last) yield { subject: "A transaction", commands: [`transactions status ${last.hash}`] };
  yield { subject: "The newest block", commands: ["blocks get latest"] };
}

/** How a user's commands reach the explorer. */
export interface Reach {
  readonly url: string;
  /** Whether only some keys are accepted. They are not printed. */
  readonly keysListed: boolean;
  /** The command that starts this program, such as "npx mrc-explorer". */
  readonly program: string;
}

/** Returns lines whose commands can be pasted into any shell; none for an empty chain. */
export function hintLines(chain: ChainWriter, { url, keysListed, program }: Reach): string[] {
  if (chain.length === 0) return [];
  return [
    `To try in another terminal${keysListed ? ", with one of the keys of --api-key" : ""}:`,
    `    export EXPLORER_BASE_URL=${url} EXPLORER_API_KEY=${keysListed ? "…" : "any"}`,
    // No comments after the commands: zsh would take them for arguments.
    ...[...hintsOn(chain)].flatMap(({ subject, commands }) => [
      `  ${subject}:`,
      ...commands.map((command) => `    ${program} ${command}`),
    ]),
  ];
}

/** Limit of a printed path, in characters. */
const MAX_TARGET = 2000;

/** Describes a request in one line, without the API key. */
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
