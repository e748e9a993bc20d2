// Tools that answer questions which take several requests: blocks by time, facts about an address
// or token, totals, and one transaction.
import * as ContractAddress from "ox/ContractAddress";
import { operations } from "../contract/index.ts";
import { requiredTime } from "../lists/period.ts";
import type { ListOperation } from "../lists/records.ts";
import { type Address, type Hash, oneOf } from "../models/primitives.ts";
import { formatTokenAmount, TRANSFER } from "../resources/display.ts";
import { inputDecoder } from "./decode-records.ts";
import { fetchResults, toWire } from "./fetch-results.ts";
import { integerSchema, shared, type ToolArguments, type ToolInput } from "./mcp-arguments.ts";
import type { ToolContext } from "./mcp-context.ts";
import { filtersIn, momentOf, periodIn } from "./mcp-lists.ts";
import { meanings, type Tool } from "./mcp-tools.ts";
import { LATEST } from "./parameters.ts";
import { isSame, recordFilter, Sums } from "./record-filters.ts";
import { type Row, rowsOf } from "./records.ts";
import { describeToken, ifFound, TOKEN_FIELDS } from "./token-facts.ts";
import { formattedAmounts } from "./units.ts";

/** Limit of the records that one call reads. */
const MAX_READ = 20_000;

async function page(
  operation: ListOperation,
  input: Record<string, unknown>,
  { options, io }: ToolContext,
): Promise<{ readonly count: number | undefined; readonly records: readonly Row[] }> {
  for await (const { results, total } of fetchResults(operation, input, options, io))
    return { count: total, records: rowsOf(results).map(formattedAmounts(operation)) };
  return { count: 0, records: [] };
}

/** Reads the records of a list, newest first, up to the limit. */
async function* every(
  operation: ListOperation,
  input: Record<string, unknown>,
  { options, io, progress }: ToolContext,
): AsyncGenerator<Row> {
  let readCount = 0;
  const terms = { ...options, all: true, max: MAX_READ };
  const query = { ...input, limit: 1000 };
  for await (const { results, total } of fetchResults(operation, query, terms, io)) {
    const rows = rowsOf(results);
    readCount += rows.length;
    await progress(readCount, total);
    yield* rows;
  }
}

async function findBlock({ time }: ToolInput, { options, io }: ToolContext): Promise<Row> {
  const date = time && requiredTime("Invalid arguments", "time", momentOf(time));
  const input = { block_number: date ?? LATEST };
  for await (const { results } of fetchResults(operations.B1, input, options, io))
    return { data: rowsOf(results).map(formattedAmounts(operations.B1))[0] };
  return {};
}

async function describeAccount({ address }: ToolInput, context: ToolContext): Promise<Row> {
  const { call } = context.options;
  const { signal } = context.io;
  const account = address as Address;
  const input = { address_hash: account, limit: 1 };
  const [balances, newest, sent, creations, code] = await Promise.all([
    call(operations.A1, { addresses: [account] }, { signal }),
    page(operations.A2, input, context),
    page(operations.A2, { ...input, condition: "from" }, context),
    page(operations.A2, { ...input, condition: "contract" }, context),
    ifFound(call(operations.C2, { contract_hash: account }, { signal })),
  ]);
  const count = newest.count ?? 0;
  const oldest =
    count > 1 ? await page(operations.A2, { ...input, offset: count - 1 }, context) : newest;
  // A contract sends no transaction of its own.
  const mayBeContract = creations.records.length > 0 || sent.records.length === 0;
  const creation =
    creations.records[0] ?? (mayBeContract ? await innerCreation(account, context) : undefined);
  const isContract = code !== undefined || creation !== undefined;
  const balance = balances.data.data[0]?.balance;
  const link = await context.pageOf("account", account);
  return {
    address,
    is_contract: isContract,
    ...(isContract && {
      verified_as: Object(code?.data.data).contract_name || null,
      created_by: creation?.sender ?? null,
      created_in: creation?.transaction_hash ?? null,
    }),
    balance: balance == null ? null : `${balance}`,
    balance_formatted: balance == null ? null : formatTokenAmount(balance, 18),
    transactions: newest.count ?? null,
    first_transaction: oldest.records[0] ?? null,
    last_transaction: newest.records[0] ?? null,
    ...(link && { page: link }),
  };
}

/** Finds the internal transaction that created a contract. */
async function innerCreation(address: Address, context: ToolContext): Promise<Row | undefined> {
  for await (const frame of every(operations.A3, { address_hash: address }, context))
    if (isSame(frame.contract_address, address)) return frame;
  return undefined;
}

/** Lists the contracts that an account created by its transactions, or that a contract created. */
async function createdContracts(
  { address, max = 50 }: ToolInput,
  context: ToolContext,
): Promise<Row> {
  const input = { address_hash: address };
  const sent: Row[] = [];
  for await (const row of every(operations.A2, input, context))
    if (isSame(row.sender, address)) sent.push(row);
  const records: Row[] = [];
  const add = (contract_address: unknown, { timestamp, transaction_hash }: Row) => {
    if (records.length < Number(max))
      records.push({ timestamp, transaction_hash, contract_address });
  };
  for (const [index, row] of sent.entries()) {
    if (row.receiver !== null || row.tx_status === "0" || records.length >= Number(max)) continue;
    // A nonce is the number of earlier transactions. The explorer then confirms the address.
    const nonce = BigInt(sent.length - 1 - index);
    const candidate = ContractAddress.fromCreate({ from: address as Address, nonce }).toLowerCase();
    const query = { address_hash: candidate, condition: "contract", limit: 1 };
    const [creation] = (await page(operations.A2, query, context)).records;
    add(creation?.transaction_hash === row.transaction_hash ? candidate : null, row);
  }
  for await (const frame of every(operations.A3, input, context))
    if (frame.contract_address != null && isSame(frame.sender, address) && frame.status !== "0")
      add(frame.contract_address, frame);
  const isUnknown = records.some(({ contract_address }) => contract_address === null);
  return {
    records,
    ...(isUnknown && {
      note: "the explorer does not confirm the address that some transactions created: it is null",
    }),
  };
}

/** Finds the owner of a token of a collection by its last transfer. */
async function ownerOf({ token, token_id }: ToolInput, context: ToolContext): Promise<Row> {
  const topic_3 = `0x${BigInt(`${token_id}`).toString(16).padStart(64, "0")}`;
  const filter = { address: token, topic_0: TRANSFER, topic_3, limit: 1 };
  const [last] = (await page(operations.L1, filter, context)).records;
  if (!last)
    throw new TypeError(`token_id: the collection never transferred the token ${token_id}`);
  const { timestamp, transaction_hash, topic_2 } = last;
  const owner = `0x${`${topic_2}`.slice(26)}`;
  const isBurnt = /^0x0+$/.test(owner);
  return {
    ...{ token, token_id: `${token_id}` },
    owner: isBurnt ? null : owner,
    ...(isBurnt && { note: "the token was burnt" }),
    ...{ since: timestamp, transaction_hash },
  };
}

/** The lists that can be added up, and the fields with their amounts. */
const summable = {
  transactions: { operation: operations.A2, fields: ["value", "tx_fee"] },
  internalTransactions: { operation: operations.A3, fields: ["value"] },
  mrc20Transfers: { operation: operations.A4, fields: ["value"] },
  minedBlocks: { operation: operations.A10, fields: ["reward"] },
} as const;

/** Adds up amounts and fees of a period, apart for sent and received records. */
async function totals(input: ToolInput, context: ToolContext): Promise<Row> {
  const { address, kind = "transactions", by } = input;
  const { operation, fields } = summable[kind as keyof typeof summable];
  const matches = recordFilter(filtersIn(input));
  const sent = new Sums(fields);
  const received = new Sums(fields.filter((field) => field !== "tx_fee"));
  const length = by === "month" ? 7 : 10;
  let readCount = 0;
  const query = { address_hash: address, ...periodIn(input) };
  for await (const row of every(operation, query, context)) {
    readCount++;
    if (!matches(row)) continue;
    const period = by === undefined ? undefined : `${row.timestamp}`.slice(0, length);
    // A failed transaction moves no coins, but costs its fee.
    const isFailed = row.tx_status === "0" || row.status === "0";
    (isSame(row.sender, address) ? sent : received).add(
      isFailed ? { ...row, value: "0" } : row,
      period,
    );
  }
  return {
    read: readCount,
    sent: sent.rows(),
    received: received.rows(),
    ...(readCount >= MAX_READ && {
      note: `only the newest ${MAX_READ} records were read: pass since`,
    }),
  };
}

/** Returns the status of a transaction, and its record from the list of a party. */
async function findTransaction(input: ToolInput, context: ToolContext): Promise<Row> {
  const transaction_hash = `${input.transaction_hash}`.toLowerCase() as Hash;
  const { call } = context.options;
  const { signal } = context.io;
  const receipt = await ifFound(call(operations.X2, { transaction_hash }, { signal }));
  if (!receipt) throw new TypeError("transaction_hash: the explorer has no such transaction");
  const { status } = Object(toWire(operations.X2, receipt.data)).data;
  const frames = await page(operations.X3, { transaction_hash, limit: 1000 }, context);
  const link = await context.pageOf("tx", transaction_hash);
  const about = {
    status: meanings.X2?.[`${status}`] ?? status,
    internal_transactions: frames.count ?? frames.records.length,
    reasons: [...new Set(frames.records.flatMap(({ message }) => (message ? [message] : [])))],
    ...(link && { page: link }),
  };
  const block = frames.records[0]?.block_number;
  const range = block == null ? {} : { startBlock: block, endBlock: block };
  const parties = frames.records.flatMap(({ sender, receiver }) => [sender, receiver]);
  const accounts = new Set([input.address, ...parties].filter((party) => party != null));
  for (const address_hash of [...accounts].slice(0, 4)) {
    const query = { address_hash, ...range, input: true };
    for await (const row of every(operations.A2, query, context)) {
      if (row.transaction_hash !== transaction_hash) continue;
      const decoded = await inputDecoder(context)(row);
      const { input: _, ...transaction } = formattedAmounts(operations.A2)(decoded);
      return { ...about, transaction };
    }
  }
  return {
    ...about,
    note: "The explorer's API has no transaction by its hash, beyond the status, and no reason of a failure. Pass the address of its sender or receiver: then its record is searched in that account's list.",
  };
}

const answer = (...fields: readonly string[]) => ({ fields });

const tool = (
  name: string,
  description: string,
  toolArguments: ToolArguments,
  run: Tool["run"],
  shape: Tool["answer"],
): Tool => ({
  ...{ name, description, run, arguments: toolArguments, answer: shape },
  title: description.split(/[.:]/, 1)[0] ?? name,
  isReadOnly: true,
});

const { address, since, until, counterparty, min_value, failed, transaction_hash } = shared;

export const questionTools: readonly Tool[] = [
  tool("blocks_latest", "The newest block.", {}, findBlock, answer("data")),
  tool(
    "blocks_at",
    "The last block at or before a time.",
    { time: { ...since, description: "A time: 2026-11-14T12:00:00Z.", isRequired: true } },
    findBlock,
    answer("data"),
  ),
  tool(
    "tokens_info",
    "Name, symbol, decimals, standard, supply and number of holders of a token.",
    { address },
    ({ address }, { options, io }) => describeToken(options.call, address as Address, io.signal),
    answer(...TOKEN_FIELDS),
  ),
  tool(
    "tokens_ownerOf",
    "Owner of one token of a collection (MRC721), by its id.",
    {
      token: { ...address, description: "Address of the collection." },
      token_id: {
        description: "Id of the token.",
        schema: operations.B1.input.shape.block_number,
        isRequired: true,
      },
    },
    ownerOf,
    answer("owner", "since"),
  ),
  tool(
    "accounts_info",
    "Facts about an address: contract or account, balance, number of transactions, the first and the last, who created it.",
    { address },
    describeAccount,
    answer("is_contract", "balance", "transactions", "first_transaction", "last_transaction"),
  ),
  tool(
    "accounts_totals",
    "Sums of amounts and fees of an address, sent and received, for a period; or of a miner's rewards (kind minedBlocks).",
    {
      address,
      kind: {
        description: `What to add up: ${Object.keys(summable).join(", ")} (default transactions).`,
        schema: oneOf(Object.keys(summable) as (keyof typeof summable)[]),
      },
      by: { description: "Sums for each day or month.", schema: oneOf(["day", "month"]) },
      ...{ since, until, counterparty, min_value, failed },
    },
    totals,
    answer("read", "sent", "received", "note"),
  ),
  tool(
    "accounts_createdContracts",
    "Contracts that an address created.",
    {
      address,
      max: { description: "At most (default 50).", schema: integerSchema(1, 1000) },
    },
    createdContracts,
    { fields: ["note"], records: ["timestamp", "transaction_hash", "contract_address"] },
  ),
  tool(
    "transactions_find",
    "One transaction by its hash: status, and with an address of its sender or receiver, its record and the called function.",
    {
      transaction_hash,
      address: { ...address, isRequired: false, description: "Its sender or receiver." },
    },
    findTransaction,
    answer("status", "transaction", "reasons", "note", "page"),
  ),
];
