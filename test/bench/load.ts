// A load for servers in other processes: many requests over a few kept connections, and the time they cost either side.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";

/** A server in a process of its own. */
export interface Subject {
  readonly name: string;
  readonly port: number;
  readonly process: ChildProcess;
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });

/** Starts a program that listens on a port, or prints the one it has picked. */
export async function start(
  name: string,
  command: string,
  args: readonly string[],
  port?: number,
): Promise<Subject> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  if (port !== undefined) {
    child.stdout.resume();
    while (!(await isListening(port))) await new Promise((resolve) => setTimeout(resolve, 100));
    return { name, port, process: child };
  }
  const [printed] = await once(child.stdout, "data");
  return { name, port: Number(printed), process: child };
}

export async function stop({ process: child }: Subject): Promise<void> {
  child.kill("SIGTERM");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

/** Milliseconds of CPU a process has used; the kernel counts in hundredths of a second. */
function cpuMs({ process: { pid } }: Subject): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Sends `text` so often, one after the other, on one connection. */
async function drive(port: number, text: string, times: number): Promise<void> {
  const socket: Socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  await once(socket, "connect");
  const bytes = Buffer.from(text, "latin1");
  let left = times;
  let pending: Buffer = Buffer.alloc(0);
  await new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server hung up")));
    socket.on("data", (chunk) => {
      pending = pending.length ? Buffer.concat([pending, chunk]) : chunk;
      const end = pending.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = pending.toString("latin1", 0, end);
      if (!head.startsWith("HTTP/1.1 200")) return reject(new Error(head));
      const length = /content-length: *(\d+)/i.exec(head)?.[1];
      const whole =
        length === undefined
          ? pending.subarray(-5).toString("latin1") === "0\r\n\r\n"
          : pending.length >= end + 4 + Number(length);
      if (!whole) return;
      pending = Buffer.alloc(0);
      if (--left === 0) resolve();
      else socket.write(bytes);
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

/** What a request costs: the best of several rounds, for the machine has other things to do. */
export async function measure(
  subject: Subject,
  target: string,
  requests: number,
  rounds = 3,
): Promise<Figures> {
  const text = `GET ${target} HTTP/1.1\r\nhost: x\r\napi-key: k\r\naccept: application/json\r\n\r\n`;
  const each = Math.ceil(requests / connections);
  const round = async (): Promise<Figures> => {
    const [cpu, from] = [cpuMs(subject), performance.now()];
    await Promise.all(Array.from({ length: connections }, () => drive(subject.port, text, each)));
    const done = each * connections;
    return {
      cpuMicroseconds: ((cpuMs(subject) - cpu) * 1000) / done,
      requestsPerSecond: (done * 1000) / (performance.now() - from),
    };
  };
  await round();
  const figures: Figures[] = [];
  for (let done = 0; done < rounds; done++) figures.push(await round());
  return {
    cpuMicroseconds: Math.min(...figures.map((figure) => figure.cpuMicroseconds)),
    requestsPerSecond: Math.max(...figures.map((figure) => figure.requestsPerSecond)),
  };
}
