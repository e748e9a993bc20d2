// `mrc-explorer compare`: reports how a real explorer's answers differ from the contract.
import { type Command, InvalidArgumentError } from "commander";
import * as z from "zod/mini";
import { check, explain } from "../models/issues.ts";
import { resolveSettings } from "../settings.ts";
import { Asker } from "./compare/ask.ts";
import { type Comparison, compare, type Difference, differenceKey } from "./compare/compare.ts";
import { addConnection, type ConnectionOptions, clientOptions } from "./connection.ts";
import { stdoutWriter } from "./format.ts";
import { append, readJson } from "./parameters.ts";
import { type ProcessIO, terminalOf } from "./process-io.ts";
import { printable } from "./table.ts";

interface CompareOptions extends ConnectionOptions {
  readonly address?: readonly string[];
  readonly token?: readonly string[];
  readonly contract?: readonly string[];
  readonly json?: true;
  readonly accept?: string;
}

/** Slow enough for any public explorer. */
const DEFAULT_RATE = { requests: 5, perMs: 1000 };

/** The parts of a printed comparison that `--accept` reads. */
const acceptedSchema = z.object({
  differences: z.array(
    z.object({ operation: z.string(), field: z.string(), expected: z.string() }),
  ),
});

function acceptedKeys(file: string): ReadonlySet<string> {
  const advice = "; --accept reads what compare --json wrote";
  const { value, issues } = check(acceptedSchema, readJson(file, advice));
  if (issues) throw new InvalidArgumentError(`${file}: ${explain(issues[0])}${advice}`);
  return new Set(value.differences.map(differenceKey));
}

/** Formats differences, with one line for all operations that have the same difference. */
function differenceLines(differences: readonly Difference[]): string[] {
  const groups = new Map<string, Difference[]>();
  for (const difference of differences) {
    const key = JSON.stringify([difference.field, difference.expected, difference.received]);
    groups.set(key, [...(groups.get(key) ?? []), difference]);
  }
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ field, expected, received, reads, request }) => {
      const operations = [...new Set(group.map(({ operation }) => operation))].join(", ");
      const note = reads === undefined ? "" : ` (the client reads it, ${reads})`;
      return `${operations}: ${field}${note}: expected ${expected}, received ${printable(received)} (${printable(request)})`;
    }),
  );
}

async function print(
  { operations, differences, requests }: Comparison,
  accepted: ReadonlySet<string>,
  fresh: readonly Difference[],
  io: ProcessIO,
): Promise<void> {
  const out = stdoutWriter("table", io, { all: false, many: false, raw: false });
  const data = operations.map(({ operation, answers, differences, hasRecords }) => {
    const note = hasRecords ? "" : "no record found: pass --address, --token or --contract";
    return { operation, answers, differences, note };
  });
  await out.page({ data });
  const { write } = terminalOf(io);
  for (const line of differenceLines(fresh)) await write(`${line}\n`);
  const knownCount = differences.length - fresh.length;
  if (knownCount > 0) await write(`${knownCount} known differences (--accept)\n`);
  const missingCount = accepted.size - knownCount;
  if (missingCount > 0) await write(`${missingCount} of the known differences were not found\n`);
  await write(`${differences.length || "no"} differences in ${requests} requests\n`);
}

async function run(options: CompareOptions, io: ProcessIO): Promise<void> {
  const { address = [], token = [], contract = [] } = options;
  const accepted = options.accept === undefined ? new Set<string>() : acceptedKeys(options.accept);
  const settings = resolveSettings(clientOptions(options, io));
  const asker = new Asker(settings, {
    rate: settings.rateLimit ?? DEFAULT_RATE,
    maxPause: 60_000,
    signal: io.signal,
    say: (message) => void io.stderr.write(`${message}\n`),
  });
  const subjects = { addresses: address, tokens: token, contracts: contract };
  const comparison = await compare(asker, subjects);
  const { differences } = comparison;
  const fresh = differences.filter((difference) => !accepted.has(differenceKey(difference)));
  if (options.json) await terminalOf(io).write(`${JSON.stringify(comparison, null, 2)}\n`);
  else await print(comparison, accepted, fresh, io);
  const which = options.accept === undefined ? "" : "new ";
  if (fresh.length > 0)
    throw new Error(`${fresh.length} ${which}difference${fresh.length === 1 ? "" : "s"}`);
}

export function addCompare(program: Command, io: ProcessIO): void {
  const command = program
    .command("compare")
    .summary("Compare a real explorer with the specification")
    .description(
      "Asks an explorer about a sample of its chain, and prints where it differs from the specification: the form of each operation's answers, and the pages and block ranges of its lists. Writes nothing to the explorer. Exits with code 1 if anything differs.",
    );
  addConnection(command, "5 per second");
  command
    .option("--address <address>", "a busy account to check (repeatable)", append)
    .option("--token <address>", "a token to check (repeatable)", append)
    .option("--contract <address>", "a verified contract to check (repeatable)", append)
    .option("--json", "print the comparison as JSON")
    .option("--accept <file>", "differences to accept, from --json: only new ones fail")
    .action((options: CompareOptions) => run(options, io));
}
