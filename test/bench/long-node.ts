// A node to be measured against, in a process of its own: a long chain whose answers are ready; `latency` milliseconds a request.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** With `words`, each call has so many words of data of its own, and each log an amount and holders of its own. */
const [blocks = 0, perBlock = 0, latency = 0, frames = 1, logs = 1, words = 0] = process.argv
  .slice(2)
  .map(Number);

const hex = (value: number) => `0x${value.toString(16)}`;
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;
const account = (value: number) => `0x${value.toString(16).padStart(40, "0")}`;
/** Tokens, of which each transaction uses several. */
const COINS = Array.from({ length: 20 }, (_, nth) => account(0xc000 + nth));
/** What a token's code has: the selectors of totalSupply and balanceOf. */
const CODE = "0x6318160ddd6370a08231";
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const BLOOM = `0x${"0".repeat(512)}`;

let drawn = 0;
/** The next of many numbers below 2^32. */
function draw(): number {
  drawn = (drawn + 0x9e3779b9) >>> 0;
  return Math.imul(drawn ^ (drawn >>> 15), 0x85ebca6b) >>> 0;
}
const digits = (count: number): string => draw().toString(16).padStart(8, "0").slice(-count);

/** The digits of one of 4,096 accounts, all of its bytes different. */
const someone = (): string => digits(3).padStart(4, "a").repeat(10);
/** The digits of an amount of 8 bytes. */
const amount = (): string => (digits(8) + digits(8)).padStart(64, "0");

/** The data of a call: accounts and amounts in turn. */
const callData = (): string =>
  `0xa9059cbb${Array.from({ length: words }, (_, nth) => (nth % 2 === 0 ? someone().padStart(64, "0") : amount())).join("")}`;

/** A transfer of a token by one of a hundred accounts, or by one of many. */
function transaction(number: number, index: number) {
  const nth = number * perBlock + index;
  const hundred = [nth, nth * 7 + 1].map((of) => account(0x100 + (of % 100)));
  const [from = "", to = ""] = words > 0 ? [someone(), someone()].map((of) => `0x${of}`) : hundred;
  const where = {
    blockHash: word(number + 1),
    blockNumber: hex(number),
    transactionIndex: hex(index),
  };
  const hash = word(2 ** 40 + nth);
  const input = words > 0 ? callData() : `0xa9059cbb${word(0).slice(2)}${word(nth).slice(2)}`;
  const topicsOf = (...holders: string[]) => [
    TRANSFER,
    ...holders.map((of) => `0x${of.replace("0x", "").padStart(64, "0")}`),
  ];
  const coin = (of: number) => COINS[(nth + of) % COINS.length] ?? "";
  const call = { from, input, gas: "0x186a0", gasUsed: "0xc350", value: "0x0", type: "CALL" };
  return {
    transaction: {
      ...where,
      ...{ hash, from, to: coin(0), input, value: "0x0", nonce: hex(Math.floor(nth / 100)) },
      ...{ gas: "0x186a0", gasPrice: "0x3b9aca00", type: "0x0" },
    },
    receipt: {
      ...where,
      ...{ transactionHash: hash, status: "0x1", contractAddress: null, from, to: coin(0) },
      ...{ gasUsed: "0xc350", cumulativeGasUsed: hex(50_000 * (index + 1)) },
      ...{ effectiveGasPrice: "0x3b9aca00", logsBloom: BLOOM },
      logs: Array.from({ length: logs }, (_, log) => {
        const logIndex = hex(index * logs + log);
        const own = words > 0 ? [someone(), someone()] : [from, to];
        const data = words > 0 ? `0x${amount()}` : word(nth);
        return { ...where, logIndex, address: coin(log), topics: topicsOf(...own), data };
      }),
    },
    trace: {
      txHash: hash,
      result: {
        ...{ ...call, to: coin(0) },
        calls: Array.from({ length: frames }, (_, frame) => ({
          ...{ ...call, to: coin(frame) },
          ...(words > 0 && { from: coin(frame + 1), input: callData(), gasUsed: `0x${digits(5)}` }),
        })),
      },
    },
  };
}

function block(number: number) {
  const executions = Array.from({ length: number === 0 ? 0 : perBlock }, (_, index) =>
    transaction(number, index),
  );
  const header = {
    ...{ number: hex(number), hash: word(number + 1), parentHash: word(number) },
    ...{ timestamp: hex(1_700_000_000 + number), miner: account(1), difficulty: "0x0" },
    ...{ gasUsed: hex(50_000 * perBlock), gasLimit: "0x1c9c380", baseFeePerGas: "0x0" },
    ...{ uncles: [], withdrawals: [], logsBloom: BLOOM },
  };
  return {
    full: JSON.stringify({ ...header, transactions: executions.map((one) => one.transaction) }),
    short: JSON.stringify({ ...header, transactions: [] }),
    receipts: JSON.stringify(executions.map((one) => one.receipt)),
    traces: JSON.stringify(executions.map((one) => one.trace)),
  };
}

const chain = Array.from({ length: blocks }, (_, number) => block(number));
/** The number of the last block: the rest is mined when it is asked for by `mine`. */
let head = blocks - 1;
/** Calls so far, by method. */
const asked = new Map<string, number>();

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What a token returns: a number, or no interface. */
const answerOf = (data: string) => (data.startsWith("0x01ffc9a7") ? word(0) : word(2));

function resultOf({ method, params: [subject, second] }: Call): string | undefined {
  const at = chain[subject === "latest" ? head : Number(subject)];
  switch (method) {
    case "setHead":
      head = Number(subject);
      return "null";
    case "callsSoFar":
      return JSON.stringify([...asked.values()].reduce((sum, count) => sum + count, 0));
    case "eth_chainId":
      return '"0x1"';
    case "eth_accounts":
      return "[]";
    case "eth_getBlockByNumber":
      return second === true ? at?.full : at?.short;
    case "eth_getBlockReceipts":
      return at?.receipts;
    case "debug_traceBlockByNumber":
      return at?.traces;
    case "eth_getBalance":
      return '"0x1"';
    case "eth_getCode":
      return COINS.includes(String(subject)) ? JSON.stringify(CODE) : '"0x"';
    case "eth_call":
      return JSON.stringify(answerOf((subject as { data: string }).data));
    default:
      return undefined;
  }
}

function respond(call: Call): string {
  asked.set(call.method, (asked.get(call.method) ?? 0) + 1);
  const result = resultOf(call);
  const head = `{"jsonrpc":"2.0","id":${call.id}`;
  return result === undefined
    ? `${head},"error":{"code":-32601,"message":"the method does not exist"}}`
    : `${head},"result":${result}}`;
}

const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const asked = JSON.parse(Buffer.concat(parts).toString()) as Call | Call[];
  const body = Array.isArray(asked) ? `[${asked.map(respond).join(",")}]` : respond(asked);
  setTimeout(() => {
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  }, latency);
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
