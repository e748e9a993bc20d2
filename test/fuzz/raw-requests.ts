// Requests as bytes, generated: right ones, ones that are slightly or wholly wrong, and ones no client would send.
import fc from "fast-check";
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import { MAX_BODY_BYTES } from "../../mocks/message/message.ts";
import { requestsAbout } from "../support/generated.ts";
import type { Sent } from "../support/requests.ts";

/** A way to spoil a request. */
type Spoil = (bytes: Buffer) => Buffer;

const splice = (bytes: Buffer, at: number, removed: number, added: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]);

/** How the body says where it ends. */
type Framing = "length" | "chunks" | "too short" | "too long" | "both" | "none";

function framed(body: Buffer, framing: Framing): { headers: string[]; body: Buffer } {
  const chunks = Buffer.concat([
    Buffer.from(`${body.length.toString(16)}\r\n`),
    body,
    Buffer.from(body.length === 0 ? "\r\n" : "\r\n0\r\n\r\n"),
  ]);
  const length = (of: number) => `Content-Length: ${Math.max(0, of)}`;
  const coding = "Transfer-Encoding: chunked";
  switch (framing) {
    case "length":
      return { headers: [length(body.length)], body };
    case "chunks":
      return { headers: [coding], body: chunks };
    case "too short":
      return { headers: [length(body.length - 3)], body };
    case "too long":
      return { headers: [length(body.length + 3)], body };
    case "both":
      return { headers: [length(body.length), coding], body: chunks };
    case "none":
      return { headers: [], body };
  }
}

/** Any JSON, small and large, flat and deep. */
const json = fc.oneof(
  fc.json(),
  fc.integer({ min: 1, max: 100_000 }).map((depth) => `${"[".repeat(depth)}${"]".repeat(depth)}`),
  fc.integer({ min: 1, max: 100_000 }).map((count) => `[${"0,".repeat(count)}0]`),
  fc.constantFrom(1000, MAX_BODY_BYTES).map((length) => `"${"x".repeat(length)}"`),
);

/** The admin API's actions; some with the token, some with a plausible body. */
function adminRequests(token: string): fc.Arbitrary<Sent> {
  const address = fc.constantFrom(`0x${"a1".repeat(20)}`, `0x${"b0".repeat(20)}`, "0x");
  const mine = fc.record(
    {
      blocks: fc.oneof(fc.integer({ min: -1, max: 5 }), fc.constant("2")),
      miner: address,
    },
    { requiredKeys: [] },
  );
  const fault = fc.record({
    fault: fc.constantFrom("status", "stale", "field"),
    status: fc.constant(503),
    times: fc.constantFrom(0, 1),
  });
  const body = fc.oneof(
    ...[mine, fault, fc.record({ snapshot: fc.integer({ min: 0, max: 9 }).map(String) })].map(
      (one) => one.map((value) => JSON.stringify(value)),
    ),
    json,
  );
  return fc.record({
    method: fc.constantFrom("GET", "POST", "POST", "POST", "DELETE", "OPTIONS"),
    target: fc.constantFrom(
      ..."reset|snapshot|restore|mine|faults|journal||../v1|__proto__"
        .split("|")
        .map((path) => `/admin/${path}`),
    ),
    headers: fc.constantFrom<Record<string, string>>(
      { "admin-token": token, "content-type": "application/json" },
      { "admin-token": token, "content-type": "application/json", "api-key": "k" },
      { "admin-token": token },
      { "admin-token": `${token}x` },
      {},
    ),
    body,
  });
}

/** What tools send to Etherscan, and what they would not. */
function etherscanRequests(): fc.Arbitrary<Sent> {
  const type = "application/x-www-form-urlencoded";
  const address = fc.constantFrom(`0x${"a1".repeat(20)}`, "0x", "");
  const text = fc.oneof(fc.string(), json);
  const parameters = fc
    .record(
      {
        module: fc.constantFrom("contract", "contract", "account"),
        action: fc.constantFrom("verifysourcecode", "checkverifystatus", "getabi", "getsourcecode"),
        apikey: fc.constantFrom("k", "k", "x", ""),
        ...{ address, contractaddress: address, guid: text, sourceCode: text, contractname: text },
        ...{ compilerversion: text, runs: text, libraryname1: text, optimizationUsed: text },
        codeformat: fc.constantFrom("solidity-standard-json-input", "solidity-single-file", "x"),
      },
      { requiredKeys: ["module", "action", "apikey"] },
    )
    .map((fields) => new URLSearchParams(fields).toString());
  return fc.record({
    method: fc.constantFrom("POST", "POST", "GET", "DELETE"),
    target: fc.oneof(
      fc.constantFrom("/etherscan/api", "/etherscan/v2/api?chainid=1", "/etherscan/api?%=%&&"),
      parameters.map((query) => `/etherscan/api?${query.slice(0, 1000)}`),
    ),
    headers: fc.constantFrom<Record<string, string>>({ "content-type": type }, {}),
    body: fc.oneof(parameters, json),
  });
}

/** What the page and Sourcify's tools ask, and what they would not. */
function otherRequests(): fc.Arbitrary<Sent> {
  const address = fc.constantFrom(`0x${"a1".repeat(20)}`, "0x", "", "constructor");
  const views =
    "access|head|overview|blocks|transactions|accounts|tokens|contracts|names|search|block/0|block/x|transaction/0x|v1/blocks/0|__proto__|";
  const ofAddress =
    "inspect/account/@|inspect/contract/@|inspect/token/@|inspect/token/@/transfers|sourcify/v2/contract/1717/@|sourcify/v2/verify/1717/@";
  const path = fc.oneof(
    ...views.split("|").map((view) => fc.constant(`/inspect/${view}`)),
    ...ofAddress.split("|").map((path) => address.map((one) => `/${path.replace("@", one)}`)),
    fc.constantFrom("/sourcify/v2/verify/x", "/sourcify/v2/", "/sourcify/../v1"),
  );
  const query = fc.oneof(
    fc.constant(""),
    fc
      .record({
        name: fc.constantFrom("limit", "offset", "before", "q", "addresses", "fields", "x"),
        value: fc.oneof(fc.string(), fc.nat().map(String), fc.constant("5.3")),
      })
      .map(({ name, value }) => `?${name}=${encodeURIComponent(value)}`),
  );
  return fc.record({
    method: fc.constantFrom("GET", "GET", "GET", "POST", "DELETE"),
    target: fc.tuple(path, query).map((parts) => parts.join("")),
    headers: fc.constantFrom<Record<string, string>>(
      { "api-key": "k" },
      { "api-key": "k", "content-type": "application/json" },
      {},
    ),
    body: json,
  });
}

/** Requests as bytes to a port. */
export function rawRequests(chain: ChainWriter, token: string): fc.Arbitrary<Buffer> {
  const { requests, strays } = requestsAbout(chain);
  const withJson = fc
    .tuple(requests, json)
    .map(([sent, body]) => (sent.body === undefined ? sent : { ...sent, body }));
  const sent: fc.Arbitrary<Sent> = fc.oneof(
    { weight: 6, arbitrary: requests },
    { weight: 6, arbitrary: withJson },
    { weight: 2, arbitrary: strays },
    { weight: 3, arbitrary: adminRequests(token) },
    { weight: 3, arbitrary: etherscanRequests() },
    { weight: 3, arbitrary: otherRequests() },
    {
      weight: 1,
      arbitrary: fc.record({
        method: fc.constantFrom("GET", "POST"),
        target: fc.constantFrom("/health", "*", "//", "?", "/health?%"),
        headers: fc.constant({}),
      }),
    },
  );
  const host = fc.oneof(
    { weight: 20, arbitrary: fc.constant("localhost") },
    { weight: 3, arbitrary: fc.constantFrom("127.0.0.1:80", "evil.example", "", undefined) },
  );
  const prefix = fc.oneof(
    { weight: 20, arbitrary: fc.constant("") },
    {
      weight: 3,
      arbitrary: fc.constantFrom("http://localhost", "HTTP://evil.example", "https://"),
    },
  );
  const extra = fc.oneof(
    { weight: 8, arbitrary: fc.constant("") },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "Expect: 100-continue",
        "Expect: nothing",
        "Upgrade: websocket\r\nConnection: upgrade",
        "Host: twice",
        "Origin: null",
        "Access-Control-Request-Method: POST",
      ),
    },
    {
      weight: 1,
      arbitrary: fc
        .integer({ min: 1, max: 20_000 })
        .map((length) => `X-Long: ${"x".repeat(length)}`),
    },
  );
  const framing = fc.oneof(
    { weight: 8, arbitrary: fc.constant<Framing>("length") },
    {
      weight: 3,
      arbitrary: fc.constantFrom<Framing>("chunks", "too short", "too long", "both", "none"),
    },
  );
  const spoil: fc.Arbitrary<Spoil> = fc.oneof(
    { weight: 8, arbitrary: fc.constant<Spoil>((bytes) => bytes) },
    {
      weight: 1,
      arbitrary: fc.nat().map(
        (at): Spoil =>
          (bytes) =>
            bytes.subarray(0, at % bytes.length),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.nat(), fc.nat({ max: 4 }), fc.uint8Array({ maxLength: 6 })).map(
        ([at, removed, added]): Spoil =>
          (bytes) =>
            splice(bytes, at % Math.min(bytes.length, 300), removed, Buffer.from(added)),
      ),
    },
  );
  const version = fc.oneof(
    { weight: 20, arbitrary: fc.constant("1.1") },
    { weight: 3, arbitrary: fc.constantFrom("1.0", "2.0", "9") },
  );
  return fc
    .tuple(sent, host, prefix, extra, framing, spoil, version)
    .map(([{ method, target, headers, body }, host, prefix, extra, framing, spoil, version]) => {
      const frame =
        body === undefined
          ? { headers: [], body: Buffer.alloc(0) }
          : framed(Buffer.from(body), framing);
      const head = [
        `${method} ${prefix}${target} HTTP/${version}`,
        ...(host === undefined ? [] : [`Host: ${host}`]),
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        ...(extra === "" ? [] : [extra]),
        ...frame.headers,
      ];
      return spoil(Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), frame.body]));
    });
}
