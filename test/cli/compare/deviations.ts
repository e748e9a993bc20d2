// Explorers that depart from the specification in one thing each: our own service behind a fetch that asks or answers otherwise.
import type { Explorer } from "../../../mocks/node.ts";
import { type AnyOperation, type OperationId, operations } from "../../../src/contract/index.ts";

type Json = Record<string, unknown>;
type Records = Json[];

/** A request to an operation, and what the service answered. */
export interface Exchange {
  readonly id: OperationId | undefined;
  readonly query: URLSearchParams;
  readonly key: string | null;
  status: number;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON there is.
  json: any;
}

/** One thing that an explorer does otherwise. */
export interface Deviation {
  /** Changes what is asked. */
  readonly ask?: (url: URL, id: OperationId | undefined) => void;
  /** Changes the answer. */
  readonly answer?: (exchange: Exchange) => void;
  /** What is to be found: rule and field, whatever the operation. */
  readonly shows: readonly string[];
}

const patterns = (Object.values(operations) as AnyOperation[]).map(({ id, method, path }) => ({
  id: id as OperationId,
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
}));

const idOf = (method: string, path: string) =>
  patterns.find((one) => one.method === method && one.pattern.test(path))?.id;

/** A fetch to a service that departs. */
export const departing =
  (mock: Explorer, { ask, answer }: Deviation): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const id = idOf(request.method, url.pathname);
    const query = new URLSearchParams(url.searchParams);
    ask?.(url, id);
    const { method, headers } = request;
    const body = method === "POST" ? await request.text() : undefined;
    const response = await mock.fetch(url.href, { method, headers, ...(body ? { body } : {}) });
    const exchange: Exchange = {
      ...{ id, query, key: headers.get("api-key"), status: response.status },
      type: response.headers.get("content-type") ?? "",
      json: JSON.parse(await response.text()),
    };
    answer?.(exchange);
    const added = new Headers(response.headers);
    added.set("content-type", exchange.type);
    return new Response(JSON.stringify(exchange.json), {
      status: exchange.status,
      headers: added,
    });
  };

/** Changes each page of records, with its count. */
const pages =
  (change: (data: Records, page: Json, exchange: Exchange) => Records) => (exchange: Exchange) => {
    const { results } = exchange.json ?? {};
    if (exchange.status === 200 && Array.isArray(results?.data))
      results.data = change(results.data, results, exchange);
  };

const each = (change: (record: Json) => void) =>
  pages((data) => {
    for (const record of data) change(record);
    return data;
  });

const shift = (url: URL, name: string, by: number) => {
  const value = url.searchParams.get(name);
  if (value !== null && /^\d+$/.test(value)) url.searchParams.set(name, `${Number(value) + by}`);
};

const cap = (url: URL, most: number) => {
  if (Number(url.searchParams.get("limit")) > most && Number(url.searchParams.get("limit")) <= 1000)
    url.searchParams.set("limit", `${most}`);
};

/** The list of an operation in another order: asked for whole, and cut into pages again. */
const reordered = (
  of: OperationId,
  sorted: (records: Records) => Records,
): Omit<Deviation, "shows"> => ({
  ask(url, id) {
    const [limit = "50", ...more] = url.searchParams.getAll("limit");
    const { offset = "0" } = Object.fromEntries(url.searchParams);
    const isValid = [limit, offset].every((text) => /^\d+$/.test(text)) && more.length === 0;
    if (id !== of || !isValid || Number(limit) < 1 || Number(limit) > 1000) return;
    url.searchParams.set("offset", "0");
    url.searchParams.set("limit", "1000");
  },
  answer: pages((data, _, { id, query }) => {
    const [limit, offset] = [query.get("limit") ?? 50, query.get("offset") ?? 0].map(Number);
    return id === of ? sorted(data).slice(offset, Number(offset) + Number(limit)) : data;
  }),
});

export const deviations: Readonly<Record<string, Deviation>> = {
  "oldest first": {
    ...reordered("A2", (data) => data.toReversed()),
    shows: ["S4 order"],
  },
  "logs of a transaction oldest first": {
    ...reordered("L1", (data) => {
      const place = ({ transaction_hash }: Json) =>
        data.findIndex((log) => log.transaction_hash === transaction_hash);
      return data.toSorted(
        (one, other) =>
          place(one) - place(other) || Number(one.log_index) - Number(other.log_index),
      );
    }),
    shows: ["S4 order"],
  },
  // As of a development node, which mines many blocks in a second.
  "logs of one second": {
    answer: pages((data, _, { id }) =>
      id === "L1" ? data.map((log) => ({ ...log, timestamp: "2026-11-26T00:00:00Z" })) : data,
    ),
    shows: [],
  },
  "count of the page": {
    answer: pages((data, page) => {
      if ("count" in page) page.count = `${data.length}`;
      return data;
    }),
    shows: ["S3 count"],
  },
  "pages of at most 100": { ask: (url) => cap(url, 100), shows: ["specified longest page"] },
  "a default limit of 10": {
    ask: (url, id) => {
      if (id && operations[id].list && !url.searchParams.has("limit"))
        url.searchParams.set("limit", "10");
    },
    shows: ["specified length at limit 50"],
  },
  "an empty string for null": {
    answer: each((record) => {
      if (record.contract_address === null) record.contract_address = "";
    }),
    shows: ["specified data[].contract_address"],
  },
  "numbers for strings": {
    answer: each((record) => {
      if ("transaction_index" in record)
        record.transaction_index = Number(record.transaction_index);
    }),
    shows: ["specified data[].transaction_index"],
  },
  "404 for an empty list": {
    answer: (exchange) => {
      const { results } = exchange.json;
      if (exchange.id !== "C1" && Array.isArray(results?.data) && results.data.length === 0)
        Object.assign(exchange, {
          status: 404,
          json: { status: "404", message: "nothing found", results: null },
        });
    },
    shows: [
      "S6 HTTP status of an empty list",
      "specified HTTP status",
      "specified HTTP status of an empty list",
    ],
  },
  "another envelope of errors": {
    answer: (exchange) => {
      if (exchange.status >= 400) exchange.json = { error: exchange.json.message };
    },
    shows: ["S1 envelope of errors"],
  },
  "errors with status 200": {
    answer: (exchange) => {
      if (exchange.status >= 400) exchange.status = 200;
    },
    shows: [
      "S1 HTTP status",
      "S20 HTTP status",
      "S21 HTTP status",
      "S29 HTTP status",
      "S5 HTTP status",
      "S7 HTTP status",
    ],
  },
  "an exclusive endBlock": { ask: (url) => shift(url, "endBlock", -1), shows: ["S5 endBlock"] },
  "an exclusive startBlock": {
    ask: (url) => shift(url, "startBlock", 1),
    shows: ["S5 startBlock"],
  },
  "no ranges of blocks": {
    ask: (url) => {
      url.searchParams.delete("startBlock");
      url.searchParams.delete("endBlock");
    },
    shows: ["S5 HTTP status", "S5 endBlock", "S5 startBlock", "specified beyond the head"],
  },
  "a missing field": {
    answer: each((record) => {
      delete record.block_hash;
    }),
    shows: ["specified data[].block_hash"],
  },
  "a field too many": {
    answer: each((record) => {
      if ("tx_status" in record) record.nonce = "7";
    }),
    shows: ["specified data[].nonce"],
  },
  "times with milliseconds and an offset": {
    answer: each((record) => {
      if (typeof record.timestamp === "string")
        record.timestamp = record.timestamp.replace("Z", ".000+00:00");
    }),
    shows: ["specified data[].timestamp"],
  },
  "offset as the number of a page": {
    ask: (url) => {
      const offset = Number(url.searchParams.get("offset") ?? 0);
      const limit = Number(url.searchParams.get("limit") ?? 50);
      if (offset > 0) url.searchParams.set("offset", `${offset * limit}`);
    },
    shows: ["specified mrc_20.offset", "specified mrc_721.offset", "specified offset"],
  },
  "no offset": {
    ask: (url) => url.searchParams.delete("offset"),
    shows: [
      "S5 HTTP status",
      "specified beyond the end",
      "specified longest page",
      "specified mrc_20.beyond the end",
      "specified mrc_20.offset",
      "specified mrc_721.beyond the end",
      "specified mrc_721.offset",
      "specified offset",
    ],
  },
  "limits beyond the largest": {
    ask: (url) => {
      if (Number(url.searchParams.get("limit")) > 1000) url.searchParams.set("limit", "1000");
    },
    shows: ["S5 HTTP status"],
  },
  "no keys": {
    answer: (exchange) => {
      if (exchange.status === 401)
        Object.assign(exchange, {
          status: 200,
          json: { status: "200", message: "success", results: {} },
        });
    },
    shows: ["S1 HTTP status"],
  },
  "404 for a contract that is not verified": {
    answer: (exchange) => {
      if (/not yet verified/.test(exchange.json.message ?? "")) exchange.status = 404;
    },
    shows: ["S2 HTTP status"],
  },
  "an envelope around A6": {
    answer: (exchange) => {
      if (exchange.id === "A6" && exchange.status === 200)
        exchange.json = { status: "200", message: "success", results: exchange.json };
    },
    shows: ["specified envelope"],
  },
  "balances sorted by address": {
    answer: pages((data, _, { id }) =>
      id === "A1"
        ? data.toSorted((one, other) => (`${one.address}` < `${other.address}` ? -1 : 1))
        : data,
    ),
    shows: ["S7 entries"],
  },
  "JSON as text/plain": {
    answer: (exchange) => {
      exchange.type = "text/plain";
    },
    shows: ["specified content type"],
  },
  "confirmations that lag": {
    answer: each((record) => {
      if ("confirmations" in record) record.confirmations = "0";
    }),
    shows: ["S13 confirmations"],
  },
  "in no order": {
    ...reordered("A2", (data) =>
      data.toSorted((one, other) => (`${one.block_hash}` < `${other.block_hash}` ? -1 : 1)),
    ),
    shows: ["S4 order"],
  },
  "tokens from the end of their list": {
    ...reordered("A7", (data) => data.toReversed()),
    shows: ["S4 order"],
  },
  "the input unasked": {
    ask: (url, id) => {
      if (id === "A3" && !/^(maybe|True)$/.test(url.searchParams.get("input") ?? ""))
        url.searchParams.set("input", "true");
    },
    shows: ["S8 field input, unasked"],
  },
  "no filter by condition": {
    ask: (url) => {
      if (/^(from|to)$/.test(url.searchParams.get("condition") ?? ""))
        url.searchParams.delete("condition");
    },
    shows: ["S9 condition=from", "S9 condition=to"],
  },
  "balances without duplicates, as requested": {
    answer: pages((data, _, { id }) =>
      id === "A1"
        ? data.filter(
            ({ address }, index) => data.findIndex((one) => one.address === address) === index,
          )
        : data,
    ),
    shows: ["S7 entries"],
  },
  "a page of HTML for unknown paths": {
    answer: (exchange) => {
      if (exchange.status === 404 && exchange.id === undefined)
        Object.assign(exchange, { json: "<h1>Not Found</h1>", type: "text/html" });
    },
    shows: ["S1 envelope of errors"],
  },
  "malformed addresses as unknown ones": {
    ask: (url) => {
      url.pathname = url.pathname.replace("/0x123/", `/0x${"0".repeat(37)}123/`);
    },
    shows: ["S1 HTTP status"],
  },
  "a reward without its fees": {
    answer: ({ id, json }) => {
      if (id === "B1" && json.results) json.results.data.fees = "1";
    },
    shows: ["S14 reward"],
  },
  "another envelope of successes": {
    answer: (exchange) => {
      if (exchange.json.message === "success")
        Object.assign(exchange.json, { message: "OK", took: 3 });
    },
    shows: ["specified envelope"],
  },
  "nobody with tokens of both kinds": {
    answer: pages((data, page, { id }) => {
      if (id !== "A8") return data;
      page.count = "0";
      return [];
    }),
    shows: ["specified answer"],
  },
};

const ofRejection = (change: (exchange: Exchange) => void) => (exchange: Exchange) => {
  if (exchange.id === "C3" && exchange.json.results?.data === "0") change(exchange);
};

/** What is shown by submissions alone. */
export const submissionDeviations: Readonly<Record<string, Deviation>> = {
  "400 for a source that differs": {
    answer: ofRejection((exchange) => {
      exchange.status = 400;
    }),
    shows: ["S18 HTTP status"],
  },
  "a verdict as a boolean": {
    answer: ofRejection(({ json }) => {
      json.results.data = false;
    }),
    shows: ["S18 results.data"],
  },
  "a refusal without a reason": {
    answer: ofRejection(({ json }) => {
      json.message = "success";
    }),
    shows: ["S18 message"],
  },
  "403 for a missing key": {
    answer: (exchange) => {
      if (exchange.id === "C3" && exchange.status === 401)
        Object.assign(exchange, { status: 403, json: { ...exchange.json, status: "403" } });
    },
    shows: ["S1 HTTP status"],
  },
  "500 for an unknown contract": {
    answer: (exchange) => {
      if (exchange.id === "C3" && exchange.status === 404)
        Object.assign(exchange, { status: 500, json: { ...exchange.json, status: "500" } });
    },
    shows: ["S1 HTTP status"],
  },
};
