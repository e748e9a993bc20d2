// The bytes that may differ from compiled code, and the message about other bytes, on short codes.
import { describe, expect, test } from "vitest";
import { type ChainCode, chainCode, compareContract } from "../../mocks/verify/compare-contract.ts";
import type { Compiled } from "../../mocks/verify/compilation.ts";
import type { CompiledCode } from "../../mocks/verify/compiler-worker.ts";
import type { ReadSubmission } from "../../mocks/verify/submission.ts";
import { ADDRESS, bytesOf, onChain, word } from "./support.ts";

const bytes = (digits: string) => Uint8Array.from(bytesOf(`0x${digits}`));
/** Metadata as compilers append it: the hash of a file, the version 0.8.28, and the length. */
const ipfs = (digest: string, version = "00081c") =>
  `a2646970667358221220${digest}64736f6c6343${version}0033`;
/** Metadata with Swarm's hashes, before compilers wrote their version. */
const bzzr0 = (digest: string) => `a165627a7a72305820${digest}0029`;
const bzzr1 = (digest: string) => `a165627a7a72315820${digest}0029`;
const namedBzzr1 = (digest: string) => `a265627a7a72315820${digest}64736f6c63430005110032`;
/** Metadata with the version alone. */
const unhashed = "a164736f6c634300081c000a";
const digest = "11".repeat(32);
const otherDigest = "12".repeat(32);
const program = "6001600255fe";

const code = (object: string, more: Partial<CompiledCode> = {}): CompiledCode => ({
  object,
  sourceMap: "",
  linkReferences: {},
  immutableReferences: {},
  appended: [],
  ...more,
});
const submission: ReadSubmission = {
  contract: "A",
  file: undefined,
  sources: {},
  constructorArguments: "",
  optimizationEnabled: true,
  runs: 200,
  evmVersion: null,
  libraries: [],
  settings: {},
};

interface Case {
  readonly runtime: CompiledCode;
  readonly creation?: CompiledCode;
  /** Runtime code on chain, then perhaps creation code. */
  readonly chain: readonly [string, string?];
  readonly abi?: readonly unknown[];
  readonly read?: Partial<ReadSubmission>;
}

function compare({ runtime, creation = code(""), chain, abi = [], ...rest }: Case) {
  const compiled: Compiled = {
    ...{ metadata: "", files: new Map(), file: "A.sol" },
    ...{ abi, creation, runtime },
  };
  const [runtimeDigits, creationDigits] = chain;
  const actual: ChainCode = {
    address: ADDRESS,
    runtime: bytes(runtimeDigits),
    creation: creationDigits === undefined ? undefined : bytes(creationDigits),
  };
  const read = { ...submission, ...rest.read };
  return compareContract(compiled, read, actual);
}

/** Returns the message about a difference; empty if the codes match. */
const differs = (given: Case) => {
  const found = compare(given);
  return "differs" in found ? found.differs : "";
};

/** Returns the state of the metadata, or the message about a difference. */
const metadataOf = (given: Case) => {
  const found = compare(given);
  return "differs" in found ? found.differs : found.metadata;
};

const match = { constructorArguments: "", otherTargets: false };
const settings = "the source, the optimizer, its runs or the EVM version differs";

test("of several creations the last one created the code", () => {
  expect(chainCode(onChain("0x6001", "0x01", "0x02"))).toEqual({
    address: ADDRESS,
    runtime: bytes("6001"),
    creation: bytes("02"),
  });
  expect(chainCode(onChain("0x6001")).creation).toBeUndefined();
});

describe("metadata", () => {
  const own = ipfs(digest);
  const runtime = code(`${program}${own}`, { appended: [own] });

  test("with another hash is reported, and nothing else of it may differ", () => {
    const chain = (given: string) => ({ runtime, chain: [`${program}${given}`] as const });
    expect(metadataOf(chain(ipfs(otherDigest)))).toBe("other");
    const where = "Runtime code differs from byte 56 on, in the metadata (hash apart)";
    expect(differs(chain(ipfs(otherDigest, "00081d")))).toContain(where);
    // The bytes before the digest are the kind of hash.
    expect(differs(chain(own.replace("58221220", "58221320")))).toContain("from byte 14 on");
    // The last byte of the map, and the first of its length.
    expect(differs(chain(`${own.slice(0, -4)}0133`))).toContain("in the metadata (hash apart)");
    expect(differs({ runtime, chain: [`6101600255fe${own}`] })).toContain(
      "from byte 0 on, in the program",
    );
  });

  test("without a hash is none", () => {
    const whole = `${program}${unhashed}`;
    expect(metadataOf({ runtime: code(whole, { appended: [unhashed] }), chain: [whole] })).toBe(
      "none",
    );
    expect(metadataOf({ runtime: code(program), chain: [program] })).toBe("none");
    expect(
      differs({ runtime: code(whole, { appended: [unhashed] }), chain: [`61${whole.slice(2)}`] }),
    ).toContain("from byte 0 on, in the program");
    // The metadata of an embedded contract does not count.
    const parent = `${own}${whole}`;
    expect(
      metadataOf({ runtime: code(parent, { appended: [own, unhashed] }), chain: [parent] }),
    ).toBe("none");
  });

  test("that ends within its hash is not the compiled one", () => {
    const start = `${program}${own}`.slice(0, 2 * 40);
    expect(differs({ runtime, chain: [start] })).toContain(
      "Runtime code differs from byte 40 on, in the metadata's hash (40 bytes on chain, 59 compiled)",
    );
  });

  test("that a constant only looks like is compared", () => {
    const twice = (first: string, last: string) => `${program}${first}00${last}`;
    const looks = code(twice(own, own), { appended: [own] });
    expect(metadataOf({ runtime: looks, chain: [twice(own, ipfs(otherDigest))] })).toBe("other");
    expect(differs({ runtime: looks, chain: [twice(ipfs(otherDigest), own)] })).toContain(
      "from byte 16 on, in the program",
    );
    // Without metadata at the end, no copy is certain, so both must be equal.
    const inside = code(`${twice(own, own)}00`, { appended: [own] });
    expect(differs({ runtime: inside, chain: [`${twice(own, ipfs(otherDigest))}00`] })).toContain(
      "in the program",
    );
  });

  test("of the creation code may differ, and says nothing of the runtime code's", () => {
    const creation = code(`${program}${own}`, { appended: [own] });
    expect(
      metadataOf({
        runtime: code(program),
        creation,
        chain: [program, `${program}${ipfs(otherDigest)}`],
      }),
    ).toBe("other");
  });
});

describe("jumps into what is free to differ", () => {
  const at = (given: string) => ipfs(given.padEnd(64, "0"));
  const own = at("");
  const targets = (object: string, chain: string, appended = [own]) => {
    const found = compare({ runtime: code(object, { appended }), chain: [chain] });
    return "otherTargets" in found ? found.otherTargets : found.differs;
  };

  test.each([
    ["5b", true],
    ["00005b", true],
    // Pushed bytes are data.
    ["605b", false],
    ["605b5b", true],
    ["615b5b", false],
    ["7f5b", false],
    ["805b", true],
    ["5f5b", true],
  ])("a hash that begins with %s: %s", (start, isTarget) => {
    expect(targets(`${program}${own}`, `${program}${at(start)}`)).toBe(isTarget);
  });

  test("a target of the compiled code does not count", () => {
    expect(targets(`5b${own}`, `5b${at("01")}`)).toBe(false);
  });

  test("a hash may turn pushed data after it into a target", () => {
    const after = "605b00";
    expect(
      targets(
        `${program}${own}${after}${own}`,
        `${program}${ipfs("6b".padStart(64, "0"))}${after}${own}`,
        [own, own],
      ),
    ).toBe(true);
  });

  test("creation code counts, its arguments do not", () => {
    const runtime = code(`${program}${own}`, { appended: [own] });
    const whole = `${program}${own}`;
    const created = (hash: string) => `${program}${hash}${"5b".repeat(32)}`;
    const abi = [{ type: "constructor", inputs: [{ name: "a", type: "uint256" }] }];
    const read = { constructorArguments: undefined };
    const found = (hash: string) =>
      compare({ runtime, creation: runtime, chain: [whole, created(hash)], abi, read });
    expect(found(at("5b"))).toMatchObject({ metadata: "other", otherTargets: true });
    expect(found(at("01"))).toMatchObject({ metadata: "other", otherTargets: false });
    expect(found(at(""))).toEqual({
      ...{ metadata: "equal", otherTargets: false },
      constructorArguments: "5b".repeat(32),
    });
  });
});

describe("immutables", () => {
  const place = (start: number) => ({ start, length: 2 });
  const runtime = code("aa0000bb0000cc0000", {
    immutableReferences: { 7: [place(1), place(4)], 9: [place(7)] },
  });

  test("may have any value, the same in all its places", () => {
    expect(metadataOf({ runtime, chain: ["aa1234bb1234cc5678"] })).toBe("none");
    expect(differs({ runtime, chain: ["aa1234bb1235cc5678"] })).toMatch(
      /^Runtime code differs from byte 4 on, in an immutable \(9 bytes on chain, 9 compiled\): /,
    );
  });

  test("leave what is between them as it is", () => {
    expect(differs({ runtime, chain: ["aa1234bc1234cc5678"] })).toContain("from byte 3 on");
    expect(differs({ runtime, chain: ["ab1234bb1234cc5678"] })).toContain("from byte 0 on");
    expect(differs({ runtime, chain: ["aa1234bb1234cd5678"] })).toContain("from byte 6 on");
  });

  test("do not hide a missing or additional byte", () => {
    expect(differs({ runtime, chain: ["aa1234bb1234cc56"] })).toContain(
      "from byte 8 on, in an immutable (8 bytes on chain, 9 compiled)",
    );
    expect(differs({ runtime, chain: ["aa1234bb1234cc567800"] })).toContain(
      "from byte 9 on, in the program (10 bytes on chain, 9 compiled)",
    );
  });
});

describe("libraries", () => {
  const [one, two] = ["a1".repeat(20), "b2".repeat(20)];
  const linkReferences = {
    "L.sol": {
      One: [
        { start: 1, length: 20 },
        { start: 22, length: 20 },
      ],
      Two: [{ start: 43, length: 20 }],
    },
  };
  const hole = "__$L$__".padEnd(40, "_");
  const runtime = code(`73${hole}73${hole}73${hole}`, { linkReferences });
  const chain = [`73${one}73${one}73${two}`] as const;
  const library = (name: string, digits: string, file?: string) => ({
    name,
    address: `0x${digits}` as const,
    ...(file === undefined ? {} : { file }),
  });
  const both = [library("Two", two), library("One", one)];

  test("are linked at every place", () => {
    expect(metadataOf({ runtime, chain, read: { libraries: both } })).toBe("none");
    const wrong = [library("One", one), library("Two", one)];
    expect(differs({ runtime, chain, read: { libraries: wrong } })).toBe(
      `Runtime code differs from byte 43 on, in the address of library Two: 0x${two} on chain, 0x${one} submitted`,
    );
  });

  test("of a file are those of that file", () => {
    const of = (file: string) => ({ libraries: [library("One", one, file), library("Two", two)] });
    expect(metadataOf({ runtime, chain, read: of("L.sol") })).toBe("none");
    expect(differs({ runtime, chain, read: of("M.sol") })).toBe(
      `Library One has no address in the submission; the chain has 0x${one}`,
    );
  });

  test("without an address are named with the chain's, each once", () => {
    expect(differs({ runtime, chain })).toBe(
      `Library One has no address in the submission; the chain has 0x${one}; Library Two has no address in the submission; the chain has 0x${two}`,
    );
    const { linkReferences: own } = runtime;
    const creation = code(runtime.object, { linkReferences: own });
    expect(differs({ runtime: code("01"), creation, chain: ["01", chain[0]] })).toBe(
      `Library One has no address in the submission; the chain has 0x${one}; Library Two has no address in the submission; the chain has 0x${two}`,
    );
  });

  test("without an address, and with another difference, are named alone", () => {
    expect(differs({ runtime, chain: [`74${chain[0].slice(2)}`] })).toMatch(
      /^Library One has no address in the submission; Library Two has no address in the submission; apart from that: Runtime code differs from byte 0 on/,
    );
    // Two addresses for one library.
    expect(differs({ runtime, chain: [`73${one}73${two}73${two}`] })).toMatch(
      /; apart from that: Runtime code differs from byte 22 on, in the address of library One/,
    );
  });

  test("begin with their own address", () => {
    const own = (digits: string) => `73${digits}301460`;
    const zeros = code(own("00".repeat(20)));
    expect(metadataOf({ runtime: zeros, chain: [own(ADDRESS.slice(2))] })).toBe("none");
    expect(differs({ runtime: zeros, chain: [own(one)] })).toBe(
      `Runtime code differs from byte 1 on, in the library's own address: 0x${one} on chain, ${ADDRESS} submitted`,
    );
    // Other code that pushes a zero is no library.
    const pushes = `73${"00".repeat(20)}3015`;
    expect(metadataOf({ runtime: code(pushes), chain: [pushes] })).toBe("none");
  });
});

describe("creation code", () => {
  const runtime = code(program);
  const creation = code("6001fe");
  const created = (given: string, more: Partial<Case> = {}) => ({
    ...{ runtime, creation, chain: [program, given] as const },
    ...more,
  });

  test("that differs is located", () => {
    expect(differs(created("6002fe"))).toBe(
      "Creation code differs from byte 1 on, in the program (3 bytes on chain, 3 compiled): the runtime code matches, so the constructor, what it creates or the start of a state variable differs",
    );
    expect(differs(created("6001"))).toBe(
      "Creation code differs from byte 2 on, in the program (2 bytes on chain, 3 compiled): the runtime code matches, so the constructor differs",
    );
  });

  test("comes after the runtime code", () => {
    expect(differs({ ...created("6002fe"), chain: ["60", "6002fe"] })).toMatch(/^Runtime code/);
  });

  test("has the arguments at its end", () => {
    const abi = [{ type: "constructor", inputs: [{ name: "a", type: "uint256" }] }];
    const given = (constructorArguments: string | undefined) =>
      created(`6001fe${word(5n)}`, { abi, read: { constructorArguments } });
    const passed = { ...match, metadata: "none", constructorArguments: word(5n) };
    expect(compare(given(word(5n)))).toEqual(passed);
    expect(compare(given(undefined))).toEqual(passed);
    expect(differs(given(word(6n)))).toBe(`Constructor arguments differ: 0x${word(5n)} on chain`);
    expect(differs(given(""))).toBe(`Constructor arguments differ: 0x${word(5n)} on chain`);
    expect(differs(created("6001fe", { read: { constructorArguments: "05" } }))).toBe(
      "Constructor arguments differ: none on chain",
    );
    expect(differs(created("6001fe05", { read: { constructorArguments: undefined } }))).toBe(
      "Constructor arguments on chain: The constructor takes no arguments, received 1 bytes",
    );
  });

  test("that is unknown allows any valid arguments", () => {
    const unknown = (constructorArguments: string | undefined) => ({
      ...{ runtime, creation, chain: [program] as const },
      read: { constructorArguments },
    });
    expect(metadataOf(unknown(undefined))).toBe("none");
    expect(metadataOf(unknown(""))).toBe("none");
    expect(differs(unknown("05"))).toBe("The constructor takes no arguments, received 1 bytes");
    const abi = [{ type: "constructor", inputs: [{ name: "a", type: "uint256" }] }];
    // Arguments may be left out if nothing proves them.
    expect(metadataOf({ ...unknown(""), abi })).toBe("none");
  });
});

describe("the cause of a difference in the program", () => {
  const cause = (ours: string, theirs: string) =>
    differs({ runtime: code(`00${ours}`), chain: [`01${theirs}`] }).replace(/^.*?\): /, "");

  const untold = `to tell its compiler by: the compiler version, or ${settings}`;
  const unnamed = (kind: string) => `an unnamed compiler, with ${kind} metadata`;
  const by = (theirs: string, ours: string) =>
    `another compiler version: the code on chain was compiled by ${theirs}, this source by ${ours}`;
  const unwritten = `both have bzzr0 metadata, which does not name the compiler: the compiler version, or ${settings}`;
  const [ipfs28, ipfs29] = [ipfs(digest), ipfs(digest, "00081d")];

  test.each([
    ["none on chain", ipfs28, "", `the code on chain has no metadata ${untold}`],
    ["none of ours", "", ipfs28, `the code on chain has other metadata ${untold}`],
    ["no versions", bzzr0(digest), bzzr0(otherDigest), unwritten],
    [
      "no versions, in two forms",
      bzzr1(digest),
      bzzr0(digest),
      by(unnamed("bzzr0"), unnamed("bzzr1")),
    ],
    ["theirs without one", ipfs28, bzzr0(digest), by(unnamed("bzzr0"), "0.8.28")],
    ["ours without one", bzzr0(digest), ipfs28, by("0.8.28", unnamed("bzzr0"))],
    ["the same hash", namedBzzr1(digest), bzzr1(digest), by(unnamed("bzzr1"), "0.5.17")],
    ["the same compiler", ipfs28, ipfs28, `both were compiled by 0.8.28, so ${settings}`],
    ["another compiler", ipfs28, ipfs29, by("0.8.29", "0.8.28")],
  ])("by its metadata: %s", (_, ours, theirs, expected) => {
    expect(cause(ours, theirs)).toBe(expected);
  });
});
