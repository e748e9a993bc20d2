// Exports the transactions of an account into one file: any number of worker processes read parts
// of the list, and count their requests in one place.
import { createReadStream, createWriteStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { Queue, QueueEvents, Worker } from "bullmq";
import { type Address, ExplorerClient } from "mrc-explorer";
import { RateLimiterQueue, RateLimiterRedis } from "rate-limiter-flexible";
import { createClient } from "redis";

/**
 * A part of the list, and how far it is written: up to a cursor, which is so many bytes of its
 * file.
 */
interface Part {
  readonly address: Address;
  readonly part: number;
  readonly cursor: string;
  readonly size: number;
}

const perSecond = 50;
const [command, address, parts] = process.argv.slice(2) as [string, Address, string];
const connection = createClient({ url: process.env.REDIS_URL ?? "redis://127.0.0.1:6379" });
await connection.connect();
const limiter = new RateLimiterRedis({
  storeClient: connection,
  useRedisPackage: true,
  keyPrefix: "explorer-requests",
  points: perSecond,
  duration: 1,
});
const tokens = new RateLimiterQueue(limiter);
const explorer = new ExplorerClient({
  rateLimit: { requests: perSecond, perMs: 1_000, acquire: () => tokens.removeTokens(1) },
});

const fileOf = (account: Address, part: number) => `${account}.${part}.jsonl`;
const lineOf = (record: object) =>
  `${JSON.stringify(record, (_, value) => (typeof value === "bigint" ? `${value}` : value))}\n`;

/** Splits the list, waits for the workers, and joins the files of the parts. */
async function start(): Promise<void> {
  const queue = new Queue<Part>("export", { connection });
  const events = new QueueEvents("export", { connection: connection.duplicate() });
  const cursors = await explorer.accounts.transactions(address).split(Number(parts));
  const jobs = await queue.addBulk(
    cursors.map((cursor, part) => ({
      name: "part",
      data: { address, part, cursor, size: 0 },
      opts: { attempts: 5, backoff: { type: "exponential", delay: 1_000 } },
    })),
  );
  for (const job of jobs) await job.waitUntilFinished(events);
  await rm(`${address}.jsonl`, { force: true });
  for (const part of cursors.keys()) {
    const whole = createWriteStream(`${address}.jsonl`, { flags: "a" });
    await pipeline(createReadStream(fileOf(address, part)), whole);
    await rm(fileOf(address, part));
  }
  await events.close();
  await queue.close();
}

/**
 * Reads parts until SIGTERM. A part whose worker was killed goes to another one, which continues at
 * the last cursor.
 */
async function work(): Promise<void> {
  const worker = new Worker<Part>(
    "export",
    async (job, token = "") => {
      let { cursor, size } = job.data;
      const file = await open(fileOf(job.data.address, job.data.part), size ? "r+" : "w");
      try {
        const list = explorer.accounts.transactions(job.data.address, { resume: cursor });
        for await (const page of list.pages()) {
          const lines = Buffer.from(page.data.map(lineOf).join(""));
          // Fails if the part was given to another worker.
          await job.extendLock(token, 5_000);
          await file.write(lines, 0, lines.length, size);
          size += lines.length;
          cursor = page.cursor;
          await job.updateData({ ...job.data, cursor, size });
        }
        await file.truncate(size);
      } finally {
        await file.close();
      }
    },
    { connection, lockDuration: 5_000, stalledInterval: 2_000, maxStalledCount: 10 },
  );
  await new Promise((resolve) => process.once("SIGTERM", resolve));
  await worker.close();
}

await (command === "work" ? work() : start());
await connection.close();
