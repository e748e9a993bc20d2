// A real node for tests and scripts: an anvil process of one's own on a free port.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { asking, type TestNode } from "./test-node.ts";

const EXECUTABLE = fileURLToPath(new URL("../../node_modules/.bin/anvil", import.meta.url));
const LISTENING = /Listening on ([\d.]+:\d+)/;

export type Anvil = TestNode;

function address(node: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    // Read to the end of its life: a node whose output nobody takes stops.
    node.stdout?.on("data", (chunk) => {
      output = (output + String(chunk)).slice(-10_000);
      const listening = LISTENING.exec(output)?.[1];
      if (listening !== undefined) resolve(listening);
    });
    node.once("exit", () =>
      reject(new Error(`anvil ended before it listened; its output:\n${output}`)),
    );
  });
}

export async function startAnvil(flags: readonly string[] = []): Promise<Anvil> {
  const node = spawn(EXECUTABLE, ["--port", "0", ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
    // A group of its own: the executable is a script that starts the real one.
    detached: true,
  });
  const ended = once(node, "exit");
  const end = () => {
    if (node.pid !== undefined && node.exitCode === null && node.signalCode === null) {
      process.kill(-node.pid, "SIGTERM");
    }
  };
  process.once("exit", end);
  const url = `http://${await address(node)}`;

  return {
    url,
    ask: asking(url),
    stop: async () => {
      process.off("exit", end);
      end();
      await ended;
    },
  };
}
