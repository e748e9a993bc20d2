// Bodies that a hostile or broken server may send: a typed error each, in time, and a client that still works.
import { getEventListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { readBody, readBodyExcerpt } from "../../src/http/body.ts";
import type { FetchResponse } from "../../src/http/fetch.ts";
import { ConnectionError, ResponseValidationError } from "../../src/index.ts";
import { ADDRESS, as, clientOf, gate, serve, supply, thrown } from "./server.ts";

const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const bodies: [string, string | Uint8Array, Readonly<Record<string, string>>?][] = [
  ["nothing", ""],
  ["a page of HTML", "<!doctype html><title>Hello</title>", { "content-type": "text/html" }],
  ["half of the JSON", '{"status":"200","message":"succ'],
  ["no object", '"success"'],
  ["null", "null"],
  ["an envelope without results", '{"status":"200","message":"success"}'],
  ["a deep nest", `{"status":"200","message":"success","results":{"data":${deep(100_000)}}}`],
  [
    "a prototype",
    '{"status":"200","message":"success","results":{"data":{"total_supply":"7","x":{"__proto__":{"polluted":true}}}}}',
  ],
  [
    "an escaped prototype",
    '{"\\u005f_proto__":{"status":"200"},"status":"200","message":"success"}',
  ],
  ["invalid UTF-8", Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
  ["text of 10 MB where digits belong", JSON.stringify(supply("9".repeat(10_000_000)))],
];

describe("a body of", () => {
  test.each(bodies)("%s is a ResponseValidationError", async (_, body, headers) => {
    const server = await serve((_asked, response) => {
      response.writeHead(200, { "content-type": "application/json", ...headers });
      response.end(body);
    });
    const error = await thrown(clientOf(server).tokens.totalSupply(ADDRESS));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error.message.length).toBeLessThan(2000);
    expect(JSON.stringify(error).length).toBeLessThan(10_000);
    expect(server.asked).toHaveLength(1);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("broken chunks is a ConnectionError", async () => {
    const server = await serve((_, response) => {
      response.socket?.write(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n{}",
      );
      response.socket?.end();
    });
    await expect(clientOf(server, { retry: 0 }).tokens.totalSupply(ADDRESS)).rejects.toBeInstanceOf(
      ConnectionError,
    );
  });
});

describe("an error whose body", () => {
  test.each([
    [600, 300],
    [60_000, 1000],
  ])("never ends, with %i ms left, is read for %i ms", async (left, read) => {
    vi.useFakeTimers();
    const ended = vi.fn();
    const endless = new Response(
      new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode("busy")) }),
    );
    const excerpt = readBodyExcerpt(endless, left, new AbortController().signal).then(ended);
    await vi.advanceTimersByTimeAsync(read - 1);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await excerpt;
    expect(ended).toHaveBeenCalledWith({ text: "busy", bytes: 4 });
  });
});

/** Bodies of these chunks, and how they are ended early; whether they end by themselves. */
const streams = {
  "the web": (chunks: readonly Uint8Array[], ends = true) => {
    const cancel = vi.fn();
    const rest = [...chunks];
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const chunk = rest.shift();
      if (chunk) controller.enqueue(chunk);
      else if (ends) controller.close();
    };
    const body = new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
    return { body, end: cancel };
  },
  Node: (chunks: readonly Uint8Array[], ends = true) => {
    const { opened: destroyed, open } = gate();
    const destroy = vi.fn(open);
    const body = {
      destroy,
      async *[Symbol.asyncIterator]() {
        yield* chunks;
        if (!ends) await destroyed;
      },
    };
    return { body, end: destroy };
  },
};

describe.each(Object.entries(streams))("a stream of %s", (_, streamOf) => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const response = (body: object | null, headers: Record<string, string> = {}): FetchResponse =>
    as({ status: 200, headers: new Headers(headers), body, text: () => thrown(Promise.resolve()) });
  const read = async (chunks: readonly Uint8Array[], maxBytes: number, length?: string) => {
    const { body, end } = streamOf(chunks);
    const { signal } = new AbortController();
    const headers = length === undefined ? {} : { "content-length": length };
    const outcome = await readBody(response(body, headers), maxBytes, signal).catch(
      ({ message }: Error) => message,
    );
    expect(getEventListeners(signal, "abort")).toEqual([]);
    return { outcome, ended: end.mock.calls.length > 0 };
  };

  test("is read in chunks that part a character, to its last byte", async () => {
    const euro = bytes("1€");
    const parts = [euro.subarray(0, 2), euro.subarray(2)];
    expect(await read(parts, 4, "4")).toEqual({ outcome: { text: "1€", bytes: 4 }, ended: false });
    const { outcome } = await read([euro.subarray(0, 2)], 4);
    expect(outcome).toBe("the body is not valid UTF-8");
  });

  test("is ended if it is too long, or says so", async () => {
    const tooLong = "the body is longer than 3 bytes (maxResponseBytes)";
    expect(await read([bytes("12"), bytes("34")], 3)).toEqual({ outcome: tooLong, ended: true });
    expect(await read([bytes("12")], 3, "4")).toEqual({ outcome: tooLong, ended: true });
  });

  test("is ended with the signal", async () => {
    const { body, end } = streamOf([bytes("12")], false);
    const abort = new AbortController();
    const text = readBody(response(body), 9, abort.signal);
    await new Promise(setImmediate);
    expect(end).not.toHaveBeenCalled();
    abort.abort("gone");
    await text;
    expect(end).toHaveBeenCalledOnce();
    if (body instanceof ReadableStream) expect(end).toHaveBeenCalledWith("gone");
  });

  test("of an error is read to 65,536 characters, even if they are not UTF-8, and ended", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const excerptOf = async (chunks: readonly Uint8Array[]) => {
      const { body, end } = streamOf(chunks);
      const { signal } = new AbortController();
      const { text } = await readBodyExcerpt(response(body), 1000, signal);
      expect([getEventListeners(signal, "abort").length, vi.getTimerCount()]).toEqual([0, 0]);
      return { text, ended: end.mock.calls.length > 0 };
    };
    const half = bytes("x".repeat(32_768));
    expect(await excerptOf([half, half, half])).toEqual({ text: "x".repeat(65_536), ended: true });
    expect(await excerptOf([half, bytes("y"), half])).toEqual({
      text: `${"x".repeat(32_768)}y${"x".repeat(32_767)}`,
      ended: true,
    });
    expect(await excerptOf([Uint8Array.of(0x61, 0xff)])).toEqual({ text: "a\ufffd", ended: false });
  });
});
