// The questions that people ask about a chain, each answered by one call of a tool with at most 16,000 characters.
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ALICE, AURORA, BOB, KEY, serveDemo } from "./serve-demo.ts";

const demo = serveDemo();
const main = fileURLToPath(new URL("../../mocks/cli/main.ts", import.meta.url));
const { NODE_OPTIONS = "", NODE_COMPILE_CACHE = "" } = process.env;

const client = new Client({ name: "test", version: "1" });
beforeAll(async () => {
  const env = { NODE_OPTIONS, NODE_COMPILE_CACHE };
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [main, "mcp"],
      env: { ...env, EXPLORER_BASE_URL: demo.url, EXPLORER_API_KEY: KEY },
      stderr: "ignore",
    }),
  );
}, 60_000);
afterAll(() => client.close());

const MINER = "0x103380c024c9cc66d05ecfeef5c7e771d5584c5e";

/** A collection of the demo chain, with an owner of one of its tokens. */
const nft = () => {
  const chain = demo.mock.chain;
  const token = chain.tokens().find(({ standard }) => standard === "mrc721");
  if (!token) throw new Error("the demo chain has no collection");
  const [first] = chain.nfts(token.address).slice(0, 1);
  return { token: token.address, id: `${first?.tokenId ?? 0}`, owner: first?.owner };
};

/** A call of a contract. */
const called = () =>
  demo.mock.chain
    .transactions(ALICE, "all", {})
    .slice(0, 144)
    .find(({ to }) => to !== null);

/** The hash of a failed transaction. */
const failing = () => {
  const all = demo.mock.chain.allTransactions({});
  return all.slice(0, all.count).find(({ succeeded }) => succeeded === false)?.hash;
};

const addresses = Array.from({ length: 30 }, (_, index) => `0x${`${index}`.padStart(40, "1")}`);
const day = { since: "2023-11-14", until: "2023-11-15" };
const transfers = { address: AURORA, topic_0: "Transfer", decode: true };

/** Questions, the tool that answers each, its arguments, and a part of its answer. */
const questions: readonly (readonly [
  question: string,
  tool: string,
  given: () => Record<string, unknown>,
  answer: () => RegExp,
])[] = [
  ["the latest block", "blocks_latest", () => ({}), () => /"block_number":"92"/],
  [
    "what gas cost the account in a week",
    "accounts_totals",
    () => ({ address: ALICE, since: "2023-11-10", until: "2023-11-17" }),
    () => /"tx_fee_formatted":"0\.234439427123895022"/,
  ],
  [
    "the tokens of an account in whole tokens",
    "accounts_tokens",
    () => ({ address: ALICE }),
    () => /"token_symbol":"AUR".*"balance_formatted":"993499\.9+7588"/,
  ],
  [
    "who deployed a contract",
    "accounts_info",
    () => ({ address: AURORA }),
    () => new RegExp(`"is_contract":true.*"created_by":"${ALICE}"`),
  ],
  [
    "whether a contract is verified, and its transfer function",
    "contracts_abi",
    () => ({ address: AURORA }),
    () => /"name":"transfer"/,
  ],
  [
    "transactions above 10 coins",
    "accounts_transactions",
    () => ({ address: BOB, min_value: 10 }),
    () => /"matching":\d+,"read":\d+/,
  ],
  [
    "why a transaction failed",
    "transactions_find",
    () => ({ transaction_hash: failing() }),
    () => /"status":"failed".*"reasons":\["execution reverted"\].*"page":"http:/,
  ],
  [
    "whether a transaction failed",
    "transactions_status",
    () => ({ transaction_hash: failing() }),
    () => /"status":"0".*"meaning":"failed"/,
  ],
  [
    "the balance in coins",
    "accounts_balance",
    () => ({ addresses: [ALICE] }),
    () => /"balance_formatted":"9999\.765560572876104978"/,
  ],
  [
    "the balances of 30 addresses",
    "accounts_balance",
    () => ({ addresses }),
    () => /\[(\{[^}]*"balance":"0"[^}]*\},?){30}\]/,
  ],
  [
    "sender, receiver and value of a hash",
    "transactions_find",
    () => ({ transaction_hash: called()?.hash, address: ALICE }),
    () => new RegExp(`"sender":"${ALICE}","receiver":"${called()?.to}","value"`),
  ],
  ["the holders of a token", "tokens_holderCount", () => ({ address: AURORA }), () => /68/],
  [
    "the supply in whole tokens",
    "tokens_info",
    () => ({ address: AURORA }),
    () => /"decimals":18.*"total_supply_formatted":"1000035\.788480195667778169/,
  ],
  [
    "an account's balance of a token",
    "tokens_balance",
    () => ({ token: AURORA, address: ALICE }),
    () => /"balance":"993499\d+","balance_formatted":"993499\.9\d+"/,
  ],
  [
    "the last 5 transfers of a token",
    "eventLogs_list",
    () => ({ ...transfers, max: 5 }),
    () => /"records":\[(\{[^}]*"event":"Transfer"[^}]*\},?){5}\]/,
  ],
  [
    "an account's tokens in a collection",
    "tokens_inventory",
    () => ({ token: nft().token, address: nft().owner }),
    () => new RegExp(`"token_id":"${nft().id}"`),
  ],
  [
    "who owns a token of a collection",
    "tokens_ownerOf",
    () => ({ token: nft().token, token_id: nft().id }),
    () => new RegExp(`"owner":"${nft().owner}"`),
  ],
  [
    "the first transaction",
    "accounts_info",
    () => ({ address: ALICE }),
    () => /"first_transaction":\{"timestamp":"2023-11-14T22:13:44Z"/,
  ],
  [
    "how many transactions there are, and whether an address is a contract",
    "accounts_info",
    () => ({ address: ALICE }),
    () => /"is_contract":false.*"transactions":144/,
  ],
  [
    "a miner's income on a day",
    "accounts_totals",
    () => ({ address: MINER, kind: "minedBlocks", ...day }),
    () => /"reward_formatted":"0\.022517986930700904"/,
  ],
  [
    "which function was called",
    "accounts_transactions",
    () => ({ address: ALICE, max: 3, decode: true }),
    () => /"function":"\w+\(/,
  ],
  [
    "Transfer events in blocks 10 to 20",
    "eventLogs_list",
    () => ({ ...transfers, startBlock: 10, endBlock: 20 }),
    () => /"event":"Transfer"/,
  ],
  [
    "where the coins went",
    "accounts_transactions",
    () => ({ address: BOB, condition: "from", max: 5 }),
    () => /"receiver":"0x/,
  ],
  [
    "the contracts that an account created",
    "accounts_createdContracts",
    () => ({ address: ALICE }),
    () => new RegExp(`"contract_address":"${AURORA}"`),
  ],
  [
    "transactions on 14 November",
    "accounts_transactions",
    () => ({ address: ALICE, ...day, max: 5 }),
    () => /"count":144/,
  ],
];

test.each(questions)("%s", async (_, name, given, answer) => {
  const { content, isError } = await client.callTool({ name, arguments: given() });
  const [part] = content;
  const text = part?.type === "text" ? part.text : "";
  expect([isError ?? false, text]).toEqual([false, expect.stringMatching(answer())]);
  expect(text.length).toBeLessThanOrEqual(16_000);
});
