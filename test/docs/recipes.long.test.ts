// Two recipes of CONTRIBUTING.md, followed to the letter in a copy of the project: it compiles, and the new value reaches the client.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { packageFile } from "../../scripts/package-file.ts";
import { DEMO, readRecords } from "../support/chains.ts";
import { createProject, type Project } from "../support/project.ts";
import { limit } from "../support/runs.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));

/** Changes a file's text; one that does not exist is empty. */
type Edit = (text: string) => string;
type Edits = Readonly<Record<string, Edit>>;

const create =
  (text: string): Edit =>
  () =>
    text;

/** Inserts a text before a place that the file has, once. */
const before =
  (place: string, added: string): Edit =>
  (text) => {
    expect(text.split(place)).toHaveLength(2);
    return text.replace(place, () => added + place);
  };

const after =
  (place: string, added: string): Edit =>
  (text) => {
    expect(text.split(place)).toHaveLength(2);
    return text.replace(place, () => place + added);
  };

const both =
  (first: Edit, second: Edit): Edit =>
  (text) =>
    second(first(text));

/** A recipe: the files it numbers. */
function recipe(title: string) {
  const pattern = new RegExp(`^### ${title} \\(\\d+ files?\\)\\n([\\s\\S]*?)(?=^##)`, "m");
  const [, text = ""] = packageFile("CONTRIBUTING.md").read().match(pattern) ?? [];
  return [...text.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = ""]) => file);
}

let copy: Project;
beforeEach(async () => {
  copy = createProject("recipe");
  const listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await run("git", listed, { cwd: root, maxBuffer: 1 << 26 });
  for (const file of stdout.split("\0").filter(Boolean))
    copy.write(file, readFileSync(join(root, file)));
  symlinkSync(join(root, "node_modules"), join(copy.folder, "node_modules"));
});
afterEach(() => copy.remove());

function edit(edits: Edits): void {
  for (const [file, change] of Object.entries(edits)) {
    const path = join(copy.folder, file);
    copy.write(file, change(existsSync(path) ? readFileSync(path, "utf8") : ""));
  }
}

/** The files that the compiler reports. */
async function refused(): Promise<string[]> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [tsc, "-p", "."], { cwd: copy.folder }).catch(
    (error: { readonly stdout: string }) => error,
  );
  return [
    ...new Set([...stdout.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, file = ""]) => file)),
  ];
}

/** What a program in the copy prints, as JSON. */
async function printed(program: string): Promise<unknown> {
  copy.write("try.ts", program);
  const { stdout } = await run(process.execPath, ["try.ts"], { cwd: copy.folder });
  return JSON.parse(stdout);
}

/** Begins a program: follows a node with a store, and asks for each of the ways that the chain can come from. */
const CHAINS = `
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { createExplorer, followNode, loadChain } from "./mocks/node.ts";
import { ExplorerClient } from "./src/index.ts";
import { FakeNode } from "./test/support/fake-node.ts";

const folder = mkdtempSync(\`\${tmpdir()}/mrc-recipe-store-\`);
const node = new FakeNode();
const options = { fetch: node.fetch, interval: 60_000, store: folder };
const followed = await followNode(node.url, options);
await followed.close();
const restarted = await followNode(node.url, options);
await restarted.close();
const chains = { followed: followed.chain, restarted: restarted.chain, loaded: await loadChain(folder) };
rmSync(folder, { recursive: true });

async function ask<T>(question: (explorer: ExplorerClient) => Promise<T>) {
  const answers: Record<string, T> = {};
  for (const [name, chain] of Object.entries(chains)) {
    const { baseUrl, fetch } = createExplorer({ chain });
    answers[name] = await question(new ExplorerClient({ baseUrl, apiKey: "any", fetch }));
  }
  return answers;
}
`;

interface RawBlock {
  readonly block: { readonly transactions: readonly Raw[] };
}
interface Raw {
  readonly hash: string;
  readonly type: string;
  readonly from: string;
  readonly to: string | null;
}
const transactions = readRecords<RawBlock>(DEMO, "blocks").flatMap(
  ({ block }) => block.transactions,
);
const SENDER = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

test(
  "a field is added in the files that its recipe names, and comes through the store",
  async () => {
    const numbered = recipe("Add a field that the chain does not have");
    const edits: Edits = {
      "src/models/transaction.ts": after(
        "  cumulative_gas_used: orNull(amount),\n",
        "  /** 0 legacy, 2 with the fees of EIP-1559. */\n  transaction_type: orNull(integer),\n",
      ),
      "mocks/operations/records.ts": after(
        "    cumulative_gas_used: decimalOrNull(transaction.cumulativeGasUsed),\n",
        "    transaction_type: decimalOrNull(transaction.type ?? null),\n",
      ),
      "mocks/chain/fields.ts": after(
        '  nonce: field(orNull(number), "transaction.nonce"),\n',
        '  type: field(optional(number), "transaction.type"),\n',
      ),
    };
    // The others are samples of tests.
    expect(Object.keys(edits)).toEqual(numbered.filter((file) => !file.startsWith("test/")));
    edit(edits);
    expect(await refused()).toEqual([]);
    const types = Object.fromEntries(
      transactions
        .filter(({ from }) => from === SENDER)
        .map(({ hash, type }) => [hash, Number(type)]),
    );
    expect(new Set(Object.values(types)).size).toBeGreaterThan(1);
    expect(
      await printed(`${CHAINS}
        const types = await ask(async (explorer) => {
          const query = { condition: "from" } as const;
          const found = await explorer.accounts.transactions("${SENDER}", query).collect();
          return Object.fromEntries(found.map((one) => [one.transaction_hash, one.transaction_type]));
        });
        console.log(JSON.stringify(types));
      `),
    ).toEqual({ followed: types, restarted: types, loaded: types });
  },
  limit(600_000),
);

test(
  "an operation is added in the files that its recipe names",
  async () => {
    const numbered = recipe("Add an operation");
    const asked = [7, 8, 11, 12].map((number) => numbered[number - 1]);
    const edits: Edits = {
      "src/models/activity.ts": create(`// How active an account is.
import { type Decoded, model } from "./model.ts";
import { integer } from "./primitives.ts";

/** How many transactions an account sent and received. */
export const AccountActivity = /*#__PURE__*/ model({ sent: integer, received: integer });
export interface AccountActivity extends Decoded<typeof AccountActivity> {}
`),
      "src/index.ts": after(
        'export { EventLog, type EventLogWire } from "./models/event-log.ts";\n',
        'export { AccountActivity } from "./models/activity.ts";\n',
      ),
      "src/contract/accounts.ts": both(
        after(
          "    list: { identity: identities.minedBlocks },\n  }),\n",
          `  A11: operation({
    id: "A11",
    name: "accounts.activity",
    method: "GET",
    path: "/v1/accounts/{address_hash}/activity",
    parameters,
    results: dataOf(AccountActivity),
  }),
`,
        ),
        (text) =>
          text
            .replace(
              /import \{([^}]*)operation([^}]*)\} from ".\/operation.ts";/,
              (line, ...names) =>
                line.includes("dataOf")
                  ? line
                  : `import { dataOf,${names[0]}operation${names[1]}} from "./operation.ts";`,
            )
            .replace(
              /^import/m,
              'import { AccountActivity } from "../models/activity.ts";\nimport',
            ),
      ),
      "src/contract/descriptions.ts": after(
        '  A10: "Blocks created by a miner",\n',
        '  A11: "Number of transactions of an address",\n',
      ),
      "src/resources/accounts.ts": both(
        before(
          "  /**\n   * Lists the blocks a miner created (A10)",
          `  /** Returns how many transactions an account sent and received (A11). */
  activity(address: Address, options?: RequestOptions): ResultPromise<AccountActivity> {
    const input = { address_hash: address };
    return callOperation(this.#call, operations.A11, input, options, ({ data }) => data);
  }

`,
        ),
        (text) =>
          text.replace(
            /^import/m,
            'import { callOperation } from "./call-operation.ts";\nimport type { AccountActivity } from "../models/activity.ts";\nimport',
          ),
      ),
      "mocks/operations/accounts.ts": before(
        'export const A10: OperationHandler<"A10">',
        `export const A11: OperationHandler<"A11"> = (chain, { address_hash }) => {
  const count = (role: "from" | "to") =>
    decimal(chain.transactions(lower(address_hash), role, {}).count);
  return { data: { sent: count("from"), received: count("to") } };
};

`,
      ),
    };
    expect(Object.keys(edits)).toEqual(
      numbered.slice(0, 6).map((file) => file.replace("<record>", "activity")),
    );
    edit(edits);
    // What else the compiler asks for is what the recipe says.
    expect((await refused()).toSorted()).toEqual(asked.toSorted());
    edit({
      "examples/start.ts": before(
        "  async A10() {",
        `  async A11() {
    const { sent } = await explorer.accounts.activity(miner);
    check("transactions", sent, sent);
  },

`,
      ),
      "mocks/operations/head-reads.ts": (text) =>
        text.replace("A10: blocksOnly }", "A10: blocksOnly, A11: blocksOnly }"),
      "test/support/requests.ts": after(
        "    A10: { address_hash },\n",
        "    A11: { address_hash },\n",
      ),
      "test/client/fault-matrix.long.test.ts": after(
        '  A10: [{ address_hash: miner }, "data.*.reward"],\n',
        '  A11: [{ address_hash: miner }, "data.sent"],\n',
      ),
    });
    expect(await refused()).toEqual([]);
    const activity = {
      sent: transactions.filter(({ from }) => from === SENDER).length,
      received: transactions.filter(({ to }) => to === SENDER).length,
    };
    expect(
      await printed(`${CHAINS}
        const activity = await ask((explorer) => explorer.accounts.activity("${SENDER}"));
        console.log(JSON.stringify(activity));
      `),
    ).toEqual({ followed: activity, restarted: activity, loaded: activity });
  },
  limit(600_000),
);
