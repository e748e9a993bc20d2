// A load for servers in other processes: many requests over a few kept connections, and the time they cost either side.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { median } from "./median.ts";

/** A server in a process of its own. */
export interface Subject {
  readonly name: string;
  readonly port: number;
  readonly process: ChildProcess;
}

/** Starts a program that prints the port it listens on. */
export async function start(
  name: string,
  command: string,
  args: readonly string[],
): Promise<Subject> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [printed] = await once(child.stdout, "data");
  return { name, port: Number(printed), process: child };
}

export async function stop({ process: child }: Subject): Promise<void> {
  child.kill("SIGTERM");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

/** Milliseconds of CPU that all threads of a process have used, in its own code and the kernel's. */
function cpuMs({ process: { pid } }: Subject): number {
  const tasks = `/proc/${pid}/task`;
  let ns = 0;
  for (const thread of readdirSync(tasks))
    ns += Number(readFileSync(`${tasks}/${thread}/schedstat`, "utf8").split(" ")[0]);
  return ns / 1e6;
}

/** The length of the first response in what was received, if all of it is there. */
function lengthOfFirst(received: Buffer): number | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = received.toString("latin1", 0, end);
  if (!head.startsWith("HTTP/1.1 200")) throw new Error(head);
  const [, given] = /content-length: *(\d+)/i.exec(head) ?? [];
  // A chunked one ends what was received: it is not pipelined.
  if (given === undefined)
    return received.subarray(-5).toString("latin1") === "0\r\n\r\n" ? received.length : undefined;
  const length = end + 4 + Number(given);
  return received.length >= length ? length : undefined;
}

/** Sends `text` so often on one connection: `depth` at once, and the next when their responses are here. */
async function drive(port: number, text: string, times: number, depth: number): Promise<void> {
  const socket: Socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  await once(socket, "connect");
  const bytes = Buffer.from(text.repeat(depth), "latin1");
  let [left, waiting] = [times, depth];
  let pending: Buffer = Buffer.alloc(0);
  await new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server hung up")));
    const take = (chunk: Buffer) => {
      pending = pending.length ? Buffer.concat([pending, chunk]) : chunk;
      for (let length = lengthOfFirst(pending); length; length = lengthOfFirst(pending)) {
        pending = pending.subarray(length);
        left--;
        waiting--;
      }
      if (waiting > 0) return;
      if (left <= 0) return resolve();
      waiting = depth;
      socket.write(bytes);
    };
    socket.on("data", (chunk) => {
      try {
        take(chunk);
      } catch (error) {
        reject(error);
      }
    });
    socket.write(bytes);
  });
  socket.destroy();
}

export interface Figures {
  /** The server's own time. */
  readonly cpuMicroseconds: number;
  readonly requestsPerSecond: number;
}

const connections = 10;

/** One round of requests. */
async function round(
  subject: Subject,
  target: string,
  requests: number,
  depth: number,
): Promise<Figures> {
  const text = `GET ${target} HTTP/1.1\r\nhost: 127.0.0.1:${subject.port}\r\napi-key: k\r\naccept: application/json\r\n\r\n`;
  const each = Math.ceil(requests / connections / depth) * depth;
  const [cpu, from] = [cpuMs(subject), performance.now()];
  await Promise.all(
    Array.from({ length: connections }, () => drive(subject.port, text, each, depth)),
  );
  const done = each * connections;
  return {
    cpuMicroseconds: ((cpuMs(subject) - cpu) * 1000) / done,
    requestsPerSecond: (done * 1000) / (performance.now() - from),
  };
}

/**
 * What a request costs each of several servers: medians of rounds in which they take turns, for the machine has other
 * things to do. The first round warms up. `depth`: so many requests are sent at once on each connection.
 */
export async function measure(
  subjects: readonly { readonly subject: Subject; readonly requests: number }[],
  target: string,
  rounds = 7,
  depth = 1,
): Promise<readonly Figures[]> {
  const figures: Figures[][] = subjects.map(() => []);
  for (let turn = 0; turn <= rounds; turn++)
    for (const [index, { subject, requests }] of subjects.entries()) {
      const measured = await round(subject, target, requests, depth);
      if (turn > 0) figures[index]?.push(measured);
    }
  return figures.map((of) => ({
    cpuMicroseconds: median(of.map(({ cpuMicroseconds }) => cpuMicroseconds)),
    requestsPerSecond: median(of.map(({ requestsPerSecond }) => requestsPerSecond)),
  }));
}
