// The law of secrecy: whatever the key and whatever a server says, no eight characters of the key in a row are told anywhere.
import { inspect } from "node:util";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { ExplorerClient } from "../../src/index.ts";
import { ADDRESS } from "../http/server.ts";
import { runs } from "../support/runs.ts";

/** The parts of a key that no output may contain. */
const partsOf = (key: string): string[] =>
  Array.from({ length: key.length - 7 }, (_, start) => key.slice(start, start + 8));

/** Every way a program might write an error down. */
function written(value: unknown): string {
  const causes: string[] = [];
  for (let one = value; one instanceof Error; one = one.cause)
    causes.push(one.name, one.message, one.stack ?? "", String((one as { code?: string }).code));
  const headers = value instanceof Error && "headers" in value ? value.headers : undefined;
  return [
    ...causes,
    inspect(value, { depth: 20, showHidden: true, getters: true }),
    JSON.stringify(value) ?? "",
    ...(headers instanceof Headers ? [...headers].flat() : []),
  ].join("\n");
}

/** Keys that a header can hold, with what URLs and JSON escape, and with digits only. */
const key = fc.oneof(
  fc.stringMatching(/^[!-~][ -~]{8,40}[!-~]$/),
  fc.stringMatching(/^[A-Za-z0-9_./+=-]{10,64}$/),
  fc.stringMatching(/^[a-f0-9/\\"'%&<>]{12,30}$/),
  fc.stringMatching(/^[1-9][0-9]{9,14}$/),
);

const hex = (text: string, width: number) =>
  (text.codePointAt(0) ?? 0).toString(16).padStart(width, "0");
const each = (change: (character: string) => string) => (text: string) =>
  Array.from(text, change).join("");

/** Ways to write a text that a reader undoes. */
const disguises: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => encodeURIComponent(text),
  (text) => encodeURIComponent(text).toLowerCase(),
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => text.replaceAll("/", "\\/"),
  each((character) => `%${hex(character, 2)}`),
  each((character) => `\\u${hex(character, 4)}`),
  each((character) => `${character}\u200b`),
  each((character) => `${character}\u2060\u00ad`),
  (text) => text.toUpperCase(),
  (text) => text.slice(3),
  (text) => text.slice(0, -2),
];

/** The key in disguise, at any place of a text, also where excerpts end. */
const telling = fc
  .record({
    key,
    disguise: fc.constantFrom(...disguises),
    before: fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.nat({ max: 900 }).map((n) => "x".repeat(n)),
    ),
    after: fc.string({ maxLength: 8 }),
    again: fc.boolean(),
  })
  .map(({ key, disguise, before, after, again }) => {
    const text = `${before}${disguise(key)}${after}`;
    return { key, text: again ? `${text}${text}` : text };
  });

const latin1 = (text: string) =>
  Array.from(text, (one) => ((one.codePointAt(0) ?? 0) < 256 && one >= " " ? one : "?")).join("");

/** A response that tells a text, in one place of it. */
type Place = (text: string, key: string) => Response | Error;

const places: readonly Place[] = [
  (text) => new Response(text, { status: 502 }),
  (text) => new Response(text),
  (text) => Response.json(text),
  (text) => Response.json({ status: text, message: "no" }, { status: 400 }),
  (text) => Response.json({ status: "400", message: text }, { status: 400 }),
  (text) => Response.json({ status: [text], message: text }),
  (text) => Response.json({ status: "200", message: text, results: {} }),
  (text) => Response.json({ status: "200", message: "success", results: text }),
  (text) => Response.json({ status: "200", message: "success", results: { data: text } }),
  (text) => Response.json({ status: "200", message: "success", results: { data: [text] } }),
  (text) =>
    Response.json({
      status: "200",
      message: "success",
      results: { data: { status: { [text]: [text] }, total_supply: text } },
    }),
  (_, key) =>
    Response.json({
      status: "200",
      message: "success",
      results: { data: { status: { a: 1 }, total_supply: Number(key.replace(/\D/g, "")) / 1.5 } },
    }),
  (text) => new Response("no", { status: 200, headers: { "content-type": latin1(text) || "a" } }),
  (text) => new Response("no", { status: 404, statusText: latin1(text) }),
  (text) => new Response("no", { status: 500, headers: { "x-echo": latin1(text) } }),
  (text) => new Response(null, { status: 302, headers: { location: latin1(text) } }),
  (text) =>
    new Response(null, {
      status: 302,
      headers: { location: `https://${encodeURIComponent(text)}@other.example/${latin1(text)}` },
    }),
  (text) => Object.assign(new Error(text), { code: text, name: text }),
  (text) =>
    new TypeError("fetch failed", { cause: Object.assign(new Error(text), { code: text }) }),
];

const failing = ["X1", "T1", "C3"] as const;

/** All that a program may see of a call that a server answers with this: errors, hooks and log lines. */
async function seen(
  apiKey: string,
  response: Response | Error,
  operation: (typeof failing)[number],
  lenient: boolean,
): Promise<string> {
  const told: string[] = [];
  const tell = (event: unknown) => void told.push(written(event));
  const client = new ExplorerClient({
    baseUrl: "https://e.test",
    apiKey,
    retry: { limit: 1, delay: () => 0, maxRetryAfter: 0 },
    validation: lenient ? "lenient" : "strict",
    hooks: {
      onRequest: tell,
      onResponse: tell,
      onRetry: tell,
      onError: tell,
      onValidationIssue: tell,
    },
    logger: { debug: tell, info: tell, warn: tell, error: tell },
    fetch: async () => {
      if (response instanceof Error) throw response;
      return response.clone();
    },
  });
  const calls = {
    T1: () => client.tokens.totalSupply(ADDRESS),
    X1: () => client.transactions.status(`0x${"ab".repeat(32)}`),
    C3: () =>
      client.contracts.verify(ADDRESS, {
        contract_name: "A",
        compiler: "v",
        runs_optimizer: 1,
        optimization_enabled: true,
        source: "",
      }),
  };
  await calls[operation]().then(() => {}, tell);
  return told.join("\n");
}

const answer = fc.tuple(fc.constantFrom(...places), fc.constantFrom(...failing), fc.boolean());

test("no part of the key is in an error, a hook or a log line, whatever the server says, wherever and however it says it", async () => {
  const complain = vi.spyOn(console, "error").mockImplementation(() => {});
  // What is written whatever the key: names in stack traces ("AsyncProperty.run"), types, fields. A key that shares a
  // part with them shows nothing.
  let always = "";
  await fc.assert(
    fc.asyncProperty(fc.constant("-".repeat(10)), async (key) => {
      for (const place of places)
        for (const operation of failing)
          for (const lenient of [true, false])
            always += await seen(key, place("", key), operation, lenient);
    }),
    { numRuns: 1 },
  );
  await fc.assert(
    fc.asyncProperty(telling, answer, async ({ key, text }, [place, operation, lenient]) => {
      fc.pre(!partsOf(key).some((part) => always.includes(part)));
      let response: Response | Error;
      try {
        response = place(text, key);
      } catch {
        // A text that no header can hold.
        return fc.pre(false);
      }
      const all = await seen(key, response, operation, lenient);
      for (const part of partsOf(key)) if (all.includes(part)) expect(all).not.toContain(part);
    }),
    {
      numRuns: runs(400),
      // It was drawn once, and is part of "AsyncProperty".
      examples: [[{ key: "!Property        !", text: "" }, [() => new Response(""), "X1", false]]],
    },
  );
  expect(complain).not.toHaveBeenCalled();
});
