// Nodes of test/environments: real processes of Hardhat 2 and Hardhat 3, where they are installed.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { describe } from "vitest";
import { environmentFolder, isInstalled } from "./environments.ts";
import { freePort } from "./free-port.ts";
import { asking, type TestNode } from "./test-node.ts";

export type NodeName = "hardhat-2" | "hardhat-3";

export interface RealNode extends TestNode {
  /** Returns the node's output so far. */
  output(): string;
}

interface Program {
  readonly script: string;
  arguments(port: number): string[];
}

const hardhat = (folder: string): Program => {
  const manifest = `${environmentFolder(folder)}node_modules/hardhat/package.json`;
  const { bin } = existsSync(manifest)
    ? (JSON.parse(readFileSync(manifest, "utf8")) as { bin: string | { hardhat: string } })
    : { bin: "" };
  const script = typeof bin === "string" ? bin : bin.hardhat;
  return {
    script: `hardhat/${script}`,
    arguments: (port) => ["node", "--hostname", "127.0.0.1", "--port", String(port)],
  };
};

const PROGRAMS: Readonly<Record<NodeName, Program>> = {
  "hardhat-2": hardhat("hardhat-2"),
  "hardhat-3": hardhat("hardhat-3"),
};

const scriptOf = (name: NodeName) =>
  `${environmentFolder(name)}node_modules/${PROGRAMS[name].script}`;

/** A `describe` for tests with a node, which are skipped where that node is not installed. */
export function describeWithNode(name: NodeName, title: string, tests: () => void): void {
  describe.skipIf(!isInstalled(environmentFolder(name)))(title, tests);
}

/** Starts a node on a free port; resolves when it responds. */
export async function startRealNode(
  name: NodeName,
  env: Readonly<Record<string, string>> = {},
): Promise<RealNode> {
  const port = await freePort();
  const node = spawn(process.execPath, [scriptOf(name), ...PROGRAMS[name].arguments(port)], {
    cwd: environmentFolder(name),
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, HARDHAT_DISABLE_TELEMETRY_PROMPT: "true", ...env },
  });
  let output = "";
  for (const stream of [node.stdout, node.stderr])
    stream.on("data", (chunk) => {
      output += String(chunk);
    });
  const ended = once(node, "exit");
  const end = () => {
    if (isRunning(node)) node.kill("SIGKILL");
  };
  process.once("exit", end);
  const url = `http://127.0.0.1:${port}`;
  const ask = asking(url);
  await responding(node, () => ask("eth_chainId")).catch((error) => {
    end();
    throw new Error(`${name} did not start: ${error}; its output:\n${output}`);
  });
  return {
    url,
    ask,
    output: () => output,
    stop: async () => {
      process.off("exit", end);
      end();
      await ended;
    },
  };
}

const isRunning = (node: ChildProcess) => node.exitCode === null && node.signalCode === null;

async function responding(node: ChildProcess, ask: () => Promise<unknown>): Promise<void> {
  for (;;) {
    if (!isRunning(node)) throw new Error("it ended");
    const answered = await ask().then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
