// Invalid requests get an envelope that names the problem: never a stack trace, never a hang.
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { createExplorer } from "../../mocks/explorer.ts";
import { loadDemo } from "../../mocks/ingest/load-chain.ts";
import { type ServedExplorer, serveExplorer } from "../../mocks/port/server.ts";
import {
  type AnyOperation,
  isOptional,
  type OperationId,
  operations,
} from "../../src/contract/index.ts";
import { askable, knownIn, type Raw, requestOf, type Sent } from "../support/requests.ts";

const chain = await loadDemo();
const valid = askable(knownIn(chain));
const all = Object.entries(operations) as [OperationId, AnyOperation][];

let served: ServedExplorer;
beforeAll(async () => {
  served = await serveExplorer(createExplorer({ chain, apiKeys: ["k"] }));
});
afterAll(() => served.close());

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Sends exactly what it is given: `fetch` would straighten the path. */
const send = ({ method, target, headers, body }: Sent): Promise<Got> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: "127.0.0.1", port: served.port, method, path: target, headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    request.on("error", reject);
    request.end(body);
  });

/** The message of the envelope of S1, after checking that it is one. */
function messageOf({ status, headers, text }: Got, expected: number): string {
  expect(status, text).toBe(expected);
  expect(headers["content-type"]).toBe("application/json");
  const envelope = JSON.parse(text);
  expect(envelope).toEqual({
    status: String(expected),
    message: expect.any(String),
    results: null,
  });
  expect(text).not.toMatch(/\.ts:|\.js:|node:internal| {4}at /);
  return envelope.message;
}

const texts = ["", " ", "null", "NaN", "\u{1F600}", "\0", "../etc/passwd", "%", "[]"];
const numbers = ["-1", "1.5", "1e3", "0x10", "1,000", "+1", "９", "9".repeat(79), "9".repeat(5000)];
const digits = (count: number) => "a".repeat(count);
const addresses = ["0x", `0x${"g".repeat(40)}`, `0x${digits(39)}`, `0x${digits(41)}`, digits(40)];

/** Values that no parameter of this name may have. */
function badValues(operation: AnyOperation, name: string): readonly unknown[] {
  const schema = operation.input.shape[name];
  if (schema === undefined) throw new Error(`${operation.id} has no parameter ${name}`);
  const { type, pattern, minimum, maximum } = z.toJSONSchema(schema, { io: "input" });
  const inBody = operation.places.body.includes(name);
  // A body's integer may be any, and its texts too; only other types are wrong.
  if (inBody)
    return type === "array"
      ? [...(isOptional(schema) ? [] : [null]), "x", 7, {}, [7], [null], ["0x1"], [{}]]
      : type === "string"
        ? [7, true, [], {}]
        : [1.5, "x", true, [], {}, 1e300];
  if (pattern?.startsWith("^0x")) return [...texts, ...numbers, ...addresses];
  if (minimum !== undefined && maximum !== undefined)
    return [...texts, ...numbers, `${minimum - 1}`, `${BigInt(maximum) + 1n}`];
  return [...texts, ...numbers];
}

const cases = all.flatMap(([id, operation]) =>
  Object.keys(operation.input.shape).flatMap((name) =>
    badValues(operation, name)
      // An empty path segment is another path: tested below.
      .filter((value) => value !== "" || !operation.places.path.includes(name))
      .map((value) => [id, name, value] as const),
  ),
);

describe("a parameter that is out of its range", () => {
  test.each(all.map(([id]) => id))("of %s is refused by name", async (id) => {
    const own = cases.filter(([of]) => of === id);
    expect(own.length).toBeGreaterThan(5);
    for (const [, name, value] of own) {
      const got = await send(requestOf(id, { ...valid[id], [name]: value }));
      // Node itself refuses an address that is longer than its headers may be.
      if (got.status === 431) continue;
      expect(messageOf(got, 400), `${name}=${String(value).slice(0, 60)}`).toContain(name);
    }
  });

  test.each(all.map(([id]) => id))("of %s may be left out only if it is optional", async (id) => {
    const { input, places } = operations[id] as AnyOperation;
    for (const name of [...places.query, ...places.body]) {
      const { [name]: _, ...rest }: Raw = valid[id];
      const got = await send(requestOf(id, rest));
      if (isOptional(input.shape[name])) expect([200, 501]).toContain(got.status);
      else expect(messageOf(got, 400)).toContain(name);
    }
  });
});

test("the query may not turn the range round", async () => {
  for (const id of ["A2", "A3", "A4", "A5", "L1"] as const) {
    const request = requestOf(id, { ...valid[id], startBlock: "9", endBlock: "3" });
    expect(messageOf(await send(request), 400)).toContain("startBlock");
  }
});

describe("the path", () => {
  const { head } = knownIn(chain);
  test.each([
    ...["/", "", "/v1", "/v1/", "/v2/blocks/1", "/v1/blocks/", "/v1/blocks", "*"],
    ...[`/v1/blocks/${head}/`, `/v1//blocks/${head}`, "/v1/../v1/blocks/1"],
    ...["/v1/tokens/..%2f..%2fetc%2fpasswd/x", `/v1/${"a/".repeat(3000)}`],
    ...["/__proto__/constructor", "//example.org/v1/blocks/1"],
  ])("%j has no operation: 404", async (target) => {
    messageOf(await send({ method: "GET", target, headers: { "api-key": "k" } }), 404);
  });

  test.each(["%", "%zz", "%E0%A4%A", "%00", "..%2f", "%2e%2e"])(
    "with %s for a parameter is an error of that parameter",
    async (segment) => {
      const request = { method: "GET", headers: { "api-key": "k" } };
      const got = await send({ ...request, target: `/v1/blocks/${segment}` });
      expect(messageOf(got, 400)).toContain("block_number");
    },
  );
});

describe("the method", () => {
  test.each(["PUT", "PATCH", "DELETE", "OPTIONS", "POST"])(
    "%s of a GET is a 405 with Allow",
    async (method) => {
      const got = await send({ ...requestOf("B1", valid.B1), method });
      expect(got.status).toBe(405);
      expect(got.headers.allow).toBe("GET, HEAD");
      messageOf(got, 405);
    },
  );

  test("GET of a POST is a 405 with Allow", async () => {
    const { method: _, ...request } = requestOf("A1", valid.A1);
    const got = await send({ method: "GET", target: request.target, headers: request.headers });
    messageOf(got, 405);
    expect(got.headers.allow).toBe("POST");
  });
});

test.each([
  ["none", {}],
  ["an empty one", { "api-key": "" }],
  ["an unknown one", { "api-key": "secret-of-others" }],
])("with %s for a key the response is 401, and does not repeat it", async (_, headers) => {
  for (const [id] of all) {
    const request = requestOf(id, valid[id]);
    const { "api-key": __, ...others } = request.headers;
    const message = messageOf(await send({ ...request, headers: { ...others, ...headers } }), 401);
    expect(message).toContain("api-key");
    expect(message).not.toContain("secret");
  }
});

describe("the body", () => {
  const request = requestOf("A1", valid.A1);
  const [address] = valid.A1.addresses as string[];

  test.each([
    [0, 400],
    [1, 200],
    [20, 200],
    [21, 400],
  ])("with %i addresses is a %i, and nothing is cut off", async (count, status) => {
    const got = await send(requestOf("A1", { addresses: Array(count).fill(address) }));
    if (status === 400) expect(messageOf(got, 400)).toContain("addresses");
    else expect(JSON.parse(got.text).results.data).toHaveLength(count);
  });

  test("of more than 1.5 MiB is a 413, also where its length is not announced", async () => {
    const padded = (bytes: number) => `{"addresses":["${address}"]}`.padEnd(bytes);
    expect((await send({ ...request, body: padded(1.5 * 1024 * 1024) })).status).toBe(200);
    messageOf(await send({ ...request, body: padded(1.5 * 1024 * 1024 + 1) }), 413);
    messageOf(await send({ ...request, body: padded(8 * 1024 * 1024) }), 413);
    const chunked = { ...request.headers, "transfer-encoding": "chunked" };
    messageOf(await send({ ...request, headers: chunked, body: padded(3 * 1024 * 1024) }), 413);
  });
});
