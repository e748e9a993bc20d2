// The tree of commands: their names, and help that fits a terminal.
import { describe, expect, test } from "vitest";
import { packageFile } from "../../scripts/package-file.ts";
import { kebab } from "../../src/cli/parameters.ts";
import { operationsInOrder } from "../../src/contract/descriptions.ts";
import { AURORA, linesOf, serveDemo } from "./serve-demo.ts";

const demo = serveDemo();

describe("commands", () => {
  test("may be written in kebab case", async () => {
    const { code, out } = await demo.cli(
      `event-logs list ${AURORA} --start-block 90 --format ndjson`,
    );
    expect(code).toBe(0);
    for (const line of linesOf(out)) expect(JSON.parse(line)).toMatchObject({ address: AURORA });
    demo.mock.journal.expect("L1", { address: AURORA, startBlock: 90n });
  });

  test("print the version", async () => {
    expect(await demo.cli("--version")).toEqual({ code: 0, out: "1.2.3\n", err: "" });
  });
});

describe("help", () => {
  const operations = new Map<string, string>(
    operationsInOrder.map(({ id, resource, action }) => [`${resource} ${action}`, id]),
  );
  const commands = [
    ...["", "serve", "dump", "compilers", "compilers add", "verify", "completion"],
    ...["accounts", "transactions", "tokens", "contracts", "blocks", "eventLogs"],
    ...["accounts watch", "eventLogs watch"],
    ...operations.keys(),
  ];

  test.each([
    [undefined, 80],
    [60, 60],
  ])(
    "of every command fits a terminal of %s columns, and has its operation",
    async (columns, width) => {
      for (const command of commands) {
        const { out } = await demo.cli(`${command} --help`.trim(), { columns });
        const about = out.split("\nExamples:")[0] ?? "";
        const id = operations.get(command);
        if (id) expect(out.replaceAll(/\s+/g, " ")).toContain(`(${id} in the specification)`);
        expect(about.length, command).toBeGreaterThan(100);
        // A usage line and an example are not wrapped.
        const lines = linesOf(about).filter((line) => !/^(Usage: | {2}\$)/.test(line));
        // A single word is not broken either.
        expect(lines.filter((line) => line.length > width && /\S\s/.test(line))).toEqual([]);
      }
    },
  );

  test("lists the commands of a group by one name each", async () => {
    const { out } = await demo.cli("accounts --help");
    expect(out).toMatch(/^ {2}internalTransactions <address_hash> {2}Internal/m);
    expect(out).not.toContain("internal-transactions");
    expect(out).not.toMatch(/^ {2}\w+ \[options\]/m);
  });

  test("says that balances are of any number of addresses, though a request takes 20", async () => {
    for (const words of ["accounts --help", "accounts balance --help"])
      expect((await demo.cli(words)).out.replaceAll(/\s+/g, " ")).toContain(
        "any number of addresses",
      );
  });

  test("of a query has its order, its columns with their meaning, and an example", async () => {
    const { out, code } = await demo.cli("help accounts transactions");
    expect([code, out]).toEqual([0, (await demo.cli("accounts transactions --help")).out]);
    const text = out.replaceAll(/\s+/g, " ");
    expect(text).toContain("Records are sorted newest first.");
    expect(text).toContain("gas_used The gas that the transaction used.");
    expect(text).toContain("$ mrc-explorer accounts transactions 0x… --all -f csv");
    expect((await demo.cli("help accounts mined")).err).toContain(
      'no command "mined"; accounts has balance, transactions,',
    );
    const words = {
      status: "1 = success, 0 = error",
      receiptStatus: "1 = succeeded, 0 = failed",
    };
    for (const [command, meaning] of Object.entries(words))
      expect((await demo.cli(`transactions ${command} --help`)).out).toContain(meaning);
  });

  test("marks what is required", async () => {
    const { out } = await demo.cli("contracts verify --help");
    const text = out.replaceAll(/\s+/g, " ");
    expect(text).toContain("--compiler <value> Solidity compiler version. (required)");
    expect(text).not.toMatch(/EVM version to compile for\. \(required\)/);
  });
});

test("every option that is no parameter of an operation is on a page of the docs", async () => {
  const docs = ["cli", "compare"].map((page) => packageFile(`docs/${page}.md`).read()).join();
  const parameters = operationsInOrder.flatMap(({ places }) =>
    Object.values(places).flatMap((names) => names.flatMap((name) => [name, kebab(name)])),
  );
  const described = new Set(["help", "version", ...parameters]);
  /** The options of a command and of those below it, as its help lists them. */
  const optionsOf = async (command: string): Promise<string[]> => {
    const { out } = await demo.cli(`${command} --help`.trim());
    const [own = "", below = ""] = out.split(/^Commands:$/m);
    const commands = [...(below.split("\n\n")[0] ?? "").matchAll(/^ {2}(\w+)/gm)].map(
      ([, name = ""]) => name,
    );
    const options = [...own.matchAll(/^ {2}(?:-\w, )?--([\w-]+)/gm)].map(([, name = ""]) => name);
    const others = commands.filter((name) => name !== "help");
    const all = await Promise.all(others.map((name) => optionsOf(`${command} ${name}`.trim())));
    return [...options, ...all.flat()];
  };
  const options = new Set(await optionsOf(""));
  expect(options.size).toBeGreaterThan(50);
  const isMissing = (name: string) =>
    !described.has(name) && !new RegExp(`--${name}(?![\\w-])`).test(docs);
  expect([...options].filter(isMissing)).toEqual([]);
});
