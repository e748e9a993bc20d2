// `mrc-explorer mcp`: every operation as a tool for agents, over standard input and output (Model Context Protocol).
import type { CallToolResult, JsonSchemaType } from "@modelcontextprotocol/server";
import { type Command, InvalidArgumentError } from "commander";
import * as z from "zod/mini";
import {
  operationsInOrder,
  type ParameterName,
  parameterDescriptions,
  summaryOf,
} from "../contract/descriptions.ts";
import { type AnyOperation, type AnySchema, operations } from "../contract/index.ts";
import { isExplorerError } from "../errors/index.ts";
import { addConnection, type ConnectionOptions } from "./connection.ts";
import { inWords } from "./exit-codes.ts";
import { type FetchOptions, fetchResults, isList } from "./fetch-results.ts";
import type { ProcessIO } from "./process-io.ts";
import { mapRows, type Row, rowsOf } from "./records.ts";
import { waitForAbort } from "./serve-node.ts";
import { inUnits } from "./units.ts";

interface McpOptions extends ConnectionOptions {
  readonly demo?: true;
  readonly allowVerify?: true;
}

/** The longest answer, in characters: what a model reads of a result is paid for. */
const MAX_TEXT = 100_000;
/** The characters of a part of a long answer: as a text in JSON, it is longer. */
const PART = 70_000;
/** The records of a list without `max`, and the most at once. */
const DEFAULT_RECORDS = 50;
const MAX_RECORDS = 1000;
/** Records of a page: an answer ends after a whole one. */
const PAGE = 10;

type Arguments = Readonly<Record<string, unknown>>;

/** Loads what few users need. */
async function loadServer() {
  try {
    const [server, stdio] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("@modelcontextprotocol/server/stdio"),
    ]);
    return { ...server, ...stdio };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new InvalidArgumentError(
      "mcp needs a package that is not installed: npm install @modelcontextprotocol/server",
    );
  }
}

/** The parameters of a tool: the contract's, and for lists how many records and where to continue. */
function inputSchemaOf(operation: AnyOperation): JsonSchemaType {
  const { limit: _, offset: __, ...shape } = operation.input.shape;
  const properties = Object.fromEntries(
    Object.entries(isList(operation) ? shape : operation.input.shape).map(([name, schema]) => {
      const description = parameterDescriptions[name as ParameterName];
      const { $schema: ___, ...json } = z.toJSONSchema(schema as AnySchema, { io: "input" });
      return [name, { ...json, description }];
    }),
  );
  const required = z.toJSONSchema(operation.input, { io: "input" }).required ?? [];
  const max = { type: "integer", minimum: 1, maximum: MAX_RECORDS, default: DEFAULT_RECORDS };
  return {
    type: "object",
    properties: {
      ...properties,
      ...(isList(operation) && {
        max: { ...max, description: "The most records to return." },
      }),
      cursor: { type: "string", description: "Where to continue: `cursor` of the answer before." },
    },
    required: [...required],
    additionalProperties: false,
  } as JsonSchemaType;
}

/** The description of a tool: the summary, the number in the specification, and the units of amounts. */
const descriptionOf = (operation: AnyOperation): string =>
  `${summaryOf(operation)} (${operation.id}). Amounts are decimal strings in the smallest unit, with the amount in coins or whole tokens beside (\`value_formatted\`), where its decimals are known.`;

/** Adds to each amount of a record what a person reads. */
function formatted(operation: AnyOperation): (row: Row) => Row {
  // The decimals of T1 and T2 are not in the response.
  if (["T1", "T2"].includes(operation.id)) return (row) => row;
  const change = inUnits(operation, { typed: "ether", decimals: 18 });
  return (row) => {
    const changed = change(row);
    return Object.fromEntries(
      Object.entries(row).flatMap(([name, value]) =>
        changed[name] === value
          ? [[name, value]]
          : [
              [name, value],
              [`${name}_formatted`, changed[name]],
            ],
      ),
    );
  };
}

/** Records of a list up to a number and a length, and the cursor to continue after them. */
async function listed(
  operation: AnyOperation,
  { max = DEFAULT_RECORDS, cursor, ...input }: Arguments & { max?: number; cursor?: string },
  options: FetchOptions,
  io: ProcessIO,
  limit = PAGE,
): Promise<Record<string, unknown>> {
  const format = formatted(operation);
  const records: Row[] = [];
  let length = 0;
  let total: number | undefined;
  let next = cursor;
  const terms = { ...options, all: true, max, resume: cursor };
  for await (const page of fetchResults(operation, { ...input, limit }, terms, io)) {
    const rows = rowsOf(page.results).map(format);
    total ??= page.total;
    length += JSON.stringify(rows).length;
    if (length > MAX_TEXT && records.length > 0) return { count: total, records, cursor: next };
    // The first page alone is too long: its records one by one.
    if (length > MAX_TEXT && limit > 1)
      return listed(operation, { ...input, max, ...(cursor && { cursor }) }, options, io, 1);
    records.push(...rows);
    next = page.cursor;
  }
  return { count: total, records, ...(records.length >= max && { cursor: next }) };
}

const wrongCursor = (cursor: unknown) =>
  new Error(`cursor: expected that of an answer before, received ${JSON.stringify(cursor)}`);

/** An answer as text; one that is too long ends with the cursor of its rest. */
function cut(text: string, from: number): string {
  if (from === 0 && text.length <= MAX_TEXT) return text;
  if (from >= text.length) throw wrongCursor(`${from}`);
  const part = text.slice(from, from + PART);
  const end = from + part.length;
  const rest = end < text.length ? { cursor: `${end}` } : {};
  return JSON.stringify({ part, of: text.length, ...rest });
}

async function answer(
  operation: AnyOperation,
  given: Arguments,
  options: FetchOptions,
  io: ProcessIO,
): Promise<string> {
  if (isList(operation)) {
    const text = JSON.stringify(await listed(operation, given, options, io));
    if (text.length <= 2 * MAX_TEXT) return text;
    throw new Error(
      `one record has ${text.length} characters, more than an answer may have: use the command line, mrc-explorer ${operation.resource} ${operation.action}`,
    );
  }
  const { cursor = "0", ...input } = given;
  if (!/^\d{1,15}$/.test(`${cursor}`)) throw wrongCursor(cursor);
  const whole = { ...options, all: false, whole: true };
  for await (const { results } of fetchResults(operation, input, whole, io))
    return cut(JSON.stringify(mapRows(results, formatted(operation))), Number(cursor));
  return JSON.stringify({ data: [] });
}

const textResult = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });

/** A failure with its code, which says what to do. */
const failure = (error: unknown): CallToolResult => ({
  ...textResult(
    JSON.stringify({
      code: isExplorerError(error) ? error.code : "FAILED",
      message: inWords(error),
    }),
  ),
  isError: true,
});

/** The connection: to an explorer, or to a mock of the demo chain in this process. */
async function connectionOf({ demo, ...options }: McpOptions): Promise<FetchOptions> {
  if (!demo) return { ...options, all: false };
  const { createExplorer, loadDemo } = await import("../../mocks/node.ts");
  const { baseUrl, fetch } = createExplorer({ chain: await loadDemo({ verified: true }) });
  return { ...options, all: false, baseUrl, apiKey: "demo", fetch };
}

async function serveTools(options: McpOptions, io: ProcessIO): Promise<void> {
  const { fromJsonSchema, McpServer, StdioServerTransport } = await loadServer();
  const connection = await connectionOf(options);
  const server = new McpServer({ name: "mrc-explorer", version: io.version });
  for (const operation of operationsInOrder as readonly AnyOperation[]) {
    const isVerify = operation.id === operations.C3.id;
    if (isVerify && !options.allowVerify) continue;
    server.registerTool(
      operation.name.replace(".", "_"),
      {
        title: summaryOf(operation),
        description: descriptionOf(operation),
        inputSchema: fromJsonSchema<Arguments>(inputSchemaOf(operation)),
        annotations: { readOnlyHint: !isVerify, openWorldHint: !options.demo },
      },
      async (given) => {
        try {
          return textResult(await answer(operation, given, connection, io));
        } catch (error) {
          return failure(error);
        }
      },
    );
  }
  // A line that is no message, or too long for one, ends unseen otherwise.
  server.server.onerror = (error) => void io.stderr.write(`${inWords(error)}\n`);
  const transport = new StdioServerTransport();
  const ended = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
  });
  await server.connect(transport);
  await Promise.race([ended, waitForAbort(io.signal)]);
  await server.close();
}

export function addMcp(program: Command, io: ProcessIO): void {
  const command = program
    .command("mcp")
    .summary("Serve every operation as a tool for agents (MCP)")
    .description(
      "Speaks the Model Context Protocol over standard input and output: a tool for each operation, read-only unless --allow-verify. Needs @modelcontextprotocol/server.",
    )
    .option("--demo", "answer from the demo chain, in this process, without an explorer")
    .option("--allow-verify", "offer contract verification (C3), which submits source code");
  addConnection(command);
  command.action((options: McpOptions) => serveTools(options, io));
}
