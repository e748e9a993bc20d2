// A real Redis server for tests: on a free port, in a folder of the test's own, and gone with it.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished } from "vitest";
import { freePort } from "../support/free-port.ts";

/**
 * Whether the machine has a Redis server; where it has none the tests that need it are skipped, and
 * say so.
 */
export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;
if (!hasRedis)
  console.warn(
    "*** No redis-server: tests of a shared rate limit are SKIPPED. npm run ci:install installs one. ***",
  );

/** Starts a server that keeps nothing on disk, and ends with the test. */
export async function startRedis(
  folder: string,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const port = await freePort();
  const words = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const server = spawn("redis-server", words, { cwd: folder, stdio: "ignore" });
  const ended = once(server, "exit");
  const stop = async () => {
    server.kill("SIGKILL");
    await ended;
  };
  onTestFinished(stop);
  const answers = async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write("PING\r\n");
    const [answer] = await once(socket, "data").finally(() => socket.destroy());
    return String(answer);
  };
  await expect.poll(() => answers().catch(String)).toBe("+PONG\r\n");
  return { url: `redis://127.0.0.1:${port}`, stop };
}
