// Generated requests and faults, and what is heard of them: for comparing doors. Runs in browsers, too.
import fc from "fast-check";
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import type { Fault, FaultName } from "../../mocks/faults/fault.ts";
import { type OperationId, operations } from "../../src/contract/index.ts";
import { askable, knownIn, requestOf, type Sent } from "./requests.ts";

/** The parts of a response that matter to a caller. */
export type Heard =
  | {
      readonly status: number;
      readonly headers: Readonly<Record<string, string | null>>;
      readonly body: string;
    }
  | { readonly broken: "before the reply" | "in the body" };

export async function heard(answer: () => Promise<Response | undefined>): Promise<Heard> {
  let response: Response | undefined;
  try {
    response = await answer();
  } catch {
    return { broken: "before the reply" };
  }
  if (response === undefined || response.type === "error") return { broken: "before the reply" };
  const header = (name: string) => [name, response.headers.get(name)] as const;
  try {
    return {
      status: response.status,
      headers: Object.fromEntries(["content-type", "allow", "retry-after", "x-fault"].map(header)),
      body: await response.text(),
    };
  } catch {
    return { broken: "in the body" };
  }
}

export const statusOf = (answer: Heard): number | string =>
  "status" in answer ? answer.status : answer.broken;

const ids = Object.keys(operations) as OperationId[];

const odd = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("0", "-1", "1e3", "null", "9".repeat(30), "../..", "%2e%2e", "\u{1F600}", "0X1"),
);

const anyCase = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.boolean()).map(([of, up]) => (up ? `0x${of.slice(2).toUpperCase()}` : of));

/** Requests about what a chain has: those of the operations, right and wrong, and strays. */
export function requestsAbout(chain: ChainWriter) {
  const names = knownIn(chain);
  const valid = askable(names);
  const account = fc.constantFrom(...names.accounts);
  const hash = fc.constantFrom(...names.transactions.map((transaction) => transaction.hash));
  const block = fc.integer({ min: 0, max: names.head + 2 }).map(String);
  /** Values that make sense, by the parameter's name. */
  function sensible(name: string): fc.Arbitrary<unknown> {
    if (name === "addresses") return fc.array(anyCase(account), { minLength: 1, maxLength: 20 });
    if (name === "contract_hash" || name === "contract_address" || name === "token_address")
      return anyCase(fc.constantFrom(...names.tokens));
    if (name === "transaction_hash") return anyCase(hash);
    if (/block/i.test(name)) return block;
    if (name === "limit") return fc.integer({ min: 1, max: 20 }).map(String);
    if (name === "offset") return fc.integer({ min: 0, max: 30 }).map(String);
    if (name === "input" || name === "simple") return fc.constantFrom("true", "false");
    if (name === "condition") return fc.constantFrom("all", "to", "from", "contract", "form");
    if (name === "type") return fc.constantFrom("single", "conbine", "combine");
    if (name === "operand") return fc.constantFrom("and", "or");
    if (name === "libraries") return fc.constant([{ name: "Lib", address: names.accounts[0] }]);
    if (operations.C3.places.body.includes(name)) return fc.constant(valid.C3[name] ?? "paris");
    if (name.startsWith("topic_")) return hash;
    return anyCase(account);
  }

  const requests: fc.Arbitrary<Sent> = fc.constantFrom(...ids).chain((id) => {
    const { places } = operations[id];
    const value = (name: string) =>
      fc.oneof({ weight: 12, arbitrary: sensible(name) }, { weight: 1, arbitrary: odd });
    const parameters = Object.fromEntries(
      [...places.path, ...places.query, ...places.body].map((name) => [name, value(name)]),
    );
    const optional = fc.record(parameters, { requiredKeys: [...places.path] });
    const mostly = <Item>(usual: Item, ...others: Item[]) =>
      fc.constantFrom(...Array<Item>(6).fill(usual), ...others);
    const slip = mostly("", "&limit=1&limit=2", "&nobody=1", "&%zz=%zz", "#f");
    const headers = mostly<Record<string, string>>(
      {},
      { "api-key": "x" },
      { "content-type": "text/plain" },
    );
    return fc.tuple(optional, slip, headers, fc.boolean()).map(([raw, extra, others, whole]) => {
      const sent = requestOf(id, whole ? { ...valid[id], ...raw } : raw);
      const target =
        extra === ""
          ? sent.target
          : `${sent.target}${sent.target.includes("?") ? "" : "?"}${extra}`;
      return { ...sent, target, headers: { ...sent.headers, ...others } };
    });
  });

  /** Paths and methods that no operation has. */
  const strays: fc.Arbitrary<Sent> = fc.record({
    method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH"),
    target: fc.oneof(
      fc.webPath(),
      fc.constantFrom(...ids.map((id) => requestOf(id, valid[id]).target)),
      fc.webPath().map((path) => `/v1/accounts${path}`),
    ),
    headers: fc.constant({ "api-key": "k", "content-type": "application/json" }),
  });

  return { requests, strays };
}

// Faults

/**
 * Faults to draw from; a missing one does not compile. Latency and absent responses would only
 * take time.
 */
const effects: { readonly [Name in FaultName]: readonly fc.Arbitrary<Fault & { fault: Name }>[] } =
  {
    latency: [],
    never: [],
    response: [
      fc.record({
        fault: fc.constant("response"),
        status: fc.constantFrom(200, 418),
        body: fc.oneof(fc.constant({ count: "7" }), fc.constant("teapot"), fc.constant(null)),
        checked: fc.constant(false),
      }),
    ],
    status: [
      fc.record({
        fault: fc.constant("status"),
        // Not 500: that would be a fault of the explorer itself.
        status: fc.constantFrom(400, 429, 502, 503, 599),
      }),
      fc.record({
        fault: fc.constant("status"),
        status: fc.constant(503),
        headers: fc.constant({ "x-fault": "yes" }),
      }),
    ],
    failure: [fc.record({ fault: fc.constant("failure"), message: fc.string({ minLength: 1 }) })],
    "rate-limit": [
      fc.record({ fault: fc.constant("rate-limit"), retryAfter: fc.integer({ min: 1, max: 60 }) }),
    ],
    "token-bucket": [
      fc.record({
        fault: fc.constant("token-bucket"),
        requests: fc.integer({ min: 1, max: 5 }),
        perMs: fc.constant(1000),
      }),
    ],
    "malformed-json": [fc.constant({ fault: "malformed-json" })],
    truncated: [
      fc.record({ fault: fc.constant("truncated"), keep: fc.constantFrom(0.001, 0.3, 0.9) }),
    ],
    "content-type": [fc.constant({ fault: "content-type", type: "text/plain" })],
    html: [fc.constant({ fault: "html" }), fc.constant({ fault: "html", status: 502 })],
    empty: [fc.constant({ fault: "empty" })],
    drip: [
      fc.record({
        fault: fc.constant("drip"),
        bytes: fc.integer({ min: 200, max: 900 }),
        everyMs: fc.constant(0),
      }),
    ],
    reset: [fc.constant({ fault: "reset" })],
    field: [
      fc.constant({ fault: "field", path: "data.*.value", value: null }),
      fc.constant({ fault: "field", path: "count" }),
    ],
    stale: [fc.record({ fault: fc.constant("stale"), blocks: fc.integer({ min: 1, max: 80 }) })],
    "pending-traces": [
      fc.record({ fault: fc.constant("pending-traces"), blocks: fc.integer({ min: 1, max: 80 }) }),
    ],
  };
const matches = fc.record(
  {
    operation: fc.subarray(ids, { minLength: 8 }),
    nth: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
    probability: fc.double({ min: 0.2, max: 1, noNaN: true }),
    times: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: [] },
);
export const faults: fc.Arbitrary<Fault> = fc
  .tuple(fc.oneof(...Object.values(effects).flat()), matches)
  .map(([effect, match]) => ({ ...match, ...effect }));
