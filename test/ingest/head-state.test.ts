// What a contract is, where its events alone do not show it: its answers decide.
import fc from "fast-check";
import { AbiParameters, Hex as OxHex } from "ox";
import { concat } from "ox/Hex";
import { describe, expect, test } from "vitest";
import type { Address, Hex } from "../../mocks/chain/records.ts";
import { decodeFlag, decodeNumber, decodeText, SELECTORS } from "../../mocks/ingest/head-state.ts";
import { parseChain } from "../../mocks/ingest/parse-chain.ts";
import { ALICE, blocksWith, hex, sent, TRANSFER } from "../nodes/shapes/shape.ts";

const TOKEN: Address = `0x${"70".repeat(20)}`;
const ZERO: Address = `0x${"00".repeat(20)}`;

const word = (value: bigint | Address): Hex => `0x${BigInt(value).toString(16).padStart(64, "0")}`;

/** One block in which the token emits Transfers, with these topics after the first, and this data. */
function emitting(...events: (readonly [topics: readonly Hex[], data: Hex])[]): object {
  const [, block] = blocksWith([
    sent("call", { transaction: { to: TOKEN }, trace: { to: TOKEN } }),
  ]);
  const logs = events.map(([topics, data], index) => ({
    ...{ address: TOKEN, logIndex: hex(index), topics: [TRANSFER, ...topics], data },
  }));
  return { ...block, receipts: [{ ...Object(block?.receipts)[0], logs }] };
}

/** A Transfer of 7 from nobody to Alice with nothing indexed, as an amount, and as an id. */
const BARE: readonly [Hex[], Hex] = [[], concat(word(ZERO), word(ALICE), word(7n))];
const AMOUNT: readonly [Hex[], Hex] = [[word(ZERO), word(ALICE)], word(7n)];
const ID: readonly [Hex[], Hex] = [[word(ZERO), word(ALICE), word(7n)], "0x"];

type Answer = { readonly result: Hex } | { readonly error: object };
const REVERTED: Answer = { error: { code: 3, message: "execution reverted" } };

function chainWith(...answers: (readonly [Hex, Answer])[]) {
  return chainOf(emitting(BARE), answers);
}

function chainOf(of: object, answers: readonly (readonly [Hex, Answer])[]) {
  const calls = answers.map(([data, answer]) => ({
    group: "any",
    method: "eth_call",
    params: [{ to: TOKEN, data }, "latest"],
    ...answer,
  }));
  const lines = [{ method: "eth_chainId", params: [], result: "0x5" }, ...calls];
  return parseChain({
    blocks: [JSON.stringify(of)],
    calls: lines.map((line) => JSON.stringify(line)),
  });
}

const SILENT = (["name", "symbol", "decimals", "totalSupply"] as const).map(
  (question) => [SELECTORS[question], REVERTED] as const,
);

const transfersOf = (chain: ReturnType<typeof chainOf>) =>
  (["mrc20", "mrc721"] as const).map((standard) => chain.transfers(ALICE, standard, {}).count);

describe("events that look like a token's", () => {
  test.each([
    ["amounts", AMOUNT],
    ["ids", ID],
  ])("make none of a contract that has no answer to a token's questions: %s", (_, event) => {
    const chain = chainOf(emitting(event), SILENT);
    expect(chain.token(TOKEN)).toBeUndefined();
    expect(chain.tokenBalance(TOKEN, ALICE)).toBe(0n);
    expect(chain.holdings(ALICE, "mrc20").count + chain.holdings(ALICE, "mrc721").count).toBe(0);
    expect(transfersOf(chain)).toEqual([0, 0]);
    expect(chain.logs({ address: TOKEN, topics: [], operand: "and" }).count).toBe(1);
  });

  test.each([
    ["a supply", SELECTORS.totalSupply, AMOUNT, "mrc20"],
    ["a balance", `${SELECTORS.balanceOf}${word(ALICE).slice(2)}`, AMOUNT, "mrc20"],
    ["the text of an id", `${SELECTORS.tokenURI}${word(7n).slice(2)}`, ID, "mrc721"],
  ] as const)("make one of a contract that answers %s", (_, question, event, standard) => {
    const chain = chainOf(emitting(event), [...SILENT, [question, { result: word(7n) }]]);
    expect(chain.token(TOKEN)).toMatchObject({ standard });
  });

  test("make one of a contract that was asked nothing", () => {
    expect(chainOf(emitting(AMOUNT), []).token(TOKEN)).toMatchObject({ standard: "mrc20" });
  });

  test("are transfers only in the form of the token's standard", () => {
    expect(transfersOf(chainOf(emitting(AMOUNT, ID), []))).toEqual([1, 0]);
    expect(transfersOf(chainOf(emitting(ID, AMOUNT), []))).toEqual([0, 1]);
  });
});

test("whoever says yes to any interface does not say it is a collection", () => {
  const supports = (id: string) =>
    [`${SELECTORS.supportsInterface}${id.padEnd(64, "0")}` as Hex, { result: word(1n) }] as const;
  const [mrc721, none] = [supports("80ac58cd"), supports("ffffffff")];
  expect(chainOf(emitting(AMOUNT), [mrc721]).token(TOKEN)?.standard).toBe("mrc721");
  const no = [mrc721[0], { result: word(0n) }] as const;
  for (const later of [none, no])
    expect(chainOf(emitting(AMOUNT), [mrc721, later]).token(TOKEN)?.standard).toBe("mrc20");
});

describe("a Transfer with nothing indexed", () => {
  test("moves an amount where the contract has decimals", () => {
    const chain = chainWith([SELECTORS.decimals, { result: word(2n) }]);
    expect(chain.token(TOKEN)).toMatchObject({ standard: "mrc20", decimals: 2, totalSupply: 7n });
    expect(chain.tokenBalance(TOKEN, ALICE)).toBe(7n);
  });

  test("moves one token where it has none", () => {
    const nobody = [`${SELECTORS.ownerOf}${word(7n).slice(2)}`, { result: word(ZERO) }] as const;
    const chain = chainWith([SELECTORS.decimals, REVERTED], nobody);
    expect(chain.token(TOKEN)).toMatchObject({ standard: "mrc721", totalSupply: 1n });
    expect(chain.nfts(TOKEN, ALICE).at(0)).toMatchObject({ tokenId: 7n, owner: ALICE, uri: "" });
  });

  test("moves one token where its texts were asked for, one by one", () => {
    const uri = AbiParameters.encode(AbiParameters.from("string"), ["ipfs://seven"]);
    const chain = chainWith(
      [SELECTORS.decimals, { result: word(0n) }],
      [`${SELECTORS.tokenURI}${word(7n).slice(2)}`, { result: uri }],
    );
    expect(chain.nfts(TOKEN).at(0)).toMatchObject({ tokenId: 7n, uri: "ipfs://seven" });
  });

  test("says nothing where the contract was asked nothing", () => {
    expect(chainWith().token(TOKEN)).toBeUndefined();
    expect(chainWith().transactions(TOKEN, "all", {}).count).toBe(1);
  });
});

test("answers win over events: a balance, a supply, a name", () => {
  const chain = chainWith(
    [SELECTORS.decimals, { result: word(255n) }],
    [SELECTORS.totalSupply, { result: word(1000n) }],
    [
      SELECTORS.name,
      { result: word(0x4d7972_0000000000000000000000000000000000000000000000000000000000n) },
    ],
    [SELECTORS.symbol, { result: "0x" }],
    [`${SELECTORS.balanceOf}${word(ALICE).slice(2)}`, { result: word(990n) }],
  );
  expect(chain.token(TOKEN)).toMatchObject({
    name: "Myr",
    symbol: null,
    decimals: 255,
    totalSupply: 1000n,
    holderCount: 1,
  });
  expect(chain.tokenBalance(TOKEN, ALICE)).toBe(990n);
});

test("decimals nobody can have are none", () => {
  const chain = chainWith(
    [SELECTORS.decimals, { result: word(256n) }],
    [SELECTORS.totalSupply, { result: word(1n) }],
  );
  expect(chain.token(TOKEN)?.decimals).toBeNull();
});

const anyBytes = fc.uint8Array({ maxLength: 200 }).map((bytes): Hex => OxHex.fromBytes(bytes));
// What UTF-8 can carry: no half of a surrogate pair.
const anyText = fc.string({ unit: "grapheme", maxLength: 100 });

describe("a text in a response", () => {
  test("comes back from an ABI string", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const answer = AbiParameters.encode(AbiParameters.from(["string"]), [text]);
        expect(decodeText(answer, 10_000)).toBe(text);
      }),
    );
  });

  test("comes back from a bytes32 padded with zeros, as the first tokens answered", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const bytes = new TextEncoder().encode(text);
        fc.pre(bytes.length <= 32 && !text.endsWith("\0"));
        expect(decodeText(OxHex.padRight(OxHex.fromBytes(bytes), 32), 10_000)).toBe(text);
      }),
    );
  });

  test("is nothing where the contract answered nothing, or half an answer", () => {
    const whole = AbiParameters.encode(AbiParameters.from(["string"]), [
      "a text that is longer than a word",
    ]);
    expect(decodeText("0x", 10_000)).toBeNull();
    expect(decodeText("0x1234", 10_000)).toBeNull();
    expect(decodeText(whole.slice(0, -64) as Hex, 10_000)).toBeNull();
    expect(decodeText(`0x${"f".repeat(128)}`, 10_000)).toBeNull();
  });
});

test("a text that is longer than its limit is cut, with a mark, however long it says it is", () => {
  const encoded = (text: string) => AbiParameters.encode(AbiParameters.from(["string"]), [text]);
  expect(decodeText(encoded("a".repeat(256)), 256)).toBe("a".repeat(256));
  for (const letter of ["a", "\u00fc", "\u4e2d", "\u{1f600}"]) {
    const long = encoded(letter.repeat(5000));
    for (const answer of [long, long.slice(0, 9000) as Hex]) {
      const text = decodeText(answer, 256) ?? "";
      expect(text).toMatch(/…$/);
      expect(text.length).toBeLessThanOrEqual(257);
      expect(letter.repeat(256).startsWith(text.slice(0, -1))).toBe(true);
    }
  }
  // As a node may claim.
  expect(
    decodeText(
      `0x${"20".padStart(64, "0")}${"f".repeat(12).padStart(64, "0")}${"61".repeat(8000)}`,
      256,
    ),
  ).toBe(`${"a".repeat(256)}…`);
});

test("a number and a flag in a response take a whole word", () => {
  expect(decodeNumber("0x")).toBeNull();
  expect(decodeNumber(`0x${"f".repeat(64)}`)).toBe(2n ** 256n - 1n);
  expect(decodeFlag(`0x${"1".padStart(64, "0")}`)).toBe(true);
  expect(decodeFlag("0x")).toBe(false);
});

test("no answer makes decoding throw", () => {
  fc.assert(
    fc.property(anyBytes, (answer) => {
      decodeText(answer, 10_000);
      decodeNumber(answer);
      decodeFlag(answer);
    }),
  );
});
