// What an attacker sends to a served explorer, as large as it makes sense.

import { Agent, request } from "node:http";
import { TRANSFER_TOPIC } from "../../mocks/chain/transfer-event.ts";
import { views } from "../../mocks/inspect/views.ts";
import { type AnyOperation, type OperationId, operations } from "../../src/contract/index.ts";
import { askable, type Raw, requestOf, type Sent } from "../support/requests.ts";
import type { Known } from "./served.fixture.ts";

/** Requests that are sent at once. */
export interface Input {
  readonly name: string;
  readonly requests: readonly Sent[];
}

export const agent = new Agent({ maxSockets: 1000 });

/** The status of the response, whose body is read. */
export const statusAt = (
  port: number,
  { method, target: path, headers, body = "" }: Sent,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const length = { "content-length": Buffer.byteLength(body) };
    const options = { host: "127.0.0.1", port, method, path, agent };
    const asked = request({ ...options, headers: { ...headers, ...length } }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    asked.on("error", reject);
    asked.end(body);
  });

const json = "application/json";
const form = "application/x-www-form-urlencoded";

const wordOf = (address = "") => `0x${"0".repeat(24)}${address.slice(2)}`;
const addressOf = (number: number) => `0x${(number + 1).toString(16).padStart(40, "0")}` as const;
const several = <Item>(count: number, itemOf: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => itemOf(index));

const get = (target: string): Sent => ({ method: "GET", target, headers: { "api-key": "k" } });

/** Every operation of the specification, about the busiest account and the first tokens. */
function operationInputs({ accounts, tokens, transactions, head }: Known): Input[] {
  const ids = Object.keys(operations) as OperationId[];
  const hashed = transactions.map((hash) => ({ hash })) as never;
  const asked = askable({ accounts, tokens, transactions: hashed, head });
  return ids.flatMap((id) => {
    const { places }: AnyOperation = operations[id];
    const pages: Raw[] = places.query.includes("limit")
      ? [{ limit: 1000 }, { limit: 1000, offset: 1000 }, { limit: 1000, start_block: head >> 1 }]
      : [{}];
    const known = (page: Raw) =>
      Object.fromEntries(Object.entries(page).filter(([name]) => places.query.includes(name)));
    return pages.map((page) => ({
      name: `${id} ${JSON.stringify(page)}`,
      requests: [requestOf(id, { ...asked[id], ...known(page), input: undefined })],
    }));
  });
}

/** Event logs by one to four topics, of which all or one must match. */
function logInputs({ accounts, tokens }: Known): Input[] {
  const topics = [TRANSFER_TOPIC, ...accounts.slice(0, 3).map(wordOf)];
  return tokens.slice(0, 2).flatMap((address) =>
    ["and", "or"].flatMap((operand) =>
      [1, 2, 3, 4].map((count) => ({
        name: `L1 ${operand} of ${count} topics`,
        requests: [
          requestOf("L1", {
            address,
            operand,
            limit: 1000,
            ...Object.fromEntries(
              topics.slice(0, count).map((topic, at) => [`topic_${at}`, topic]),
            ),
          }),
        ],
      })),
    ),
  );
}

/** What the page asks. */
function viewInputs({ accounts, tokens, transactions, head }: Known): Input[] {
  const values: Readonly<Record<string, unknown>> = {
    number: head >> 1,
    hash: transactions[0],
  };
  const queries: Readonly<Record<string, readonly string[]>> = {
    search: ["q=a", `q=${accounts[0]}`, `q=0x${"ab".repeat(32)}`, `q=${"a".repeat(200)}`],
    names: [`addresses=${several(100, () => accounts[0]).join()}`],
    transactions: ["limit=100", `limit=100&before=${head >> 1}.3`],
    transfers: ["limit=100", `limit=100&before=${head >> 1}.3`],
    ...{ blocks: ["limit=100"], accounts: ["limit=100"], tokens: ["limit=100&offset=5"] },
    ...{ contracts: ["limit=100"], block: ["limit=100"], balances: ["limit=100"] },
    token: ["limit=100", "limit=100&offset=900"],
  };
  return Object.entries(views).flatMap(([name, { path }]) => {
    const addresses = /token/.test(path) ? tokens.slice(0, 2) : accounts.slice(0, 2);
    const paths = path.includes("{address}")
      ? addresses.map((address) => path.replace("{address}", address))
      : [path.replace(/\{(\w+)\}/, (_, key: string) => `${values[key]}`)];
    return paths.flatMap((target) =>
      (queries[name] ?? [""]).map((query) => ({
        name: `/inspect ${name} ${query.slice(0, 30)}`,
        requests: [get(`${target}?${query}`)],
      })),
    );
  });
}

/** What tools ask of Etherscan. */
function etherscanInputs({ accounts, tokens }: Known): Input[] {
  const [account, other] = accounts;
  const [token] = tokens;
  const range = "fromBlock=0&toBlock=999999999&offset=10000";
  const topics = `topic0=${TRANSFER_TOPIC}&topic0_1_opr=or&topic1=${wordOf(account)}&topic1_2_opr=or&topic2=${wordOf(other)}`;
  return [
    `account&action=txlist&address=${account}&offset=10000`,
    `account&action=txlist&address=${account}&offset=10000&sort=desc&page=2`,
    `logs&action=getLogs&address=${token}&${range}`,
    `logs&action=getLogs&address=${token}&${range}&${topics}`,
    `contract&action=getsourcecode&address=${token}`,
    `contract&action=getcontractcreation&contractaddresses=${tokens.slice(0, 5).join()}`,
  ].map((query) => ({
    name: `Etherscan ${query.slice(0, 60)}`,
    requests: [get(`/etherscan/api?apikey=k&module=${query}`)],
  }));
}

/** Hundreds of connections that ask for the same at once, and a thousand: one more request comes after these. */
const crowds = ({ accounts, tokens }: Known): Input[] =>
  [
    { count: 300, target: `/v1/accounts/${accounts[0]}/transactions?limit=1000` },
    { count: 300, target: `/inspect/account/${accounts[0]}` },
    { count: 300, target: `/inspect/token/${tokens[0]}?limit=100` },
    { count: 1001, target: `/v1/accounts/${accounts[0]}/transactions?limit=100` },
  ].map(({ count, target }) => ({
    name: `${count} times ${target}`,
    requests: several(count, () => get(target)),
  }));

/** What needs no token and has no size. */
export const inputsFor = (known: Known): Input[] => [
  ...crowds(known),
  ...operationInputs(known),
  ...logInputs(known),
  ...viewInputs(known),
  ...etherscanInputs(known),
];

/** Texts that a careless regular expression or scanner reads in quadratic time. */
const pumps: Readonly<Record<string, (size: number) => string>> = {
  "pragma experimental and spaces": (size) => `pragma experimental${" ".repeat(size)}`,
  "an unclosed text": (size) => `"""${'\\"'.repeat(size / 2)}`,
  "an unclosed comment": (size) => "/*".repeat(size / 2),
  "many pragmas": (size) => "pragma experimental ".repeat(size / 20),
  "quotes in turn": (size) => `'"`.repeat(size / 2),
  digits: (size) => "1".repeat(size),
  "hexadecimal digits": (size) => `0x${"0".repeat(size)}`,
  "opening brackets": (size) => "[".repeat(size),
  objects: (size) => '{"a":'.repeat(size / 5),
  "values of a list": (size) => `[${"0,".repeat(size / 2)}0]`,
  backslashes: (size) => "\\".repeat(size),
  "lines and spaces": (size) => " \n".repeat(size / 2),
};

/** Below the limit of a body, in base64, too. */
const largestText = 700_000;

const etherscanForm = (fields: Readonly<Record<string, string>>): Sent => ({
  method: "POST",
  target: "/etherscan/api",
  headers: { "content-type": form },
  body: new URLSearchParams({ apikey: "k", module: "contract", ...fields }).toString(),
});

const post = (target: string, body: unknown, headers: Sent["headers"] = {}): Sent => ({
  method: "POST",
  target,
  headers: { "api-key": "k", "content-type": json, ...headers },
  body: typeof body === "string" ? body : JSON.stringify(body),
});

/** A text in every place that takes a long one. */
function placesOf(text: string, { tokens: [token = addressOf(0)] }: Known): Record<string, Sent> {
  const source = {
    contract_name: "A",
    compiler: "0.7.6",
    runs_optimizer: 200,
    optimization_enabled: 1,
    contract_source: Buffer.from(text).toString("base64"),
    constructor_arguments: "",
  };
  const verify = { action: "verifysourcecode", contractaddress: token, contractname: "A" };
  const version = { compilerversion: "v0.7.6+commit.7338295f" };
  const standard = { codeformat: "solidity-standard-json-input" };
  return {
    "the source of C3": post(`/v1/contracts/${token}/verify`, source),
    "a plain source of C3": post(`/v1/contracts/${token}/verify`, {
      ...source,
      contract_source: text,
    }),
    "the arguments of C3": post(`/v1/contracts/${token}/verify`, {
      ...source,
      constructor_arguments: text,
    }),
    "the body of C3": post(`/v1/contracts/${token}/verify`, text),
    "a source at Etherscan": etherscanForm({ ...verify, ...version, sourceCode: text }),
    "a standard JSON at Etherscan": etherscanForm({
      ...verify,
      ...version,
      ...standard,
      sourceCode: text,
    }),
    "a source in a standard JSON": etherscanForm({
      ...{ ...verify, contractname: "a.sol:A", ...version, ...standard },
      sourceCode: JSON.stringify({ language: "Solidity", sources: { "a.sol": { content: text } } }),
    }),
    "a compiler at Etherscan": etherscanForm({ ...verify, compilerversion: text, sourceCode: "" }),
    "a name at Etherscan": etherscanForm({
      ...verify,
      ...version,
      contractname: text,
      sourceCode: "",
    }),
    "a form": { ...etherscanForm({}), body: text },
    "a source at Sourcify": post(`/sourcify/v2/verify/1717/${token}`, {
      stdJsonInput: { language: "Solidity", sources: { "a.sol": { content: text } }, settings: {} },
      compilerVersion: "0.7.6+commit.7338295f",
      contractIdentifier: "a.sol:A",
    }),
  };
}

/** Texts in every place. */
export const textsFor = (known: Known): Input[] =>
  Object.entries(pumps).flatMap(([pump, textOf]) =>
    Object.entries(placesOf(textOf(largestText), known)).map(([place, request]) => ({
      name: `${pump} as ${place}`,
      requests: [request],
    })),
  );

/** A long source to verify: the body has 1.3 MB. */
export const longSubmission = (known: Known): Sent =>
  placesOf("// a\n".repeat(195_000), known)["the source of C3"] as Sent;

/** What the token allows, on the chain of tenant `k` or of another. */
export function adminInputsFor({
  token,
  accounts: [rich = addressOf(0)],
  head,
  transactions,
}: Known): Input[] {
  const as = (key: string) => ({ "admin-token": token, "api-key": key });
  const action = (name: string, body: unknown = {}, key = "k") =>
    post(`/admin/${name}`, body, as(key));
  const look = (name: string): Sent => ({
    method: "GET",
    target: `/admin/${name}`,
    headers: as("k"),
  });
  return [
    { name: "mine blocks", requests: [action("mine", { blocks: 8000 })] },
    { name: "reorganise", requests: [action("reset"), action("reorganise", { blocks: 1000 })] },
    { name: "rewind", requests: [action("rewind", { blocks: head >> 1 }, "rewinds")] },
    {
      name: "faults",
      requests: [
        action(
          "faults",
          several(960, () => ({ fault: "status", status: 500, probability: 0 })),
        ),
        get(`/v1/accounts/${rich}/transactions`),
        action("reset"),
      ],
    },
    {
      name: "faults of fields",
      requests: [
        action(
          "faults",
          several(16, () => ({ fault: "field", path: "data.value", value: "x".repeat(60_000) })),
        ),
        get(`/v1/accounts/${rich}/transactions?limit=1000`),
        look("faults"),
        action("reset"),
      ],
    },
    {
      name: "the journal",
      requests: [
        ...several(4000, () => get(`/v1/blocks/7?x=${"x".repeat(3000)}`)),
        look("journal"),
      ],
    },
    {
      name: "tenants",
      requests: [
        ...several(400, (index) => post("/admin/mine", { blocks: 2 }, as(`tenant ${index}`))),
        { method: "POST", target: "/admin/reset", headers: { "admin-token": token } },
      ],
    },
    {
      name: "a snapshot and back",
      requests: [action("snapshot"), action("restore", { snapshot: "1" })],
    },
    { name: "drop all", requests: [action("reorganise", { blocks: 100, drop: "all" })] },
    {
      name: "drop one",
      requests: [
        action("reset"),
        action("reorganise", { blocks: 10, drop: transactions.slice(0, 1) }),
      ],
    },
    {
      name: "a field without end",
      requests: [
        action("faults", { fault: "field", path: "data.length", value: 50_000_000 }),
        get("/v1/blocks/7"),
        action("reset"),
      ],
    },
  ];
}
