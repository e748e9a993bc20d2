// Lines that `mrc-explorer serve` prints: commands to try, and a line for each request.
import { operationLabel } from "../../src/contract/operation-names.ts";
import { redactor } from "../../src/errors/find-key.ts";
import { excerpt } from "../../src/errors/redact.ts";
import { hasIds } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import type { ServiceRequest } from "../message/message.ts";
import type { JournalEntry } from "../message/notes.ts";

const ZERO = /^0x0+$/;

/** Yields commands that have a result on this chain. */
function* commandsOn(chain: ChainWriter): Generator<string> {
  const busiest = chain.busiestAccounts(10).filter(({ address }) => !ZERO.test(address));
  const account = busiest.find(({ address }) => chain.code(address) === "0x");
  if (account) yield `accounts transactions ${account.address} --limit 5`;
  const holder = busiest.find(({ address }) => chain.holdings(address, "mrc20").count > 0);
  if (holder) yield `accounts tokens ${holder.address}`;
  const token = chain.tokens().find(({ standard }) => !hasIds(standard));
  if (token) yield `tokens totalSupply ${token.address}`;
  const [contract] = chain.verifiedContracts();
  if (contract) yield `contracts abi ${contract.address}`;
  yield "blocks get latest";
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
    ...Array.from(commandsOn(chain), (command) => `    ${program} ${command}`),
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
