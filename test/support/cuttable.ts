// A way to a node that tests can cut: connections through it break, and new ones are refused until it is mended.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface CuttableWay {
  /** Host and port of this end. */
  readonly host: string;
  cut(): void;
  mend(): void;
  /** Connections so far. */
  readonly connections: number;
  /** What the last connection began with: the head of its first request. */
  readonly lastRequest: string;
  close(): Promise<void>;
}

/** A way to the port at `url`. */
export async function cuttableWay(url: string): Promise<CuttableWay> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  let isCut = false;
  let connections = 0;
  let lastRequest = "";
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    connections += 1;
    near.once("data", (data) => {
      lastRequest = data.toString("latin1");
    });
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on("data", (data) => other.write(data));
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => {
      isCut = false;
    },
    get connections() {
      return connections;
    },
    get lastRequest() {
      return lastRequest;
    },
    close: async () => {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
