// `npm start`: serves the demo chain on a port, calls every operation, and compares each result
// with the node's.
import { decodeFunctionData, formatEther, formatUnits } from "viem";
import { createExplorer, createVerifier, loadDemo, serveExplorer } from "../mocks/node.ts";
import { summaries } from "../src/contract/descriptions.ts";
import {
  ConnectionError,
  ExplorerClient,
  type OperationId,
  type OperationName,
  operations,
} from "../src/index.ts";
import {
  check,
  conclusion,
  heading,
  part,
  progress,
  say,
  short,
  table,
  time,
} from "./tour/print.ts";
import { readTruth } from "./tour/truth.ts";

const started = performance.now();
const truth = readTruth();
const { oracle } = truth;

const alice = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const carol = "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65";
const bob = "0xa0ee7a142d267c1f36714e4a8f75612f20a79720";
const aurora = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const gallery = "0x71c95911e9a5d330f4d621842ec243ee1343292e";
const router = "0xdc64a140aa3e981100a9beca4e685f962f0cf6c9";
const miner = "0x103380c024c9cc66d05ecfeef5c7e771d5584c5e";

const apiKey = "tour";
const verifier = createVerifier();
const mock = createExplorer({ chain: await loadDemo(), apiKeys: [apiKey], verifier });
const served = await serveExplorer(mock);
// Nothing on this machine fails for a moment only.
const explorer = new ExplorerClient({ baseUrl: served.url, apiKey, retry: 0 });

/** Formats an amount of native coins, rounded to six decimals. */
const coins = (amount: bigint) => `${Number(Number(formatEther(amount)).toFixed(6))} coins`;
const hashesOf = (records: readonly { readonly transaction_hash: string }[]) =>
  records.map((record) => record.transaction_hash);

/** The columns time, from and to. */
const parties = (one: { timestamp: Date; sender: string; receiver: string | null }) => [
  time(one.timestamp),
  short(one.sender),
  short(one.receiver),
];

/** One step per operation; a missing one does not compile. */
const steps: { readonly [Id in OperationId]: () => Promise<void> } = {
  async T1() {
    const supply = await explorer.tokens.totalSupply(aurora);
    say(`Aurora Token: ${formatUnits(supply ?? 0n, 18)} AUR`);
    check("the contract's own totalSupply()", supply, truth.totalSupply(aurora));
  },

  async T2() {
    const balance = await explorer.tokens.balance(aurora, alice);
    say(`${short(alice)} holds ${formatUnits(balance, 18)} AUR`);
    check("the contract's own balanceOf()", balance, truth.balanceOf(aurora, alice));
  },

  async T3() {
    const owners = truth.ownersOf(gallery);
    const [holder = bob] = owners.values();
    const { data, token_name, token_symbol } = await explorer.tokens.inventory(gallery, holder);
    table(
      [`${token_name} (${token_symbol})`, "uri"],
      data.slice(0, 3).map((token) => [`#${token.token_id}`, token.token_uri || "-"]),
    );
    const held = [...owners].flatMap(([id, owner]) => (owner === holder ? [id] : []));
    check(
      `the tokens of ${short(holder)} according to the events`,
      data.map((token) => token.token_id),
      held.sort((one, other) => (one < other ? -1 : 1)),
    );
  },

  async T4() {
    const holders = await explorer.tokens.holderCount(aurora);
    say(`${holders} accounts hold AUR`);
    const balances = [...truth.balancesOf(aurora).values()];
    check("the accounts with a balanceOf() above 0", holders, balances.filter(Boolean).length);
  },

  async A1() {
    const addresses = Object.keys(oracle.nativeBalances) as (typeof alice)[];
    const balances = await explorer.accounts.balances(addresses);
    const richest = balances.toSorted((one, other) => (one.balance < other.balance ? 1 : -1));
    table(
      ["account", "balance"],
      richest.slice(0, 3).map(({ address, balance }) => [address, coins(balance)]),
    );
    say(`${balances.length} balances, in ${mock.journal.count("A1")} requests of at most 20`);
    check(
      "eth_getBalance of every account",
      balances.map(({ balance }) => `${balance}`),
      Object.values(oracle.nativeBalances),
    );
  },

  async A2() {
    const page = await explorer.accounts.transactions(carol, { limit: 3 });
    table(
      ["time", "from", "to", "value", "transaction"],
      page.data.map((one) => [...parties(one), coins(one.value), short(one.transaction_hash)]),
    );
    const expected = truth.transactionsOf(carol);
    const records: string[] = [];
    let fees = 0n;
    for await (const record of explorer.accounts.transactions(carol, { simple: true, limit: 20 })) {
      records.push(record.transaction_hash);
      if (record.sender === carol) fees += record.tx_fee ?? 0n;
      progress(
        `iterating: ${records.length} of ${page.count} transactions`,
        records.length === page.count,
      );
    }
    say(`fees paid by ${short(carol)}: ${coins(fees)}`);
    check("every transaction, once each, newest first", records, expected);
  },

  async A3() {
    const { data, count } = await explorer.accounts.internalTransactions(router, { limit: 3 });
    table(
      ["block", "kind", "from", "to", "value", "status"],
      data.map((one) => [
        `${one.block_number}`,
        one.trace_type ?? "-",
        short(one.sender),
        short(one.receiver),
        coins(one.value),
        one.status === "1" ? "ok" : (one.message ?? "failed"),
      ]),
    );
    check("the calls in the node's traces", count, truth.frameCount(router));
  },

  async A4() {
    const transfers = await explorer.accounts.mrc20Transfers(bob).collect();
    table(
      ["time", "from", "to", "amount"],
      transfers
        .slice(0, 3)
        .map((one) => [
          ...parties(one),
          `${formatUnits(one.value, one.token_decimals ?? 0)} ${one.token_symbol ?? ""}`,
        ]),
    );
    check(
      "the Transfer events of MRC20 tokens",
      hashesOf(transfers),
      truth.transfersOf(bob, "mrc20"),
    );
  },

  async A5() {
    const transfers = await explorer.accounts.mrc721Transfers(bob).collect();
    table(
      ["time", "from", "to", "collection"],
      transfers
        .slice(0, 3)
        .map((one) => [...parties(one), one.token_name || short(one.token_address)]),
    );
    check(
      "the Transfer events of MRC721 tokens",
      hashesOf(transfers),
      truth.transfersOf(bob, "mrc721"),
    );
  },

  async A6() {
    const { mrc_20, mrc_721 } = await explorer.request(operations.A6, { address_hash: bob });
    table(
      ["token", "balance"],
      [
        ...mrc_20.results
          .slice(0, 3)
          .map((one) => [
            one.token_symbol || short(one.token_address),
            formatUnits(one.balance, one.token_decimals ?? 0),
          ]),
        ...mrc_721.results
          .slice(0, 2)
          .map((one) => [short(one.token_address), `${one.balance} tokens`]),
      ],
    );
    const held = [...mrc_20.results, ...mrc_721.results];
    check(
      "each contract's own balanceOf(), or its events",
      held.map((one) => one.balance),
      held.map((one) => truth.balanceOf(one.token_address, bob)),
    );
  },

  async A7() {
    const tokens = await explorer.accounts.mrc20Tokens(bob).collect();
    say(tokens.map((one) => one.token_name || short(one.token_address)).join(", "));
    const { mrc_20 } = await explorer.request(operations.A6, { address_hash: bob });
    check("the same number as in A6", tokens.length, mrc_20.count);
  },

  async A8() {
    const tokens = await explorer.accounts.mrc721Tokens(bob).collect();
    say(tokens.map((one) => one.token_name || short(one.token_address)).join(", ") || "none");
    const { mrc_721 } = await explorer.request(operations.A6, { address_hash: bob });
    check("the same number as in A6", tokens.length, mrc_721.count);
  },

  async A9() {
    const tokens = await explorer.accounts.inventory(gallery).collect();
    table(
      ["token", "uri"],
      tokens.slice(0, 3).map((one) => [`#${one.token_id}`, one.token_uri || "-"]),
    );
    check("the tokens according to the events", tokens.length, truth.ownersOf(gallery).size);
  },

  async A10() {
    const blocks = await explorer.accounts.minedBlocks(miner).collect();
    table(
      ["time", "block", "transactions", "reward"],
      blocks
        .slice(0, 3)
        .map((one) => [
          time(one.timestamp),
          `${one.block_number}`,
          `${one.transaction_count}`,
          coins(one.reward),
        ]),
    );
    const mined = oracle.miners.flatMap((one, number) => (one === miner ? [number] : []));
    check(
      "the miners of the blocks according to the node",
      blocks.map((one) => Number(one.block_number)),
      mined.reverse(),
    );
  },

  async X1() {
    const sample = oracle.transactions.slice(-20);
    const statuses = await Promise.all(
      sample.map(({ hash }) => explorer.transactions.status(hash)),
    );
    say(`${statuses.filter((one) => one === "1").length} of the last 20 succeeded`);
    check(
      "the receipts' status",
      statuses,
      sample.map((one) => `${Number(one.status)}`),
    );
  },

  async X2() {
    const failed = oracle.transactions.filter((one) => one.status === "0x0").slice(0, 10);
    const statuses = await Promise.all(
      failed.map(({ hash }) => explorer.transactions.receiptStatus(hash)),
    );
    say(`${short(failed[0]?.hash ?? null)} and ${failed.length - 1} others: ${statuses.join(" ")}`);
    check(
      "all of them failed",
      statuses,
      failed.map(() => "0"),
    );
  },

  async X3() {
    const deepest = oracle.transactions
      .map(({ hash }) => ({ hash, frames: truth.framesOf(hash) }))
      .sort((one, other) => other.frames.length - one.frames.length)[0];
    if (deepest === undefined) return;
    const data = await explorer.transactions.internalTransactions(deepest.hash).collect();
    table(
      ["position", "kind", "from", "to"],
      data
        .slice(0, 4)
        .map((one) => [
          one.trace_address.join("."),
          one.trace_type ?? "-",
          short(one.sender),
          short(one.receiver),
        ]),
    );
    check(
      "the node's trace, in order of execution",
      data.map((one) => one.trace_type),
      deepest.frames.map((one) => one.type.toLowerCase()),
    );
  },

  async C3() {
    const source = truth.sources.find(({ name }) => name === "Market");
    if (source === undefined)
      throw new Error("The demo chain has no source of the contract Market");
    const submission = {
      contract_name: source.name,
      compiler: source.compiler,
      runs_optimizer: source.runs,
      optimization_enabled: source.optimizer,
      contract_source: source.source,
      constructor_arguments: source.constructorArguments,
    };
    const before = performance.now();
    const { data: verified, verify_level } = await explorer.contracts.verify(
      source.address,
      submission,
    );
    const seconds = ((performance.now() - before) / 1000).toFixed(1);
    say(`compiled ${source.name} with ${source.compiler} and compared the code in ${seconds} s`);
    check("verified", verified, "1");
    say(`the match is ${verify_level}`);
    const wrong = explorer.contracts.verify(source.address, {
      ...submission,
      contract_source: source.source.replace("msg.sender, price);", "msg.sender, 2 * price);"),
    });
    const reason = await wrong.catch((error: Error) => error.message.split("\n")[0]);
    say(`with one line changed: ${reason}`);
  },

  async C1() {
    const market = truth.sources.find(({ name }) => name === "Market");
    if (market === undefined) return;
    const abi = await explorer.contracts.abi(market.address);
    say(abi.map((entry) => ("name" in entry ? entry.name : entry.type)).join(", "));
    check("the compiler's ABI", abi.length, market.abi.length);
    const last = await explorer.accounts.transactions(market.address, { limit: 1, input: true });
    const { input } = last.data[0] ?? {};
    if (input) {
      const { functionName, args = [] } = decodeFunctionData({ abi, data: input });
      say(
        `the last call, decoded by viem: ${functionName}(${args.map(String).join(", ").slice(0, 80)})`,
      );
    }
  },

  async C2() {
    const market = truth.sources.find(({ name }) => name === "Market");
    if (market === undefined) return;
    const code = await explorer.contracts.code(market.address);
    table(
      ["contract", "compiler", "verified", "metadata"],
      [
        [
          code.contract_name ?? "-",
          code.compiler ?? "-",
          code.verify_date ? time(code.verify_date) : "-",
          code.swam_source ?? "-",
        ],
      ],
    );
    check("the submitted source", code.contract_source, market.source);
  },

  async B1() {
    const number = oracle.head;
    const block = await explorer.blocks.get(number);
    say(`block ${number} of ${time(block.timestamp)}: ${coins(block.reward)} to ${block.miner}`);
    check("the miner", block.miner, oracle.miners[number]);
    check("the fees in the receipts", block.fees, truth.feesOf(number));
  },

  async L1() {
    const logs = await explorer.eventLogs.list({ address: aurora }).collect();
    table(
      ["time", "transaction", "log", "topic 0", "topics"],
      logs
        .slice(0, 3)
        .map((one) => [
          time(one.timestamp),
          short(one.transaction_hash),
          `${one.log_index}`,
          short(one.topic_0),
          `${one.topics_count}`,
        ]),
    );
    check("eth_getLogs of the contract", logs.length, oracle.logs[aurora]?.all.length);
  },
};

type ResourceOf<Name> = Name extends `${infer Resource}.${string}` ? Resource : never;

/**
 * The parts of the tour in their order: the operations of each resource, in the order of the steps.
 * C3 comes before C1 and C2, which show what it verified.
 */
const parts: Readonly<Record<ResourceOf<OperationName>, string>> = {
  accounts: "Accounts",
  tokens: "Tokens",
  transactions: "Transactions",
  blocks: "Blocks",
  eventLogs: "Event logs",
  contracts: "Contracts",
};

console.log(
  `The demo chain (${oracle.head + 1} blocks, ${oracle.transactions.length} transactions) is served at ${served.url}`,
);
for (const [resource, title] of Object.entries(parts)) {
  part(title);
  for (const id of Object.keys(steps) as OperationId[]) {
    if (operations[id].resource !== resource) continue;
    heading(id, operations[id].name, summaries[id]);
    try {
      await steps[id]();
    } catch (error) {
      if (error instanceof ConnectionError) {
        console.error(`\nNothing was compared. ${error.message}`);
        process.exit(1);
      }
      check("no error", error instanceof Error ? error.message : error, "a result");
    }
  }
}
await Promise.all([served.close(), verifier.close()]);
process.exitCode = conclusion(Object.keys(steps).length, performance.now() - started);
