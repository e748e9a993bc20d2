// The api-key is nowhere but in the header it belongs to: not in errors, hooks, logs, printed or serialised objects.

import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { redactor } from "../../src/errors/find-key.ts";
import { presentable } from "../../src/errors/presentable.ts";
import { excerpt, sanitizeError } from "../../src/errors/redact.ts";
import { ADDRESS, clientOf, json, SENTINEL, serve, supply } from "../http/server.ts";

/** Every way a program might write a value down. */
function everyForm(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value !== "object" || value === null || seen.has(value)) return String(value);
  seen.add(value);
  const own = Object.getOwnPropertyNames(value).map((name) =>
    everyForm((value as Record<string, unknown>)[name], seen),
  );
  const error =
    value instanceof Error ? [value.message, value.stack, everyForm(value.cause, seen)] : [];
  const headers = value instanceof Headers ? [...value].flat() : [];
  return [
    inspect(value, { depth: 20, showHidden: true, getters: true }),
    JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${one}` : one)),
    ...own,
    ...error,
    ...headers,
  ].join("\n");
}
const secret = (value: unknown) => expect(everyForm(value)).not.toContain(SENTINEL);

test("the key is not in a client, however it is printed", async () => {
  const server = await serve((_, response) => json(response, supply("7")));
  for (const apiKey of [SENTINEL, () => SENTINEL, async () => SENTINEL]) {
    const client = clientOf(server, { apiKey });
    await client.tokens.totalSupply(ADDRESS);
    for (const one of [client, client.accounts, client.accounts.transactions(ADDRESS)]) secret(one);
  }
});

describe("a secret", () => {
  const redact = redactor('k-ABCDEF/12"');

  test("of three characters is none, one of four or more is", () => {
    expect(redactor("abc")("abc")).toBe("abc");
    expect(redactor("abcd")("abc abcde")).toBe("abc [api-key]e");
    // Nothing is left of it where it is decoded twice.
    expect(redactor("%00%00")("hello")).toBe("hello");
  });

  test("is removed where an excerpt is cut, which is one line without control codes", () => {
    expect(excerpt(" a\u001b\u0000b\nc\u200d ", redact)).toBe("a b c");
    expect(excerpt("x".repeat(200), redact)).toBe("x".repeat(200));
    expect(excerpt("x".repeat(201), redact)).toBe(`${"x".repeat(200)}…`);
    expect(excerpt("abcdef", redact, 5)).toBe("abcde…");
    expect(excerpt(`xxx${"k-ABCDEF"}`, redact, 5)).toBe("xxx[a…");
    expect(excerpt(`     ${"y".repeat(40)}`, redact, 4)).toBe("yyyy…");
    expect(excerpt(`                ${"y".repeat(40)}`, redact, 4)).toBe("");
  });

  test("is removed from a thrown value, of which name, message, code and causes stay", () => {
    const error = (cause?: unknown, code: unknown = "E_K-ABCDEF") =>
      Object.assign(new Error("by k-ABCDEF", { cause }), {
        ...{ code, name: "k-ABCDEFError", request: "k-ABCDEF" },
      });
    const clean = sanitizeError(error(), redact);
    expect({ ...clean }).toEqual({ code: "E_[api-key]" });
    expect([clean.name, clean.message]).toEqual(["[api-key]Error", "by [api-key]"]);
    expect(clean.stack).toBe("[api-key]Error: by [api-key]");
    expect("cause" in clean).toBe(false);
    expect({ ...sanitizeError(error(undefined, 5), redact) }).toEqual({});
    expect({ ...sanitizeError(new Error("x"), redact) }).toEqual({});
    expect(sanitizeError("k-ABCDEF", redact)).toMatchObject({
      message: "[api-key]",
      name: "Error",
    });
    expect("cause" in sanitizeError(error({ message: "k-ABCDEF" }), redact)).toBe(false);
    expect(sanitizeError(new Error("x".repeat(600)), redact).message).toHaveLength(501);
    let depth = 0;
    let cause: unknown = sanitizeError(error(error(error(error(error())))), redact);
    for (; cause instanceof Error; cause = cause.cause) depth++;
    expect(depth).toBe(4);
  });

  test("is removed from an error of another realm, as of jest, which keeps its causes", () => {
    const thrown = runInNewContext(
      'new TypeError("fetch failed", { cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }) })',
    );
    expect(sanitizeError(thrown, redact)).toMatchObject({
      name: "TypeError",
      message: "fetch failed",
      cause: { message: "refused", code: "ECONNREFUSED" },
    });
  });

  test("hides the received value that holds it, and so do values too large to look through", () => {
    const shown = (value: unknown) => presentable(value, redact);
    for (const value of [
      "text",
      5,
      true,
      null,
      undefined,
      7n,
      { a: [1, null] },
      [],
      Array(99).fill(1),
    ])
      expect(shown(value)).toEqual(value);
    expect(shown("k-ABCDEF")).toBe("[api-key]");
    expect(shown("x".repeat(501))).toBe(`${"x".repeat(500)}…`);
    expect(presentable(12345678.5, redactor("12345678"))).toBe("[api-key]");
    expect(shown({ a: [{ b: "k-ABCDEF" }] })).toBe("[an object, omitted]");
    expect(shown(["k-ABCDEF"])).toBe("[an array of 1, omitted]");
    expect(shown({ a: Array(99).fill(1) })).toBe("[an object, omitted]");
    expect(shown(["x".repeat(1996)])).toEqual(["x".repeat(1996)]);
    expect(shown(["x".repeat(1997)])).toBe("[an array of 1, omitted]");
  });
});
