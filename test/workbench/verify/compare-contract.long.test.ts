// What counts as the same code, on contracts made up to be difficult.
import { afterAll, describe, expect, test } from "vitest";
import { createVerifier } from "../../../mocks/workbench/verify/verifier.ts";
import { ADDRESS, base64, compile, onChain, submit, type Wanted } from "./support.ts";

const verifier = createVerifier({ timeout: 300_000 });
afterAll(() => verifier.close());

const word = (value: bigint) => value.toString(16).padStart(64, "0");
const LIBRARY = `0x${"ab".repeat(20)}` as const;

describe("libraries", () => {
  const source = (version: string) => `pragma solidity ^${version};
library Sums { function add(uint a, uint b) public pure returns (uint) { return a + b; } }
contract User { function f(uint a) public pure returns (uint) { return Sums.add(a, Sums.add(a, 1)); } }`;

  test.each(["0.4.24", "0.5.17", "0.8.28"])(
    "%s: placeholders are filled at every place",
    async (version) => {
      const user: Wanted = {
        version,
        source: source(version),
        name: "User",
        libraries: { Sums: LIBRARY },
      };
      const { creation, runtime } = compile(user);
      const contract = onChain(runtime, creation);

      expect(await verifier.verify(submit(user), contract)).toMatchObject({
        verified: true,
        contract: { libraries: [{ name: "Sums", address: LIBRARY }] },
      });
      expect(await verifier.verify(submit(user, { libraries: [] }), contract)).toEqual({
        verified: false,
        message: `Library Sums has no address in the submission; the chain has ${LIBRARY}`,
      });
      const other = `0x${"12".repeat(20)}`;
      const wrong = submit(user, { libraries: [{ name: "Sums", address: other }] });
      const { message } = await verifier.verify(wrong, contract);
      expect(message).toMatch(
        /^Runtime code differs from byte \d+ on, in the address of library Sums/,
      );
      expect(message).toContain(`${LIBRARY} on chain, ${other} submitted`);
    },
  );

  test("a library's code begins with its own address, no other", async () => {
    const library: Wanted = { version: "0.8.28", source: source("0.8.28"), name: "Sums" };
    const { creation, runtime } = compile(library);
    const at = (address: string) => `0x73${address.slice(2)}${runtime.slice(44)}` as const;

    const own = await verifier.verify(submit(library), onChain(at(ADDRESS), creation));
    expect(own.verified).toBe(true);
    const foreign = await verifier.verify(submit(library), onChain(at(LIBRARY), creation));
    expect(foreign.message).toMatch(
      /^Runtime code differs from byte 1 on, in the library's own address/,
    );
  });
});

describe("metadata", () => {
  // Children in children, and a constant that looks like the metadata of a compiler.
  const lookAlike = `a2646970667358221220${"5a".repeat(32)}64736f6c63430008140033`;
  const factory = (comment: string, constant = lookAlike) => `// ${comment}
pragma solidity >=0.5.0;
contract Leaf { uint public x; function set(uint y) public { x = y; } }
contract Branch { function grow() public returns (Leaf) { return new Leaf(); } }
contract Tree {
  bytes public constant look = hex"${constant}";
  function grow() public returns (Branch, Leaf) { return (new Branch(), new Leaf()); }
}`;
  const tree = (version: string, source: string): Wanted => ({ version, source, name: "Tree" });

  test.each(["0.5.17", "0.8.20", "0.8.37"])(
    "%s: every hash is left out, also those of embedded contracts",
    async (version) => {
      const { creation, runtime } = compile(tree(version, factory("as deployed")));
      const verdict = await verifier.verify(
        submit(tree(version, factory("as submitted"))),
        onChain(runtime, creation),
      );
      expect(verdict).toMatchObject({
        verified: true,
        message: expect.stringContaining("metadata hash differs"),
      });
    },
  );

  test("what only looks like metadata is compared", async () => {
    const { creation, runtime } = compile(tree("0.8.28", factory("a")));
    const other = factory("a", lookAlike.replaceAll("5a", "5b"));
    const verdict = await verifier.verify(
      submit(tree("0.8.28", other)),
      onChain(runtime, creation),
    );
    expect(verdict.message).toMatch(/^Runtime code differs from byte \d+ on, in the program/);
  });

  test("the same file name gives the same metadata, and the verdict says so", async () => {
    const same: Wanted = { ...tree("0.8.28", factory("a")), file: "Tree.sol" };
    const { creation, runtime } = compile(same);
    const verdict = await verifier.verify(submit(same), onChain(runtime, creation));
    expect(verdict.message).toBe(
      "Runtime code, creation code and constructor arguments match; so does the metadata",
    );
  });
});

describe("immutables and constructor arguments", () => {
  const wanted: Wanted = {
    version: "0.8.28",
    name: "Fixed",
    source: `pragma solidity 0.8.28;
contract Fixed {
  uint public immutable value; string public name;
  constructor(uint v, string memory n) { value = v; name = n; }
  function twice() public view returns (uint) { return value + value; }
}`,
  };
  const { creation, runtime } = compile(wanted);
  const passed = word(7n) + word(64n) + word(2n) + "6162".padEnd(64, "0");
  const zero = `7f${word(0n)}`;
  const places = runtime.split(zero).length - 1;
  const deployed = runtime.replaceAll(zero, `7f${word(7n)}`) as `0x${string}`;
  const verify = (
    constructor_arguments: string,
    contract = onChain(deployed, `${creation}${passed}`),
  ) => verifier.verify(submit(wanted, { constructor_arguments }), contract);

  test("an immutable may have any value", async () => {
    expect(places).toBeGreaterThan(1);
    expect(await verify(`0x${passed.toUpperCase()}`)).toMatchObject({
      verified: true,
      contract: { constructorArguments: passed },
    });
  });

  test("but the same one everywhere", async () => {
    const torn = deployed.replace(`7f${word(7n)}`, `7f${word(8n)}`) as `0x${string}`;
    const { message } = await verify(passed, onChain(torn, `${creation}${passed}`));
    expect(message).toMatch(/^Runtime code differs from byte \d+ on, in an immutable/);
  });

  test("other arguments are refused, with those on chain", async () => {
    const other = word(8n) + passed.slice(64);
    expect((await verify(other)).message).toBe(
      `Constructor arguments differ: 0x${passed} on chain`,
    );
    expect((await verify("")).message).toContain("Constructor arguments differ");
  });

  test("where the creation is not known, they must at least be what the constructor takes", async () => {
    const unseen = onChain(deployed);
    expect(await verify(passed, unseen)).toMatchObject({
      verified: true,
      message: "Runtime code matches (the creation code is unknown); the metadata hash differs",
    });
    expect((await verify(`${passed}00`, unseen)).message).toContain("(uint256, string)");
    expect((await verify(passed.slice(0, 128), unseen)).message).toContain("Cannot read");
  });

  test("arguments that another encoding of the same values are no arguments", async () => {
    const padded = `${passed.slice(0, -2)}01`;
    expect((await verify(padded, onChain(deployed))).message).toContain("Expected the encoding of");
  });
});

describe("what the compiler says", () => {
  const simple: Wanted = { version: "0.8.28", name: "A", source: "contract A {}" };
  const some = onChain("0x6001");

  test.each([
    ["a syntax error", "contract A {\n\n  functio f() {}\n}", "ParserError in line 3"],
    [
      "text before it in another script",
      "// ünï\n\ncontract A { uint x = y; }",
      "DeclarationError in line 3",
    ],
    [
      "no contract of that name",
      "contract B {} library C {}",
      "The source has no contract A; it has B, C",
    ],
    ["an interface", "interface A {}", "A is abstract or an interface"],
  ])("%s", async (_, source, message) => {
    const verdict = await verifier.verify(
      submit(simple, { contract_source: base64(source) }),
      some,
    );
    expect(verdict.verified).toBe(false);
    expect(verdict.message).toContain(message);
  });

  test("another compiler version is named", async () => {
    const { runtime } = compile({ ...simple, version: "0.8.20" });
    const { message } = await verifier.verify(
      submit(simple, { evm_version: "paris" }),
      onChain(runtime),
    );
    expect(message).toContain(
      "another compiler version: the code on chain was compiled by 0.8.20, this source by 0.8.28",
    );
  });
});
