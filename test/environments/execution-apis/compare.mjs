// Compares the explorer of ethereum/execution-apis' chain with geth's answers there: node test/environments/execution-apis/compare.mjs [its tests folder]
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createExplorer, parseChain } from "../../../mocks/node.ts";
import { installFolder, isInstalled } from "../../../scripts/tool.mjs";
import { ExplorerClient } from "../../../src/index.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
if (!isInstalled(here)) installFolder(here);
const { runChain } = await import("./run-chain.mjs");

const REPOSITORY = "https://github.com/ethereum/execution-apis";

/** The folder with the fixtures: the given one, or a clone. */
function fixtures([given]) {
  if (given !== undefined) return given;
  const clone = mkdtempSync(join(tmpdir(), "execution-apis-"));
  process.once("exit", () => rmSync(clone, { recursive: true, force: true }));
  try {
    execFileSync("git", ["clone", "--quiet", "--depth", "1", REPOSITORY, clone], { stdio: "pipe" });
  } catch (error) {
    console.error(
      `*** Not compared: ${REPOSITORY} cannot be fetched here (${String(error.stderr).trim()}). Pass the folder "tests" of a copy. ***`,
    );
    process.exit(2);
  }
  return join(clone, "tests");
}

/** What geth answered: method, parameters and result of each fixture. */
function* answersIn(folder) {
  for (const file of globSync("{eth_get,debug_}*/*.io", { cwd: folder }).toSorted()) {
    const [, asked, answered] =
      /^>> (.*)\n<< (.*)$/m.exec(readFileSync(join(folder, file), "utf8")) ?? [];
    if (asked === undefined) continue;
    const { result } = JSON.parse(answered);
    if (result !== undefined && result !== null) yield { file, ...JSON.parse(asked), result };
  }
}

const folder = fixtures(process.argv.slice(2));
const { chainId, blocks, calls } = await runChain(folder);
const lines = (values) => values.map((value) => JSON.stringify(value));
const chain = parseChain(
  { blocks: lines(blocks), calls: lines(calls) },
  { chainId, onMissing: (what) => differ("chain", what) },
);
const mock = createExplorer({ chain });
const explorer = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "any", fetch: mock.fetch });
const differences = [];
let equal = 0;

function differ(place, what) {
  differences.push(`${place}: ${what}`);
}

/** Compares values by name; those that an answer of geth does not have are left out. */
function compare(file, ours, geths) {
  for (const [name, expected] of Object.entries(geths)) {
    if (expected === undefined) continue;
    if (String(ours?.[name]) === String(expected)) equal++;
    else differ(file, `${name}: geth has ${expected}, we have ${ours?.[name]}`);
  }
}

const number = (given) => (given == null ? given : BigInt(given));
const time = (seconds) => new Date(Number(seconds) * 1000);

/** The row of a transaction, in both forms. */
async function rowOf(hash, sender) {
  const terms = { input: true };
  const isIt = ({ transaction_hash }) => transaction_hash === hash;
  const full = await explorer.accounts.transactions(sender, terms).collect();
  const simple = await explorer.accounts.transactions(sender, { ...terms, simple: true }).collect();
  return { ...simple.find(isIt), ...full.find(isIt) };
}

async function compareReceipt(file, receipt) {
  const { from, logs, transactionHash, effectiveGasPrice, gasUsed } = receipt;
  const row = await rowOf(transactionHash, from);
  compare(file, row, {
    receiver: receipt.to,
    ...{ block_number: number(receipt.blockNumber), block_hash: receipt.blockHash },
    ...{ transaction_index: number(receipt.transactionIndex), gas_used: number(gasUsed) },
    ...{
      gas_price: number(effectiveGasPrice),
      tx_fee: number(effectiveGasPrice) * number(gasUsed),
    },
    cumulative_gas_used: number(receipt.cumulativeGasUsed),
    tx_status: receipt.status === undefined ? null : `${number(receipt.status)}`,
  });
  compare(
    file,
    { status: await explorer.transactions.receiptStatus(transactionHash) },
    { status: row.tx_status },
  );
  if (receipt.contractAddress) {
    const [creation] = await explorer.accounts
      .transactions(receipt.contractAddress, { condition: "contract" })
      .collect();
    compare(file, creation, { transaction_hash: transactionHash });
  }
  for (const log of logs) await compareLog(file, log);
}

async function compareLog(file, { address, blockNumber, logIndex, transactionHash, data, topics }) {
  const block = BigInt(blockNumber);
  const all = await explorer.eventLogs
    .list({ address, startBlock: block, endBlock: block })
    .collect();
  const ours = all.find(
    (one) => one.transaction_hash === transactionHash && one.log_index === Number(logIndex),
  );
  compare(file, ours, {
    data,
    topics_count: topics.length,
    ...Object.fromEntries(topics.map((topic, at) => [`topic_${at}`, topic])),
  });
}

const compared = {
  async eth_getBlockByNumber(file, block) {
    const ours = await explorer.blocks.get(BigInt(block.number));
    const mined = await explorer.accounts.minedBlocks(block.miner).collect();
    compare(
      file,
      { ...ours, ...mined.find(({ block_number }) => block_number === ours.block_number) },
      {
        ...{
          block_number: number(block.number),
          miner: block.miner,
          timestamp: time(block.timestamp),
        },
        ...{ gas_used: number(block.gasUsed), gas_limit: number(block.gasLimit) },
        transaction_count: block.transactions.length,
      },
    );
  },
  eth_getTransactionReceipt: compareReceipt,
  async eth_getBlockReceipts(file, receipts) {
    for (const receipt of receipts) await compareReceipt(file, receipt);
  },
  async eth_getTransactionByHash(file, tx) {
    compare(file, await rowOf(tx.hash, tx.from), {
      ...{ receiver: tx.to, value: number(tx.value), input: tx.input, block_hash: tx.blockHash },
      ...{ block_number: number(tx.blockNumber), transaction_index: number(tx.transactionIndex) },
      max_fee_per_gas: tx.type > "0x1" ? number(tx.maxFeePerGas) : null,
      max_priority_fee_per_gas: tx.type > "0x1" ? number(tx.maxPriorityFeePerGas) : null,
      timestamp: tx.blockTimestamp && time(tx.blockTimestamp),
    });
  },
  async eth_getLogs(file, logs) {
    for (const log of logs) await compareLog(file, log);
  },
  async eth_getBalance(file, balance, [address, at]) {
    if (at === "latest")
      compare(
        file,
        { balance: await explorer.accounts.balance(address) },
        { balance: number(balance) },
      );
  },
  async eth_getCode(file, code, [address, at]) {
    if (at !== "latest") return;
    const { results } = await (
      await mock.fetch(`${mock.baseUrl}/v1/contracts/${address}/code`, {
        headers: { "api-key": "any" },
      })
    ).json();
    compare(file, { code: results.data.contract_code }, { code });
  },
};
compared.eth_getBlockByHash = compared.eth_getBlockByNumber;
compared.eth_getTransactionByBlockHashAndIndex = compared.eth_getTransactionByHash;
compared.eth_getTransactionByBlockNumberAndIndex = compared.eth_getTransactionByHash;

let files = 0;
for (const { file, method, params, result } of answersIn(folder)) {
  if (!Object.hasOwn(compared, method)) continue;
  const before = equal + differences.length;
  await compared[method](file, result, params).catch((error) => differ(file, error.message));
  if (equal + differences.length > before) files++;
}
for (const line of differences) console.log(line);
console.log(
  `${blocks.length} blocks, ${chain.transactionCount} transactions: ${equal} of ${equal + differences.length} values of ${files} fixtures are geth's`,
);
process.exitCode = differences.length > 0 ? 1 : 0;
