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
import { isSame, recordFee, recordFilter, Sums } from "./record-filters.ts";
import { type Row, rowsOf } from "./records.ts";
import { describeToken, ifFound, TOKEN_FIELDS } from "./token-facts.ts";
import { formattedAmounts } from "./units.ts";

async function page(
  operation: ListOperation,
  input: Record<string, unknown>,
  { options, io }: ToolContext,
): Promise<{ readonly count: number | undefined; readonly records: readonly Row[] }> {
  for await (const { results, total } of fetchResults(operation, input, options, io))
    return { count: total, records: rowsOf(results).map(formattedAmounts(operation)) };
  return { count: 0, records: [] };
}

/** Reads the records of a list, newest first, up to `maxRead`. */
async function* every(
  operation: ListOperation,
  input: Record<string, unknown>,
  { options, io, progress, maxRead }: ToolContext,
): AsyncGenerator<Row> {
  let readCount = 0;
  // Later pages may count fewer blocks.
  let total: number | undefined;
  const max = Number.isFinite(maxRead) ? maxRead : undefined;
  const terms = { ...options, all: true, max };
  const query = { ...input, limit: 1000 };
  for await (const page of fetchResults(operation, query, terms, io)) {
    const rows = rowsOf(page.results);
    readCount += rows.length;
    total ??= page.total;
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
  const { oldest, isCounted } = await oldestTransaction(account, newest, context);
  // A contract sends no transactions.
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
    transactions: isCounted ? (newest.count ?? null) : null,
    first_transaction: oldest ?? null,
    last_transaction: newest.records[0] ?? null,
    ...(link && { page: link }),
  };
}

/**
 * Finds the first transaction of an account, even if the explorer's count stops at a limit, and
 * whether the count is the total.
 */
async function oldestTransaction(
  address_hash: Address,
  newest: Awaited<ReturnType<typeof page>>,
  context: ToolContext,
): Promise<{ readonly oldest?: Row; readonly isCounted: boolean }> {
  let { count = 0, records } = newest;
  let isCounted = true;
  for (let query: Row = { address_hash, limit: 1 }; ; isCounted = false) {
    const last = await page(operations.A2, { ...query, offset: Math.max(0, count - 1) }, context);
    const oldest = last.records[0] ?? records[0];
    if (oldest === undefined) return { isCounted };
    const block = Number(oldest.block_number);
    if (block === 0) return { oldest, isCounted };
    query = { address_hash, limit: 1, endBlock: block - 1 };
    ({ count = 0, records } = await page(operations.A2, query, context));
    // An explorer that ignores blocks returns the newest transaction again.
    if (!(Number(records[0]?.block_number) < block)) return { oldest, isCounted };
  }
}

/** Finds the internal transaction that created a contract. */
async function innerCreation(address: Address, context: ToolContext): Promise<Row | undefined> {
  for await (const frame of every(operations.A3, { address_hash: address }, context))
    if (isSame(frame.contract_address, address)) return frame;
  return undefined;
}

/** Lists the contracts that an account created by its transactions, or that a contract created. */
async function createdContracts({ address, max }: ToolInput, context: ToolContext): Promise<Row> {
  const most = Number(max ?? context.maxRows);
  const input = { address_hash: address };
  const sent: Row[] = [];
  for await (const row of every(operations.A2, input, context))
    if (isSame(row.sender, address)) sent.push(row);
  const records: Row[] = [];
  const add = (contract_address: unknown, { timestamp, transaction_hash }: Row) => {
    if (records.length < most) records.push({ timestamp, transaction_hash, contract_address });
  };
  for (const [index, row] of sent.entries()) {
    if (row.receiver !== null || row.tx_status === "0" || records.length >= most) continue;
    // The nonce, the number of earlier transactions, gives the address, which the list confirms.
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
      note: "contract_address is null where the explorer does not confirm the created address",
    }),
  };
}

/** Finds the owner of a token of a collection by its last transfer. */
async function ownerOf({ token, token_id }: ToolInput, context: ToolContext): Promise<Row> {
  const topic_3 = `0x${BigInt(`${token_id}`).toString(16).padStart(64, "0")}`;
  const filter = { address: token, topic_0: TRANSFER, topic_3, limit: 1 };
  const [last] = (await page(operations.L1, filter, context)).records;
  if (!last)
    throw new TypeError(
      `token_id: no transfer of a token ${token_id} of ${token}; check the id, and that the address is a collection (MRC721)`,
    );
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

/** The lists that can be added up. */
const summable = {
  transactions: operations.A2,
  internalTransactions: operations.A3,
  mrc20Transfers: operations.A4,
  mrc721Transfers: operations.A5,
  minedBlocks: operations.A10,
} as const;

/** Returns the amounts of a record for an account: received, sent and paid, or earned by mining. */
function amountsOf({ id }: ListOperation, row: Row, account: unknown): Row {
  const { reward, fees, mining_reward } = row;
  if (id === operations.A10.id) return { reward, fees, mining_reward };
  const isReceived = isSame(row.receiver, account);
  const isSent = isSame(row.sender, account);
  // A failed call moves nothing, and a delegated call has the value of its caller.
  const isMoved = row.tx_status !== "0" && row.status !== "0" && row.trace_type !== "delegatecall";
  const value = isMoved ? (id === operations.A5.id ? 1 : row.value) : 0;
  const signed = (sign: bigint) => (value == null ? null : sign * BigInt(`${value}`));
  return {
    received: isReceived ? signed(1n) : 0n,
    sent: isSent ? signed(1n) : 0n,
    net: isReceived === isSent ? 0n : signed(isReceived ? 1n : -1n),
    ...(id === operations.A2.id && { tx_fee: isSent ? recordFee(row) : 0n }),
  };
}

const byAmount = (left: Row, right: Row): number => {
  const [first, second] = [left, right].map(
    ({ received, sent }) => BigInt(`${received ?? 0}`) + BigInt(`${sent ?? 0}`),
  ) as [bigint, bigint];
  return first < second ? 1 : first > second ? -1 : 0;
};

/** Adds up the amounts of a period, per token and, with `by`, per day, month or counterparty. */
async function totals(input: ToolInput, context: ToolContext): Promise<Row> {
  const { address, kind = "transactions", by, tz: timeZone = "UTC", max } = input;
  const operation = summable[kind as keyof typeof summable];
  const matches = recordFilter(filtersIn(input));
  const fields = Object.keys(amountsOf(operation, {}, address));
  const sums = new Sums(fields);
  // Swedish dates have the form of ISO dates, such as 2026-10-01.
  const dates = new Intl.DateTimeFormat("sv-SE", { timeZone: `${timeZone}` });
  const groupOf = ({ sender, receiver, timestamp }: Row): Row => {
    if (by === undefined) return {};
    if (by === "counterparty") return { counterparty: isSame(sender, address) ? receiver : sender };
    return { period: dates.format(new Date(`${timestamp}`)).slice(0, by === "month" ? 7 : 10) };
  };
  let readCount = 0;
  for await (const row of every(
    operation,
    { address_hash: address, ...periodIn(input) },
    context,
  )) {
    readCount++;
    // A transfer to oneself has no counterparty.
    const isOwn = by === "counterparty" && isSame(row.sender, row.receiver);
    if (isOwn || !matches(row)) continue;
    const { token_address, token_symbol } = row;
    // The amounts of a collection are numbers of tokens.
    const token_decimals = operation.id === operations.A5.id ? "0" : row.token_decimals;
    const token = token_address !== undefined && { token_address, token_symbol, token_decimals };
    sums.add({ ...token, ...amountsOf(operation, row, address) }, groupOf(row));
  }
  const rows = by === "counterparty" ? sums.rows().sort(byAmount) : sums.rows();
  const most = Number(max ?? context.maxRows);
  const notes = [
    ...(readCount >= context.maxRead
      ? [`only the newest ${context.maxRead} records were read: pass since`]
      : []),
    ...(rows.length > most && max === undefined
      ? [`${most} of ${rows.length} rows: pass max`]
      : []),
  ];
  return {
    read: readCount,
    records: rows.slice(0, most),
    ...(notes.length > 0 && { note: notes.join("; ") }),
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
  const messages = frames.records.map(({ message }) => message);
  if (status === "0") {
    const execution = await ifFound(call(operations.X1, { transaction_hash }, { signal }));
    // Some explorers state the reason in a field that the specification does not have.
    if (execution) messages.unshift(Object(toWire(operations.X1, execution.data)).data.description);
  }
  const about = {
    status: meanings.X2?.[`${status}`] ?? status,
    internal_transactions: frames.count ?? frames.records.length,
    reasons: [...new Set(messages.filter(Boolean))],
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
    note: "By hash, the explorer's API returns only the status of a transaction and, if the explorer states it, the reason of a failure. To find the record, pass the address of the sender or receiver.",
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

const rows = { description: "Maximum number of rows to return.", schema: integerSchema(1, 1000) };

/** The columns of all totals; each kind has some of them. */
const TOTALS_FIELDS = [
  ...["period", "counterparty", "token_address", "token_symbol", "token_decimals", "records"],
  ...["received", "sent", "net", "tx_fee", "reward", "fees", "mining_reward"].flatMap((field) => [
    field,
    `${field}_formatted`,
  ]),
  "amounts_unknown",
];

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
    "Facts about an address: contract or account, balance, number of transactions, first and last transaction, creator.",
    { address },
    describeAccount,
    answer(
      ...["address", "is_contract", "verified_as", "created_by", "created_in", "balance"],
      ...["balance_formatted", "transactions", "first_transaction", "last_transaction", "page"],
    ),
  ),
  tool(
    "accounts_totals",
    "Totals of an address in a period: received, sent, net and fees, per token. With kind mrc721Transfers, the number of tokens per collection; with kind minedBlocks, a miner's rewards.",
    {
      address,
      kind: {
        description: `What to add up: ${Object.keys(summable).join(", ")} (default transactions).`,
        schema: oneOf(Object.keys(summable) as (keyof typeof summable)[]),
      },
      by: {
        description: "Totals for each day, month or counterparty, the largest counterparty first.",
        schema: oneOf(["day", "month", "counterparty"]),
      },
      ...{ since, until, counterparty, min_value, failed, max: rows },
    },
    totals,
    { fields: ["read", "note"], records: TOTALS_FIELDS },
  ),
  tool(
    "accounts_createdContracts",
    "Contracts that an address created.",
    {
      address,
      max: rows,
    },
    createdContracts,
    { fields: ["note"], records: ["timestamp", "transaction_hash", "contract_address"] },
  ),
  tool(
    "transactions_find",
    "One transaction by its hash: the status and, if the address of the sender or receiver is passed, the record and the called function.",
    {
      transaction_hash,
      address: {
        ...address,
        isRequired: false,
        description: "Sender or receiver of the transaction.",
      },
    },
    findTransaction,
    answer("status", "transaction", "reasons", "note", "page"),
  ),
];
