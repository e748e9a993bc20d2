// Long bodies on a port: each response has its own bytes.
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generateChain } from "../../mocks/builder/generator.ts";
import { createExplorer } from "../../mocks/explorer.ts";
import { IncomingRequest } from "../../mocks/port/request.ts";
import { type ServedExplorer, serveExplorer } from "../../mocks/port/server.ts";
import { responsesIn } from "../support/raw-http.ts";

const chain = generateChain({ seed: "long", blocks: 40, transactions: 4000, accounts: 4 });
const targets = chain
  .busiestAccounts(4)
  .flatMap(({ address }) =>
    [0, 300].map((offset) => `/v1/accounts/${address}/transactions?limit=1000&offset=${offset}`),
  );
const explorer = createExplorer({ chain });
const headers = { "api-key": "k" };

let served: ServedExplorer;
beforeAll(async () => {
  served = await serveExplorer(explorer);
});
afterAll(() => served.close({ graceMs: 100 }));

const bodyOf = async (target: string) =>
  (await explorer.fetch(`${explorer.baseUrl}${target}`, { headers })).text();

/** Sends requests for all targets at once, and reads nothing yet. */
async function asking(): Promise<Socket> {
  const socket = connect(served.port, "127.0.0.1").pause();
  await once(socket, "connect");
  for (const target of targets)
    socket.write(
      `GET ${target} HTTP/1.1\r\nHost: localhost\r\napi-key: k\r\nConnection: ${target === targets.at(-1) ? "close" : "keep-alive"}\r\n\r\n`,
    );
  return socket;
}

/** The bodies of the responses on a connection. */
async function bodies(socket: Socket): Promise<readonly string[]> {
  const received = (await socket.toArray()).join("");
  return responsesIn(received).responses.map(({ body }) => body);
}

test("responses that wait for slow readers keep their bytes, also after one has hung up", async () => {
  const expected = await Promise.all(targets.map(bodyOf));
  expect(Math.min(...expected.map(({ length }) => length))).toBeGreaterThan(100_000);
  for (let turn = 0; turn < 2; turn++) {
    const [gone, ...readers] = await Promise.all(Array.from({ length: 4 }, asking));
    gone?.resetAndDestroy();
    for (const received of await Promise.all(readers.map(bodies)))
      expect(received).toEqual(expected);
  }
});

test.each(["é", "€", "😀"])("a long body of %s has its length in bytes", async (character) => {
  const message = character.repeat(60_000 / character.length);
  const fault = explorer.faults.add({ fault: "failure", message });
  const response = await fetch(`${served.url}/v1/blocks/0`, { headers });
  fault.remove();
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.headers.get("content-length")).toBe(`${bytes.length}`);
  expect(JSON.parse(bytes.toString())).toMatchObject({ message });
});

test("the signal of a request aborts with its connection, also when it is asked for later", async () => {
  const signals: Promise<AbortSignal>[] = [];
  const server = createServer((request, response) => {
    const incoming = new IncomingRequest("/", request, response);
    const { signal } = incoming;
    signals.push(once(response, "close").then(() => incoming.signal));
    signals.push(once(response, "close").then(() => signal));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(server, "request");
  socket.destroy();
  for (const { aborted } of await Promise.all(signals)) expect(aborted).toBe(true);
  server.close();
});
