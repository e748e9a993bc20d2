// One of many workers that share an API key: they count their requests in Redis and stay within the
// key's limit together.
import { ExplorerClient } from "mrc-explorer";
import { RateLimiterQueue, RateLimiterRedis } from "rate-limiter-flexible";
import { createClient } from "redis";

const perSecond = 50;

const redis = createClient({ url: process.env.REDIS_URL ?? "redis://127.0.0.1:6379" });
await redis.connect();
const limiter = new RateLimiterRedis({
  storeClient: redis,
  useRedisPackage: true,
  keyPrefix: "explorer-requests",
  points: perSecond,
  duration: 1,
});
const queue = new RateLimiterQueue(limiter);

const explorer = new ExplorerClient({
  rateLimit: { requests: perSecond, perMs: 1_000, acquire: () => queue.removeTokens(1) },
});

const [first = 0, last = first] = process.argv.slice(2).map(Number);
const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
const blocks = await Promise.all(numbers.map((number) => explorer.blocks.get(number)));
console.log(`${blocks.length} blocks, ${blocks.reduce((sum, { reward }) => sum + reward, 0n)}`);
await redis.close();
