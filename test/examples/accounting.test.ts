// The questions of docs/accounting.md: command and program give what raw responses of the demo
// chain say.
import { getContractAddress } from "viem";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { packageFile } from "../../scripts/package-file.ts";
import { formatTokenAmount } from "../../src/index.ts";
import { AURORA, ALICE as DEPLOYER, KEY, BOB as ME, serveDemo } from "../cli/serve-demo.ts";

const demo = serveDemo();
const PAYER = "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65";
const MINER = "0x103380c024c9cc66d05ecfeef5c7e771d5584c5e";
const names: Readonly<Record<string, string>> = { ACCOUNT: ME, PAYER, MINER, DEPLOYER };

beforeEach(() => {
  vi.stubEnv("EXPLORER_BASE_URL", demo.url);
  vi.stubEnv("EXPLORER_API_KEY", KEY);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

type Raw = Readonly<Record<string, string>>;

/** The records of a list as the explorer sends them. */
async function raw(address: string, list: string): Promise<readonly Raw[]> {
  const { baseUrl, fetch } = demo.mock;
  const url = `${baseUrl}/v1/accounts/${address}/${list}?limit=1000`;
  const { results } = await (await fetch(url, { headers: { "api-key": KEY } })).json();
  expect(Number(results.count)).toBe(results.data.length);
  return results.data;
}

/** The logs of transfers of a collection, newest first, as words of topics and data. */
async function transferWords(token: string): Promise<readonly (readonly string[])[]> {
  const { baseUrl, fetch } = demo.mock;
  const topic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
  const url = `${baseUrl}/v1/event-logs?address=${token}&topic_0=${topic}&limit=1000`;
  const { results } = await (await fetch(url, { headers: { "api-key": KEY } })).json();
  return results.data.map(({ topic_1, topic_2, topic_3, data }: Raw) =>
    [topic_1, topic_2, topic_3, data]
      .map((text) => text?.replace(/^0x/, "") ?? "")
      .join("")
      .match(/.{64}/g),
  );
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
const coins = (amount: bigint) => formatTokenAmount(amount, 18);
const moved = ({ value, tx_status }: Raw) => (tx_status === "0" ? 0n : BigInt(value ?? 0));
const feeOf = ({ gas_used, gas_price }: Raw) => BigInt(gas_used ?? 0) * BigInt(gas_price ?? 0);
const sentBy = async (account: string) =>
  (await raw(account, "transactions")).filter(({ sender }) => sender === account);

/** What a command and a program say: the columns of rows, and the lines that are printed. */
interface Answer {
  readonly rows: readonly Raw[];
  readonly lines: readonly string[];
}

const answers: Readonly<Record<string, () => Promise<Answer>>> = {
  async "gas-paid"() {
    const tx_fee = sum((await sentBy(ME)).map(feeOf));
    return { rows: [{ tx_fee: `${tx_fee}` }], lines: [coins(tx_fee)] };
  },
  async "received-from"() {
    const paid = (await sentBy(PAYER)).filter(({ receiver }) => receiver === ME).map(moved);
    return { rows: [{ received: `${sum(paid)}` }], lines: [coins(sum(paid))] };
  },
  async "token-flow"() {
    const nets = new Map<string, bigint>();
    for (const { token_address = "", receiver, value = 0 } of await raw(ME, "token-transfer/mrc20"))
      nets.set(
        token_address,
        (nets.get(token_address) ?? 0n) + (receiver === ME ? 1n : -1n) * BigInt(value),
      );
    return {
      rows: [...nets].map(([token_address, net]) => ({ token_address, net: `${net}` })),
      lines: [`${coins(nets.get(AURORA) ?? 0n)} AUR`],
    };
  },
  async "nft-holdings"() {
    const transfers = await raw(ME, "token-transfer/mrc721");
    const collections = [...new Set(transfers.map(({ token_address = "" }) => token_address))];
    const held = async (collection: string) => {
      const owners = new Map<bigint, string>();
      for (const [, to = "", id = ""] of (await transferWords(collection)).toReversed())
        owners.set(BigInt(`0x${id}`), `0x${to.slice(24)}`);
      return [...owners].filter(([, owner]) => owner === ME).map(([id]) => id);
    };
    const all = await Promise.all(collections.map(held));
    return {
      rows: collections.map((token_address, at) => ({ token_address, net: `${all[at]?.length}` })),
      lines: collections.flatMap((token, at) => (all[at] ?? []).map((id) => `${token} ${id}`)),
    };
  },
  async "mined-rewards"() {
    const reward = sum((await raw(MINER, "mined-blocks")).map(({ reward }) => BigInt(reward ?? 0)));
    return { rows: [{ reward: `${reward}` }], lines: [coins(reward)] };
  },
  async failed() {
    const failed = (await sentBy(ME)).filter(({ tx_status }) => tx_status === "0");
    return {
      rows: failed.map(({ transaction_hash = "" }) => ({ transaction_hash })),
      lines: failed.map((row) => `${row.transaction_hash} ${coins(feeOf(row))}`),
    };
  },
  async "first-and-last"() {
    const transactions = await raw(ME, "transactions");
    const lists = ["internal-transactions", "token-transfer/mrc20", "token-transfer/mrc721"];
    const others = (await Promise.all(lists.map((list) => raw(ME, list)))).flat();
    const times = [...transactions, ...others]
      .map(({ timestamp = "" }) => timestamp.replace("Z", ".000Z"))
      .sort();
    const of = (row: Raw | undefined) => expect.objectContaining({ ...row });
    const [first_transaction, last_transaction] = [of(transactions.at(-1)), of(transactions[0])];
    return {
      rows: [{ first_transaction, last_transaction }],
      lines: [`${times[0]} ${times.at(-1)}`],
    };
  },
  async counterparties() {
    const amounts = new Map<string, bigint>();
    for (const row of await raw(PAYER, "transactions")) {
      const { sender = "", receiver = "" } = row;
      const counterparty = sender === PAYER ? receiver : sender;
      if (counterparty !== PAYER)
        amounts.set(counterparty, (amounts.get(counterparty) ?? 0n) + moved(row));
    }
    const largest = [...amounts].sort(([, a], [, b]) => (a < b ? 1 : -1)).slice(0, 10);
    return {
      rows: largest.map(([counterparty]) => ({ counterparty })),
      lines: largest.map(([counterparty, amount]) => `${counterparty} ${coins(amount)}`),
    };
  },
  async "internal-transfers"() {
    const frames = (await raw(ME, "internal-transactions")).filter(({ value }) => value !== "0");
    return {
      rows: frames,
      lines: frames.map(
        ({ timestamp = "", sender, value = 0 }) =>
          `${timestamp.replace("Z", ".000Z")} ${sender} ${coins(BigInt(value))}`,
      ),
    };
  },
  async "contracts-created"() {
    const sent = (await sentBy(DEPLOYER)).toReversed();
    const created = sent.flatMap(({ receiver }, nonce) =>
      receiver === null
        ? [getContractAddress({ from: DEPLOYER, nonce: BigInt(nonce) }).toLowerCase()]
        : [],
    );
    const rows = created.toReversed().map((contract_address) => ({ contract_address }));
    return { rows, lines: created };
  },
};

/** The commands of the page, by the program below each. */
const commands = [
  ...packageFile("docs/accounting.md")
    .read()
    .matchAll(/^mrc-explorer (.+)\n```\n\n`examples\/accounting\/([\w-]+)\.mts`$/gm),
].map(([, command = "", program = ""]) => [program, command] as const);

test("each question has a command and a program", () => {
  expect(commands.map(([program]) => program)).toEqual(Object.keys(answers));
});

test.each(commands)("%s", async (program, command) => {
  const answer = await answers[program]?.();
  expect(answer?.lines.length).toBeGreaterThan(0);
  const words = command.replaceAll(/\$(\w+)/g, (_, name: string) => names[name] ?? name);
  const { code, out } = await demo.cli(`${words} -f json`);
  expect(code).toBe(0);
  const rows = [JSON.parse(out).data].flat();
  expect(rows).toEqual(answer?.rows.map((row) => expect.objectContaining(row)));

  const printed: string[] = [];
  vi.spyOn(console, "log").mockImplementation((...values) => void printed.push(values.join(" ")));
  await import(`../../examples/accounting/${program}.mts`);
  expect(printed).toEqual(answer?.lines);
});
