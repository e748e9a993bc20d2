// Long bodies on a port: each response has its own bytes, and others have turns while it is sent.
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { generateChain } from "../../mocks/builder/generator.ts";
import { createExplorer } from "../../mocks/create-explorer.ts";
import { bodyText, jsonHeaders } from "../../mocks/message/message.ts";
import { openCors, send } from "../../mocks/port/send.ts";
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
  bodyText((await explorer.dispatch({ method: "GET", target, headers })).body);

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

// The longer ones are sent in parts.
const lengths = [300, 1500];
test.each(["a", "é", "€", "😀"].flatMap((one) => lengths.map((length) => [one, length] as const)))(
  "a body in pieces of %s up to %i characters is sent as its text",
  async (character, length) => {
    const pieces = ["[", ...Array.from({ length }, (_, nth) => character.repeat(nth)), "]"];
    const server = createServer((_, response) => {
      void send(response, { status: 200, headers: jsonHeaders, body: pieces }, openCors);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await response.text()).toBe(pieces.join(""));
    expect(response.headers.get("content-length")).toBe(`${Buffer.byteLength(pieces.join(""))}`);
    server.close();
  },
);

test("others have turns while a huge body is sent", async () => {
  const pieces = Array.from({ length: 200 }, () => "a".repeat(20_000));
  // Turns are given by time: each look at the clock is late, however fast the machine is.
  let clock = performance.now();
  const now = vi.spyOn(performance, "now").mockImplementation(() => (clock += 11));
  onTestFinished(() => now.mockRestore());
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(() => {});
  let ended = (_: number) => {};
  const during = new Promise<number>((resolve) => {
    ended = resolve;
  });
  const server = createServer(async (_, response) => {
    count();
    await send(response, { status: 200, headers: jsonHeaders, body: pieces }, openCors);
    clearImmediate(timer);
    ended(turns);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  expect((await response.arrayBuffer()).byteLength).toBe(4_000_000);
  // The client may have all before the server ends.
  expect(await during).toBeGreaterThan(1);
  server.close();
});
