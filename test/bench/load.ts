// A load for servers in other processes: many requests over a few kept connections, and the CPU
// time that they cost the server.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { median } from "./median.ts";

/** A server in a process of its own. */
export interface Subject {
  readonly port: number;
  readonly process: ChildProcess;
}

/** Starts a program of Node that prints the port it listens on. */
export async function start(...args: readonly string[]): Promise<Subject> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [printed] = await once(child.stdout, "data");
  return { port: Number(printed), process: child };
}

export async function stop({ process: child }: Subject): Promise<void> {
  child.kill("SIGTERM");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

/**
 * Milliseconds of CPU that all threads of a process have used, in its own code and the kernel's.
 */
function cpuMs({ process: { pid } }: Subject): number {
  const tasks = `/proc/${pid}/task`;
  let ns = 0;
  for (const thread of readdirSync(tasks))
    ns += Number(readFileSync(`${tasks}/${thread}/schedstat`, "utf8").split(" ")[0]);
  return ns / 1e6;
}

/** Whether the response is there as a whole. */
function isWhole(received: Buffer): boolean {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const head = received.toString("latin1", 0, end);
  const [, length] = /content-length: *(\d+)/i.exec(head) ?? [];
  if (!head.startsWith("HTTP/1.1 200") || length === undefined) throw new Error(head);
  return received.length >= end + 4 + Number(length);
}

/**
 * Sends requests one after another on one connection, each when the response to the last is here.
 */
async function drive(port: number, targets: readonly string[], times: number): Promise<void> {
  const next = () =>
    `GET ${targets[left % targets.length]} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\napi-key: k\r\naccept: application/json\r\n\r\n`;
  const socket: Socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  await once(socket, "connect");
  let left = times;
  let pending: Buffer = Buffer.alloc(0);
  await new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server hung up")));
    socket.on("data", (chunk: Buffer) => {
      pending = pending.length ? Buffer.concat([pending, chunk]) : chunk;
      if (!isWhole(pending)) return;
      pending = Buffer.alloc(0);
      left--;
      if (left > 0) socket.write(next());
      else resolve();
    });
    socket.write(next());
  });
  socket.destroy();
}

const connections = 10;

/** The microseconds of its CPU that a request costs the server, in one round. */
async function round(
  subject: Subject,
  targets: readonly string[],
  requests: number,
): Promise<number> {
  const each = Math.ceil(requests / connections);
  const before = cpuMs(subject);
  await Promise.all(Array.from({ length: connections }, () => drive(subject.port, targets, each)));
  return ((cpuMs(subject) - before) * 1000) / (each * connections);
}

/**
 * Returns the microseconds of CPU that a request costs each of several servers, which are asked for
 * the targets in turn. They are medians of rounds in which the servers take turns, because the
 * machine has other things to do. The first round warms up.
 */
export async function measure(
  subjects: readonly Subject[],
  targets: readonly string[],
  { requests = 4_000, rounds = 5 } = {},
): Promise<readonly number[]> {
  const figures: number[][] = subjects.map(() => []);
  for (let turn = 0; turn <= rounds; turn++)
    for (const [index, subject] of subjects.entries()) {
      const measured = await round(subject, targets, requests);
      if (turn > 0) figures[index]?.push(measured);
    }
  return figures.map(median);
}
