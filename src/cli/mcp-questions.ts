// Tools that answer questions which take several requests: blocks by time, facts about an address
// or token, totals, and one transaction.
import * as ContractAddress from "ox/ContractAddress";
import { operations } from "../contract/index.ts";
import { isExplorerError } from "../errors/index.ts";
import { searchOf } from "../lists/block-search.ts";
import { requiredTime } from "../lists/period.ts";
import type { ListOperation } from "../lists/records.ts";
import { type Address, type Hash, oneOf } from "../models/primitives.ts";
import { formatTokenAmount } from "../resources/display.ts";
import { inputDecoder } from "./decode-records.ts";
import { fetchResults, toWire } from "./fetch-results.ts";
import { integerSchema, shared, type ToolArguments, type ToolInput } from "./mcp-arguments.ts";
import type { ToolContext } from "./mcp-context.ts";
import { momentOf, periodIn } from "./mcp-lists.ts";
import type { Tool } from "./mcp-tools.ts";
import { recordFilter, Sums } from "./record-filters.ts";
import { type Row, rowsOf } from "./records.ts";
import { formattedAmounts } from "./units.ts";

/** Records that one call reads at most. */
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

/** Every record of a list, newest first, up to a number. */
async function* every(
  operation: ListOperation,
  input: Record<string, unknown>,
  { options, io, progress }: ToolContext,
): AsyncGenerator<Row> {
  let readCount = 0;
  const terms = { ...options, all: true, max: MAX_READ };
  for await (const { results, total } of fetchResults(
    operation,
    { ...input, limit: 1000 },
    terms,
    io,
  )) {
    const rows = rowsOf(results);
    readCount += rows.length;
    await progress(readCount, total);
    yield* rows;
  }
}

/** The value of a call; undefined if the explorer does not have it. */
async function ifFound<Value>(value: Promise<Value>): Promise<Value | undefined> {
  try {
    return await value;
  } catch (error) {
    if (isExplorerError(error, "NOT_FOUND") || isExplorerError(error, "NOT_VERIFIED"))
      return undefined;
    throw error;
  }
}

const blockRow = (data: unknown): Row =>
  formattedAmounts(operations.B1)(rowsOf(toWire(operations.B1, { data }))[0] ?? {});

async function blockAt({ time }: ToolInput, { options, io }: ToolContext): Promise<Row> {
  const { signal } = io;
  const search = searchOf(options.call);
  if (time === undefined) return { data: blockRow((await search.latest({ signal })).data) };
  const date = requiredTime("Invalid arguments", "time", momentOf(time));
  const block = await search.at(date.getTime(), { signal });
  if (block) return { data: blockRow(block.data) };
  const first = await search.first({ signal });
  throw new TypeError(`time: the chain begins at ${first.data.timestamp.toISOString()}`);
}

/** Name, symbol, decimals and supply of a token, which only holdings and transfers state. */
async function tokenInfo({ address }: ToolInput, context: ToolContext): Promise<Row> {
  const { call } = context.options;
  const { signal } = context.io;
  const contract_hash = address as Address;
  const [supply, holders, collection] = await Promise.all([
    ifFound(call(operations.T1, { contract_hash }, { signal })),
    ifFound(call(operations.T4, { contract_hash }, { signal })),
    page(operations.A9, { contract_address: address, limit: 1 }, context),
  ]);
  if (!supply && !holders) throw new TypeError("address: the explorer knows no such token");
  const total = supply?.data.data.total_supply ?? null;
  const [token] = collection.records;
  const holding = token ? undefined : await holdingOf(contract_hash, context);
  const decimals = holding?.token_decimals == null ? null : Number(holding.token_decimals);
  return {
    address,
    standard: token ? "mrc721" : "mrc20",
    name: token?.token_name ?? holding?.token_name ?? null,
    symbol: token?.token_symbol ?? holding?.token_symbol ?? null,
    decimals,
    total_supply: total === null ? null : `${total}`,
    total_supply_formatted:
      total === null || (decimals === null && !token) ? null : formatTokenAmount(total, decimals),
    holders: holders?.data.data.holder_count ?? null,
  };
}

/** The entry of a token in the holdings of somebody who received it. */
async function holdingOf(address: Address, context: ToolContext): Promise<Row | undefined> {
  const logs = await page(operations.L1, { address, limit: 20 }, context);
  const parties = logs.records.flatMap(({ topic_1, topic_2 }) => [topic_2, topic_1]);
  for (const topic of [...new Set(parties)].slice(0, 6)) {
    const holder = `0x${`${topic ?? ""}`.slice(26)}`;
    if (holder.length !== 42) continue;
    const input = { address_hash: holder, limit: 1000 };
    const { records } = await page(operations.A6, input, context);
    const holding = records.find(
      (one) => `${one.token_address}`.toLowerCase() === address.toLowerCase(),
    );
    if (holding) return holding;
  }
  return undefined;
}

async function accountInfo({ address }: ToolInput, context: ToolContext): Promise<Row> {
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

/** The internal transaction that created a contract. */
async function innerCreation(address: Address, context: ToolContext): Promise<Row | undefined> {
  for await (const frame of every(operations.A3, { address_hash: address }, context))
    if (`${frame.contract_address ?? ""}`.toLowerCase() === address.toLowerCase()) return frame;
  return undefined;
}

/** Contracts that an address created, itself or as a contract. */
async function createdContracts(
  { address, max = 50 }: ToolInput,
  context: ToolContext,
): Promise<Row> {
  const self = `${address}`.toLowerCase();
  const input = { address_hash: address };
  const sent: Row[] = [];
  for await (const row of every(operations.A2, input, context))
    if (`${row.sender}`.toLowerCase() === self) sent.push(row);
  const records: Row[] = [];
  for (const [index, { receiver, transaction_hash, timestamp, tx_status }] of sent.entries()) {
    if (receiver !== null || tx_status === "0" || records.length >= Number(max)) continue;
    // The nonce of a transaction is the number of those before it. The explorer confirms the address.
    const nonce = BigInt(sent.length - 1 - index);
    const candidate = ContractAddress.fromCreate({ from: address as Address, nonce }).toLowerCase();
    const query = { address_hash: candidate, condition: "contract", limit: 1 };
    const [creation] = (await page(operations.A2, query, context)).records;
    const isConfirmed = creation?.transaction_hash === transaction_hash;
    records.push({ timestamp, transaction_hash, contract_address: isConfirmed ? candidate : null });
  }
  for await (const frame of every(operations.A3, input, context)) {
    const isOwn = `${frame.sender}`.toLowerCase() === self && frame.status !== "0";
    if (frame.contract_address == null || !isOwn || records.length >= Number(max)) continue;
    const { timestamp, transaction_hash, contract_address } = frame;
    records.push({ timestamp, transaction_hash, contract_address });
  }
  const isUnknown = records.some((record) => record.contract_address === null);
  return {
    records,
    ...(isUnknown && {
      note: "the explorer does not confirm the address that some transactions created: it is null",
    }),
  };
}

/** The owner of a token of a collection, from its transfers. */
async function ownerOf({ token, token_id }: ToolInput, context: ToolContext): Promise<Row> {
  const id = BigInt(`${token_id}`).toString(16).padStart(64, "0");
  const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
  const filter = { address: token, topic_0: transfer, topic_3: `0x${id}` };
  const { records } = await page(operations.L1, { ...filter, limit: 1 }, context);
  const [last] = records;
  const owner = last && `0x${`${last.topic_2}`.slice(26)}`;
  if (!owner)
    throw new TypeError(`token_id: the collection never transferred the token ${token_id}`);
  const isBurnt = /^0x0+$/.test(owner);
  return {
    token,
    token_id: `${token_id}`,
    owner: isBurnt ? null : owner,
    ...(isBurnt && { note: "the token was burnt" }),
    since: last.timestamp,
    transaction_hash: last.transaction_hash,
  };
}

const totalled = {
  transactions: { operation: operations.A2, fields: ["value", "tx_fee"] },
  internalTransactions: { operation: operations.A3, fields: ["value"] },
  mrc20Transfers: { operation: operations.A4, fields: ["value"] },
  minedBlocks: { operation: operations.A10, fields: ["reward"] },
} as const;

/** Sums of amounts and fees, in and out, for a period. */
async function totals(given: ToolInput, context: ToolContext): Promise<Row> {
  const { address, kind = "transactions", by, counterparty, min_value, failed } = given;
  const { operation, fields } = totalled[kind as keyof typeof totalled];
  const matches = recordFilter({
    counterparty: counterparty as string | undefined,
    minValue: min_value === undefined ? undefined : `${min_value}`,
    failed: failed === true,
  });
  const sums = { out: new Sums(fields), in: new Sums(fields.filter((one) => one !== "tx_fee")) };
  const length = by === "month" ? 7 : 10;
  let readCount = 0;
  for await (const row of every(
    operation,
    { address_hash: address, ...periodIn(given) },
    context,
  )) {
    readCount++;
    if (!matches(row)) continue;
    const period = by === undefined ? undefined : `${row.timestamp}`.slice(0, length);
    const isOut = `${row.sender ?? ""}`.toLowerCase() === `${address}`.toLowerCase();
    // A failed transaction moves no coins, but costs its fee.
    const counted = row.tx_status === "0" || row.status === "0" ? { ...row, value: "0" } : row;
    sums[isOut ? "out" : "in"].add(counted, period);
  }
  return {
    read: readCount,
    sent: sums.out.rows(),
    received: sums.in.rows(),
    ...(readCount >= MAX_READ && {
      note: `only the newest ${MAX_READ} records were read: pass since`,
    }),
  };
}

/** One transaction: its status, and its record from the list of a party. */
async function findTransaction(given: ToolInput, context: ToolContext): Promise<Row> {
  const transaction_hash = `${given.transaction_hash}`.toLowerCase() as Hash;
  const { call } = context.options;
  const { signal } = context.io;
  const receipt = await ifFound(call(operations.X2, { transaction_hash }, { signal }));
  if (!receipt) throw new TypeError("transaction_hash: the explorer has no such transaction");
  const frames = await page(operations.X3, { transaction_hash, limit: 1000 }, context);
  const parties = [
    given.address,
    ...frames.records.flatMap(({ sender, receiver }) => [sender, receiver]),
  ];
  const { status } = Object(toWire(operations.X2, receipt.data)).data;
  const about = {
    status: status === "1" ? "succeeded" : status === "0" ? "failed" : status,
    internal_transactions: frames.count ?? frames.records.length,
    reasons: [...new Set(frames.records.flatMap(({ message }) => (message ? [message] : [])))],
  };
  const link = await context.pageOf("tx", transaction_hash);
  const more = link ? { page: link } : {};
  const block = frames.records[0]?.block_number;
  const range = block == null ? {} : { startBlock: block, endBlock: block };
  const candidates = [...new Set(parties.filter((one) => one != null))].slice(0, 4);
  for (const party of candidates)
    for await (const row of every(
      operations.A2,
      { address_hash: party, ...range, input: true },
      context,
    ))
      if (row.transaction_hash === transaction_hash) {
        const decoded = await inputDecoder(context)(row);
        const { input: _, ...record } = formattedAmounts(operations.A2)(decoded);
        return { ...about, transaction: record, ...more };
      }
  return {
    ...about,
    ...more,
    note: "The explorer's API has no transaction by its hash, beyond the status, and no reason of a failure. Pass the address of its sender or receiver: then its record is searched in that account's list.",
  };
}

const answer = (...fields: readonly string[]) => ({ fields });

const tool = (
  name: string,
  description: string,
  known: ToolArguments,
  run: Tool["run"],
  shape: Tool["answer"],
): Tool => ({
  ...{ name, description, run, answer: shape },
  title: description.split(/[.:]/, 1)[0] ?? name,
  arguments: known,
  isReadOnly: true,
});

const { address, since, until, counterparty, min_value, failed, transaction_hash } = shared;

export const questionTools: readonly Tool[] = [
  tool("blocks_latest", "The newest block.", {}, blockAt, answer("data")),
  tool(
    "blocks_at",
    "The last block at or before a time.",
    { time: { ...since, description: "A time: 2026-11-14T12:00:00Z.", isRequired: true } },
    blockAt,
    answer("data"),
  ),
  tool(
    "tokens_info",
    "Name, symbol, decimals, standard, supply and number of holders of a token.",
    { address },
    tokenInfo,
    answer("name", "symbol", "decimals", "standard", "total_supply", "holders"),
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
    accountInfo,
    answer("is_contract", "balance", "transactions", "first_transaction", "last_transaction"),
  ),
  tool(
    "accounts_totals",
    "Sums of amounts and fees of an address, sent and received, for a period; or of a miner's rewards (kind minedBlocks).",
    {
      address,
      kind: {
        description: `What to add up: ${Object.keys(totalled).join(", ")} (default transactions).`,
        schema: oneOf(Object.keys(totalled) as (keyof typeof totalled)[]),
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
