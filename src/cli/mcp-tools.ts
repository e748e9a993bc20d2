// The MCP tools: one for each operation of the explorer's API.
import { operationsInOrder, summaryOf } from "../contract/descriptions.ts";
import { type AnyOperation, operations } from "../contract/index.ts";
import { fetchResults, isList } from "./fetch-results.ts";
import {
  argumentsOf,
  shared,
  type ToolArguments,
  type ToolInput,
  wireInput,
} from "./mcp-arguments.ts";
import type { ToolContext } from "./mcp-context.ts";
import { listArguments, MAX_TEXT, runList } from "./mcp-lists.ts";
import { fieldsOf, mapRows, type Row } from "./records.ts";
import { formattedAmounts, hasUnknownDecimals, withDecimals } from "./units.ts";

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: ToolArguments;
  /** The fields of the answer, and of its records. */
  readonly answer: { readonly fields: readonly string[]; readonly records?: readonly string[] };
  readonly isReadOnly: boolean;
  run(input: ToolInput, context: ToolContext): Promise<Row>;
}

/** Notes for agents, shown after the summary of an operation, by operation id. */
const notes: Readonly<Record<string, string>> = {
  A2: "A deployment has no receiver; accounts_createdContracts returns the created address.",
  X2: "The reason of a failure, if the explorer states it, is in transactions_status.",
  T4: "The explorer counts holders, but does not list them; event logs have their transfers.",
  C2: "Omits the bytecode unless bytecode is true. bytecode_bytes is 0 if the address has no code.",
  L1: "topic_0 takes an event, Transfer or Paid(address,uint256); the other topics take addresses.",
};

/** The meanings of status values, by operation. */
export const meanings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  X1: { "0": "failed", "1": "no error" },
  X2: { "0": "failed", "1": "succeeded" },
};

/** Returns an answer, or a part of a long answer with the cursor of the next part. */
function inParts(answer: Row, from: number): Row {
  const text = JSON.stringify(answer);
  if (from === 0 && text.length <= MAX_TEXT) return answer;
  if (from >= text.length)
    throw new TypeError(`cursor: expected the cursor of an earlier answer, received ${from}`);
  for (let size = MAX_TEXT; ; size = Math.floor(size * 0.9)) {
    const end = Math.min(from + size, text.length);
    const cursor = end < text.length ? { cursor: `${end}`, note: "the answer is cut" } : {};
    const part = { part: text.slice(from, end), of: text.length, ...cursor };
    if (JSON.stringify(part).length <= MAX_TEXT) return part;
  }
}

/** Runs an operation that returns a single answer instead of a list. */
async function runOne(
  operation: AnyOperation,
  toolArguments: ToolArguments,
  toolInput: ToolInput,
  context: ToolContext,
): Promise<Row> {
  const { cursor = "0", bytecode } = toolInput;
  if (!/^\d{1,15}$/.test(`${cursor}`))
    throw new TypeError(
      `cursor: expected the cursor of an earlier answer, received "${`${cursor}`.slice(0, 100)}"`,
    );
  const input = wireInput(toolArguments, toolInput);
  const options = { ...context.options, all: false, whole: true };
  const { call } = context.options;
  const whole = hasUnknownDecimals(operation) ? { typed: "ether", decimals: undefined } : undefined;
  const unit = await withDecimals(whole, input.contract_hash, call, context.io.signal);
  const format = formattedAmounts(operation, unit);
  const change = (row: Row): Row => {
    const { contract_code: code, ...record } = format(row);
    if (code === undefined || bytecode === true) return format(row);
    return { ...record, bytecode_bytes: Math.max(0, `${code}`.length / 2 - 1) };
  };
  for await (const { results } of fetchResults(operation, input, options, context.io)) {
    const answer: Row = Object(await mapRows(results, change));
    const note = await noteOn(operation, answer, input, context);
    return inParts({ ...answer, ...note }, Number(cursor));
  }
  return { data: [] };
}

/** Explains a transaction's status, and links the page about the transaction. */
async function noteOn(
  { id }: AnyOperation,
  answer: Row,
  { transaction_hash }: Row,
  context: ToolContext,
): Promise<Row> {
  const { status } = Object(answer.data ?? answer);
  const meaning = meanings[id]?.[`${status}`];
  if (meaning === undefined) return {};
  const page = await context.pageOf("tx", `${transaction_hash}`);
  return { meaning, ...(page && { page }) };
}

function operationTool(operation: AnyOperation): Tool {
  const { id, name } = operation;
  const summary = summaryOf(operation);
  const about = {
    name: name.replace(".", "_"),
    title: summary,
    description: [`${summary} (${id}).`, notes[id]].filter(Boolean).join(" "),
    isReadOnly: id !== operations.C3.id,
  };
  if (isList(operation)) {
    const toolArguments = { ...argumentsOf(operation), ...listArguments(operation) };
    return {
      ...about,
      arguments: toolArguments,
      answer: {
        fields: ["count", "matching", "read", "cursor", "note"],
        records: fieldsOf(operation),
      },
      run: (input, context) => runList(operation, toolArguments, input, context),
    };
  }
  const { failed, cursor } = shared;
  const bytecode = { ...failed, description: "Whether to include the bytecode." };
  const toolArguments: ToolArguments = {
    ...argumentsOf(operation),
    ...(id === operations.C2.id && { bytecode }),
    cursor,
  };
  return {
    ...about,
    arguments: toolArguments,
    answer: { fields: ["data", "part", "of", "cursor", "note"] },
    run: (input, context) => runOne(operation, toolArguments, input, context),
  };
}

export const operationTools: readonly Tool[] = operationsInOrder.map(operationTool);
