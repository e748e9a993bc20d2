// What the page writes: numbers, times, texts, images, code and requests.
import { describe, expect, test } from "vitest";
import { parseFault } from "../../mocks/faults/parse-fault.ts";
import { createExplorer } from "../../mocks/index.ts";
import { clientCodeOf, merged } from "../../mocks/page/code/request-code.ts";
import { filesOf, highlight } from "../../mocks/page/code/sources.ts";
import { faultKinds, faultOf } from "../../mocks/page/format/fault-form.ts";
import { imageOf } from "../../mocks/page/format/token-image.ts";
import {
  ago,
  exactAmount,
  exactTime,
  grouped,
  inputText,
  oneLine,
  share,
  shortAmount,
  shortHex,
} from "../../mocks/page/format/values.ts";
import { ExplorerClient } from "../../src/index.ts";

describe("amounts", () => {
  test("are exact on demand, and otherwise cut but never rounded up", () => {
    expect(exactAmount(1_234_000_000_000_000_000_001n, 18)).toBe("1,234.000000000000000001");
    expect(shortAmount(1_999_999_999_999_999_999n, 18)).toBe("1.99999");
    expect(shortAmount(1n, 18)).toBe("<0.00001");
    expect(shortAmount(0n, 18)).toBe("0");
    expect(shortAmount(5n, null)).toBe("5");
    expect(shortAmount(2n ** 256n - 1n, 0)).toBe("1.1579…e77");
    expect(grouped(1_234_567n)).toBe("1,234,567");
  });

  test("are a share of a whole", () => {
    expect([share(1, 8), share(5, 5), share(0, 0)]).toEqual(["12.5 %", "100.0 %", ""]);
  });

  test("hexadecimal keeps its ends", () => {
    expect(shortHex("0x5fbdb2315678afecb367f032d93f642f64180aa3")).toBe("0x5fbdb2…180aa3");
    expect(shortHex("0x1234")).toBe("0x1234");
  });
});

test("times tell how long ago, and the time in UTC", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  const before = (seconds: number) => ago(new Date(now - seconds * 1000), now);
  expect([before(0), before(-9), before(40), before(3600), before(86_400 * 400)]).toEqual([
    "now",
    "now",
    "40s ago",
    "1h ago",
    "1y ago",
  ]);
  expect(exactTime(new Date(now))).toBe("2026-03-01 12:00:00 UTC");
});

test("data that is a text can be read, and no other data", () => {
  const hex = (text: string) => `0x${Buffer.from(text).toString("hex")}`;
  for (const text of ["hello", "Größe: 5 €\n", "家 🏠"]) expect(inputText(hex(text))).toBe(text);
  for (const data of [
    "0x",
    "0xff",
    "0x00",
    hex("a\u0000b"),
    hex("12 34"),
    hex("a\u202eb"),
    "0xa9059cbb",
  ])
    expect(inputText(data)).toBeUndefined();
  expect(inputText(hex("ä".repeat(5000)))).toBe("ä".repeat(1000));
});

test("a text from the chain is one line of whole characters, without what controls", () => {
  expect(oneLine("a\u202eb\nc", 60)).toBe("a\ufffdb\ufffdc");
  expect(oneLine("🎂".repeat(9), 4)).toBe("🎂🎂🎂…");
  const family = "\u{1f469}\u200d\u{1f469}\u200d\u{1f467}";
  expect(oneLine(`${family} ${family}`, 9)).toBe(`${family} ${family}`);
  expect(oneLine(family.repeat(9), 3)).toMatch(new RegExp(`^${family}(…|${family})`, "u"));
  const rainbow = "\u{1f3f3}\ufe0f\u200d\u{1f308}";
  expect(oneLine(rainbow, 4)).toBe(rainbow);
  expect(oneLine("a\u200db\u200d", 4)).toBe("a\ufffdb\ufffd");
  expect(oneLine("x".repeat(100_000), 10)).toBe(`${"x".repeat(9)}…`);
});

describe("the image of a token", () => {
  const origin = "http://127.0.0.1:1717";
  const image = (uri: string) => imageOf(uri, origin);
  const json = (value: unknown) => `data:application/json;base64,${btoa(JSON.stringify(value))}`;

  test("is in its URI, in the metadata there, or on this origin", () => {
    expect(image("data:image/png;base64,AAAA")).toBe("data:image/png;base64,AAAA");
    expect(image(json({ image: "data:image/svg+xml,x" }))).toBe("data:image/svg+xml,x");
    expect(image("/images/1.png")).toBe("/images/1.png");
    expect(image(`${origin}/1.png`)).toBe(`${origin}/1.png`);
  });

  test.for([
    "",
    "ipfs://x",
    "https://evil.example/1.png",
    "//evil.example/1.png",
    "/\\evil.example/1.png",
    "javascript:alert(1)",
    "data:text/html,x",
    "/v1/accounts/balance",
    "/admin/journal",
    json({ image: "https://evil.example/1.png" }),
    "data:application/json,nothing",
  ])("is none of %j", (uri) => {
    expect(image(uri)).toBeUndefined();
  });
});

describe("a source", () => {
  test("is coloured without losing a character", () => {
    const source =
      'contract A { // "no string"\n string s = "x // no comment"; uint256 n = 0x10; }';
    const tokens = highlight(source);
    expect(tokens.map(({ text }) => text).join("")).toBe(source);
    expect(tokens.filter(({ kind }) => kind === "comment").map(({ text }) => text)).toEqual([
      '// "no string"',
    ]);
    expect(tokens.filter(({ kind }) => kind === "string").map(({ text }) => text)).toEqual([
      '"x // no comment"',
    ]);
  });

  test("is one file, or the files of a compiler's input", () => {
    expect(filesOf("contract A {}", "A.sol")).toEqual([{ name: "A.sol", text: "contract A {}" }]);
    const files = { "a.sol": { content: "A" }, "b.sol": { content: "B" } };
    const both = [
      { name: "a.sol", text: "A" },
      { name: "b.sol", text: "B" },
    ];
    expect(filesOf(JSON.stringify({ language: "Solidity", sources: files }), "A")).toEqual(both);
    expect(filesOf(`{${JSON.stringify({ sources: files })}}`, "A")).toEqual(both);
    expect(filesOf("{ broken", "A")).toEqual([{ name: "A", text: "{ broken" }]);
  });
});

describe("a request of the journal", () => {
  const address = "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65";
  const mock = createExplorer();
  const explorer = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "k", fetch: mock.fetch });

  test("is code that sends the same request again", async () => {
    await explorer.accounts.transactions(address, { limit: 3, condition: "from" });
    await explorer.accounts.balances([address]);
    await explorer.blocks.get(0n);
    await explorer.eventLogs.list({ address, startBlock: 0n });
    const sent = [...mock.journal.entries];
    const codes = sent.map((entry) => clientCodeOf(JSON.parse(JSON.stringify(entry, asJson))));
    expect(codes).toEqual([
      `await explorer.accounts.transactions("${address}", { limit: 3, condition: "from" });`,
      `await explorer.accounts.balances(["${address}"]);`,
      "await explorer.blocks.get(0n);",
      `await explorer.eventLogs.list({ address: "${address}", startBlock: "0" });`,
    ]);
    for (const code of codes)
      await new Function("explorer", `return (async () => { ${code} })()`)(explorer);
    const again = mock.journal.entries.slice(sent.length);
    expect(again.map(({ target }) => target)).toEqual(sent.map(({ target }) => target));
  });

  const asJson = (_: string, value: unknown) => (typeof value === "bigint" ? `${value}` : value);
});

test("the journal on the page keeps its newest requests, each as it was last", () => {
  const entry = (number: number, status: number) => ({
    ...{ number, status, method: "GET", target: "/", notes: [], faults: [] },
    ...{ at: 0, duration: 0 },
  });
  const known = [entry(1, 200), entry(2, 0)];
  const numbers = merged(known, [entry(3, 0), entry(2, 503)], 2).map(({ number, status }) => [
    number,
    status,
  ]);
  expect(numbers).toEqual([
    [2, 503],
    [3, 0],
  ]);
  expect(merged(known, [])).toBe(known);
});

test("the form of each fault, as it is filled at first, means a valid fault", () => {
  for (const [name, { fields }] of Object.entries(faultKinds)) {
    const initial = new Map(fields.map((field) => [field.name, field.initial ?? ""]));
    const fault = faultOf(name as keyof typeof faultKinds, [], (field) => initial.get(field) ?? "");
    expect(parseFault(fault)).toMatchObject({ fault: name });
  }
  expect(() => faultOf("field", [], () => "{")).toThrow("expected JSON");
});
