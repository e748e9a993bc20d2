// Iterates a list of 1,000,000 transactions beside a bare loop over the same pages, in turns: `node
// million.ts` prints the CPU milliseconds of both.
import { fork } from "node:child_process";
import { once } from "node:events";
import { generateChain } from "../../mocks/builder/generator.ts";
import { createExplorer } from "../../mocks/index.ts";
import { ExplorerClient } from "../../src/index.ts";

const TOTAL = 1_000_000;
const LIMIT = 1000;
const PER_BLOCK = 40;
const NEWEST = TOTAL / PER_BLOCK;
/** Records of either at a time: what else the machine does strikes both alike. */
const SLICE = 10 * LIMIT;

/** The text of an answer with 1000 full transactions. */
async function pageText(): Promise<string> {
  const chain = generateChain({ transactions: 10_000, blocks: 300, accounts: 60, tokens: 2 });
  const mock = createExplorer({ chain });
  const busiest = chain.blockInput(0)?.credits?.[0]?.[0];
  const response = await mock.fetch(
    `${mock.baseUrl}/v1/accounts/${busiest}/transactions?limit=1000`,
    { headers: { "api-key": "bench" } },
  );
  const text = await response.text();
  if (JSON.parse(text).results.data.length !== 1000) throw new Error("not a full page");
  return text;
}

/** Real records as text, without the fields that hold their place in the chain. */
const templates = (JSON.parse(await pageText()).results.data as object[]).map((record) =>
  JSON.stringify({
    ...record,
    ...{ timestamp: undefined, transaction_hash: undefined },
    ...{ block_number: undefined, transaction_index: undefined },
  }).slice(0, -1),
);

/** The record at a position, newest first. */
const recordAt = (index: number): string => {
  const block = Math.floor(index / PER_BLOCK);
  const time = new Date(1.7e12 - block * 12_000).toISOString();
  return `${templates[index % templates.length]},"timestamp":"${time}","transaction_hash":"0x${`${index}`.padStart(64, "a")}","block_number":"${NEWEST - block}","transaction_index":"${PER_BLOCK - 1 - (index % PER_BLOCK)}"}`;
};

/** Milliseconds of the CPU that preparing pages took. */
let preparing = 0;
const spent = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** A page as a server sends it: newest first. */
async function fetchPage(url: string): Promise<Response> {
  const began = spent();
  const query = new URL(url).searchParams;
  const newest = Math.min(Number(query.get("endBlock") ?? NEWEST), NEWEST);
  const first = (NEWEST - newest) * PER_BLOCK;
  const start = first + Number(query.get("offset"));
  const length = Math.max(0, Math.min(Number(query.get("limit")), TOTAL - start));
  const data = Array.from({ length }, (_, at) => recordAt(start + at)).join(",");
  const results = `{"count":"${TOTAL - first}","data":[${data}]}`;
  const body = Buffer.from(`{"status":"200","message":"success","results":${results}}`);
  const response = new Response(body, { headers: { "content-type": "application/json" } });
  preparing += spent() - began;
  return response;
}

const baseUrl = "http://127.0.0.1";
const client = new ExplorerClient({ baseUrl, apiKey: "key", fetch: fetchPage });
const address = `0x${"ab".repeat(20)}` as const;

let offset = 0;
/** What anybody would write: a page. */
async function bareLoop(records: number): Promise<number> {
  let seen = 0;
  for (; seen < records; offset += LIMIT) {
    const response = await fetchPage(
      `${baseUrl}/v1/accounts/${address}/transactions?limit=${LIMIT}&offset=${offset}`,
    );
    const { results } = JSON.parse(await response.text());
    for (const _ of results.data) seen++;
  }
  return seen;
}

const iterator = client.accounts.transactions(address)[Symbol.asyncIterator]();
async function iterate(records: number): Promise<number> {
  let seen = 0;
  while (seen < records && !(await iterator.next()).done) seen++;
  return seen;
}

const ways: Record<string, (records: number) => Promise<number>> = {
  loop: bareLoop,
  client: iterate,
};
const total = Number(process.argv[2] ?? TOTAL);
const [, , , name = ""] = process.argv;
const way = ways[name];
if (way)
  process.on("message", async () => {
    const [began, prepared] = [spent(), preparing];
    if ((await way(SLICE)) !== SLICE) throw new Error(`${name} ended early`);
    process.send?.(spent() - began - (preparing - prepared));
  });
else {
  // Processes of their own: in one heap, collecting the garbage of either would cost both.
  const arms = Object.keys(ways).map((arm) => ({
    arm,
    child: fork(import.meta.filename, [`${total}`, arm]),
    cpu: 0,
  }));
  for (let slice = 0; slice < total; slice += SLICE)
    for (const each of arms) {
      const answer = once(each.child, "message");
      each.child.send("slice");
      const [cpu] = await answer;
      // The first slices warm up.
      if (slice >= 5 * SLICE) each.cpu += cpu;
    }
  for (const { child } of arms) child.disconnect();
  console.log(JSON.stringify(Object.fromEntries(arms.map(({ arm, cpu }) => [arm, cpu]))));
}
