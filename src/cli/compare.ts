// `mrc-explorer compare`: makes about 300 checks of a real explorer, and reports where it differs from the specification and from our decisions.
import { type Command, InvalidArgumentError, Option } from "commander";
import * as z from "zod/mini";
import { dialects } from "../contract/dialects.ts";
import { check, explain } from "../models/issues.ts";
import { resolveSettings } from "../settings.ts";
import { Asker } from "./compare/ask.ts";
import { type Comparison, compare, type Difference, differenceKey } from "./compare/compare.ts";
import { addConnection, type ConnectionOptions, clientOptions } from "./connection.ts";
import { stdoutWriter } from "./format.ts";
import { append, integerOption, nodeUrl, readJson } from "./parameters.ts";
import { type ProcessIO, terminalOf } from "./process-io.ts";
import { printable } from "./table.ts";

interface CompareOptions extends ConnectionOptions {
  readonly requests: number;
  readonly address?: readonly string[];
  readonly token?: readonly string[];
  readonly contract?: readonly string[];
  readonly rpc?: string;
  readonly verify?: true;
  readonly json?: true;
  readonly accept?: string;
}

/** Slow enough for any explorer that people pay nothing for. */
const POLITE = { requests: 5, perMs: 1000 };

/** The parts of a printed comparison that `--accept` reads. */
const acceptedSchema = z.object({
  differences: z.array(
    z.object({ operation: z.string(), rule: z.string(), field: z.string(), expected: z.string() }),
  ),
});

/** The identities of the differences in a file. */
function acceptedIn(file: string): ReadonlySet<string> {
  const advice = "; --accept reads what compare --json wrote";
  const { value, issues } = check(acceptedSchema, readJson(file, advice));
  if (issues) throw new InvalidArgumentError(`${file}: ${explain(issues[0])}${advice}`);
  return new Set(value.differences.map(differenceKey));
}

/** The differences that are alike but for the operation, in one line each. */
function differenceLines(differences: readonly Difference[]): string[] {
  const groups = new Map<string, Difference[]>();
  for (const one of differences) {
    const key = JSON.stringify([one.rule, one.field, one.expected, one.received]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ rule, field, expected, received, reads, asked }) => {
      const operations = [...new Set(group.map(({ operation }) => operation))].join(", ");
      const why = reads === undefined ? rule : `${rule}; the client reads it, ${reads}`;
      return `${operations}: ${field} (${why}): expected ${expected}, received ${printable(received)} (asked: ${asked})`;
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
  await out.page({
    data: operations.map((one) => ({ ...one, decisions: one.decisions.join(" ") })),
  });
  const { write } = terminalOf(io);
  for (const line of differenceLines(fresh)) await write(`${line}\n`);
  const known = differences.length - fresh.length;
  if (known > 0) await write(`${known} known differences (--accept)\n`);
  const gone = accepted.size - known;
  if (gone > 0) await write(`${gone} of the known differences were not found\n`);
  const sum = (field: "asked" | "otherwise") =>
    operations.reduce((total, tally) => total + tally[field], 0);
  const kept = sum("asked") - sum("otherwise");
  await write(`${kept} of ${sum("asked")} answers as specified or decided; ${requests} requests\n`);
}

async function run(options: CompareOptions, io: ProcessIO): Promise<void> {
  const { requests, address = [], token = [], contract = [], verify = false, rpc } = options;
  const accepted = options.accept === undefined ? new Set<string>() : acceptedIn(options.accept);
  const client = clientOptions(options, io);
  const settings = resolveSettings(client);
  const dialect = dialects[client.dialect ?? "metadium"];
  const asker = new Asker(settings, {
    rate: settings.rateLimit ?? POLITE,
    budget: requests,
    signal: io.signal,
    say: (message) => void io.stderr.write(`${message}\n`),
  });
  // Loaded here, so that other commands do not load the mock explorer.
  const node =
    rpc === undefined
      ? undefined
      : new (await import("../../mocks/follow/rpc/node.ts")).RpcNode(rpc, {
          signal: io.signal,
        });
  const given = { addresses: address, tokens: token, contracts: contract };
  const needsKey = dialect.key === "required";
  const comparison = await compare(asker, { given, verify, needsKey, node });
  const { differences, isCut } = comparison;
  const fresh = differences.filter((one) => !accepted.has(differenceKey(one)));
  const { write } = terminalOf(io);
  if (options.json) await write(`${JSON.stringify(comparison, null, 2)}\n`);
  else await print(comparison, accepted, fresh, io);
  const name = dialect.name === "wemix" ? "WEMIX" : "Metadium";
  if (!options.json && differences.length === 0 && !isCut)
    await write(`It answers as ${name}'s documentation says\n`);
  if (isCut)
    io.stderr.write(`warning: not everything was asked: --requests ${requests} were sent\n`);
  const which = options.accept === undefined ? "" : "new ";
  if (fresh.length > 0)
    throw new Error(`${fresh.length} ${which}difference${fresh.length === 1 ? "" : "s"}`);
}

export function addCompare(program: Command, io: ProcessIO): void {
  const command = program
    .command("compare")
    .summary("Compare a real explorer with the specification")
    .description(
      "Makes about 300 checks of an explorer, with data from its newest blocks, and prints where it differs from the specification and from the decisions that the mock explorer follows (R and S rows: points that the specification leaves open). Writes nothing to the explorer. Exits with code 1 if anything differs.",
    );
  addConnection(command, "5 per second");
  command
    .addOption(
      new Option("--requests <n>", "maximum number of requests to send")
        .argParser(integerOption(1, 100_000))
        .default(600),
    )
    .option("--address <address>", "a busy account to check (repeatable)", append)
    .option("--token <address>", "a token to check (repeatable)", append)
    .option("--contract <address>", "a verified contract to check (repeatable)", append)
    .addOption(
      new Option("--rpc <url>", "compare values with this node of the explorer's chain").argParser(
        nodeUrl,
      ),
    )
    .option("--verify", "also check contract verification (C3), with sources that must be refused")
    .option("--json", "print the comparison as JSON")
    .option("--accept <file>", "known differences, from --json: only others fail")
    .action((options: CompareOptions) => run(options, io));
}
