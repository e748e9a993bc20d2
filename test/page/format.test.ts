// What the page writes: numbers, times, texts, images, code and requests.
import { describe, expect, test } from "vitest";
import { parseFault } from "../../mocks/faults/parse-fault.ts";
import { filesOf } from "../../mocks/inspect/source.ts";
import { highlight } from "../../mocks/page/code/highlight.ts";
import { faultKinds, faultOf } from "../../mocks/page/format/fault-form.ts";
import {
  ago,
  byteCount,
  exactAmount,
  exactTime,
  grouped,
  inputText,
  oneLine,
  share,
  shortAmount,
  shortHex,
} from "../../mocks/page/format/values.ts";
import { imageOf } from "../../mocks/page/views/collectibles.tsx";

describe("amounts", () => {
  test("are exact on demand, and otherwise cut but never rounded up", () => {
    expect(exactAmount(1_234_000_000_000_000_000_001n, 18)).toBe("1,234.000000000000000001");
    expect(shortAmount(1_999_999_999_999_999_999n, 18)).toBe("1.99999");
    expect(shortAmount(1n, 18)).toBe("<0.00001");
    expect(shortAmount(0n, 18)).toBe("0");
    expect(shortAmount(5n, null)).toBe("5");
    expect(shortAmount(2n ** 256n - 1n, 0)).toBe("1.1579…e77");
    expect(grouped(1_234_567n)).toBe("1,234,567");
    expect([1023, 1024].map(byteCount)).toEqual(["1023 bytes", "1.0 kB"]);
  });

  test("are a share of a whole", () => {
    expect([share(1, 8), share(5, 5), share(0, 0)]).toEqual(["12.5 %", "100 %", ""]);
    // Neither nothing nor the whole, unless it is.
    expect(share(15n, 10_000_000n)).toBe("0.00015 %");
    expect(share(9_959_985n, 10_000_000n)).toBe("99.6 %");
    expect([share(999_999n, 1_000_000n), share(0n, 7n)]).toEqual(["99.99 %", "0 %"]);
    expect(share(1n, 2n ** 255n)).toBe("<0.00001 %");
  });

  test("hexadecimal keeps its ends", () => {
    expect(shortHex("0x5fbdb2315678afecb367f032d93f642f64180aa3")).toBe("0x5fbdb2…180aa3");
    expect(shortHex("0x1234")).toBe("0x1234");
  });
});

test("times tell how long ago, and the time in UTC", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  const before = (seconds: number) => ago(new Date(now - seconds * 1000), now);
  const times = [0, -9, 40, 3600, 6000, 86_400 * 1.9, 86_400 * 700].map(before);
  expect(times).toEqual(["now", "now", "40s ago", "1h ago", "1h ago", "1d ago", "1y ago"]);
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
  // Stacks of combining marks would cover the rows around them; accents stay.
  expect(oneLine(`Z\u0301${"\u0336".repeat(50)}algo`, 10)).toBe("Z\u0301\u0336\u0336algo");
});

describe("the image of a token", () => {
  const json = (value: unknown) => `data:application/json;base64,${btoa(JSON.stringify(value))}`;

  test("is in its URI, or in the metadata there", () => {
    expect(imageOf("data:image/png;base64,AAAA")).toBe("data:image/png;base64,AAAA");
    expect(imageOf(json({ image: "data:image/svg+xml,x" }))).toBe("data:image/svg+xml,x");
  });

  test.for([
    "",
    "ipfs://x",
    "https://evil.example/1.png",
    // A request to this service would stand in the journal of a test, and use up its faults.
    "/images/1.png",
    "http://127.0.0.1:1717/1.png",
    "javascript:alert(1)",
    "data:text/html,x",
    json({ image: "https://evil.example/1.png" }),
    json({ image: "/1.png" }),
    "data:application/json,nothing",
  ])("is none of %j", (uri) => {
    expect(imageOf(uri)).toBeUndefined();
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

  test("is one file, or the files of a compiler's input or of a build, its own first", () => {
    expect(filesOf("contract A {}", "A")).toEqual([{ name: "A.sol", text: "contract A {}" }]);
    const files = { "a.sol": { content: "A" }, "b.sol": { content: "B" } };
    const both = [
      { name: "a.sol", text: "A" },
      { name: "b.sol", text: "B" },
    ];
    expect(filesOf(JSON.stringify({ language: "Solidity", sources: files }), "A")).toEqual(both);
    expect(filesOf(`{${JSON.stringify({ sources: files })}}`, "A")).toEqual(both);
    expect(filesOf("{ broken", "A")).toEqual([{ name: "A.sol", text: "{ broken" }]);
    const joined = [
      ...["// File: @openzeppelin/Own.sol", "", "contract Own {}"],
      ...["// File: src/Base.sol", "", "contract Base {}"],
      ...["// File: src/Till.sol", "", "contract Till is Base {}"],
    ];
    expect(filesOf(joined.join("\n"), "Till").map(({ name }) => name)).toEqual([
      ...["src/Till.sol", "src/Base.sol", "@openzeppelin/Own.sol"],
    ]);
  });
});

test("the form of each fault, as it is filled at first, means a valid fault", () => {
  for (const [name, { fields }] of Object.entries(faultKinds)) {
    const initial = new Map(fields.map((field) => [field.name, field.value ?? ""]));
    const fault = faultOf(name as keyof typeof faultKinds, [], (field) => initial.get(field) ?? "");
    expect(parseFault(fault)).toMatchObject({ fault: name });
  }
  expect(() => faultOf("field", [], () => "{")).toThrow("expected JSON");
});
