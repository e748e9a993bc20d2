// `/etherscan/api` over HTTP: what tools send in Etherscan's forms, and what they are told.
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Address, Hex } from "../../mocks/chain/records.ts";
import {
  buildChain,
  type CallFrame,
  coins,
  createExplorer,
  createVerifier,
  type ExplorerOptions,
  eventTopic,
  serveExplorer,
  type Verifier,
  word,
} from "../../mocks/node.ts";
import { compile } from "../verify/support.ts";

const verifier = createVerifier({ timeout: 300_000 });
afterAll(() => verifier.close());

const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
library Points { function twice(uint256 a) external pure returns (uint256) { return a * 2; } }
contract Counter {
  uint256 public count;
  constructor(uint256 first) { count = first; }
  function increment() external { count = Points.twice(count); }
}
`;
const library: Address = `0x${"1b".repeat(20)}`;
const file = "src/Counter.sol";
const argument = word(7n).slice(2);

const builder = buildChain();
const deployer = builder.account({ balance: coins(10) });
let counter: Address;
beforeAll(() => {
  const wanted = { version: "0.8.28", source, name: "Counter", file };
  const { creation, runtime } = compile(wanted);
  const link = (code: Hex): Hex =>
    `0x${code.slice(2).replaceAll(/__\$\w{34}\$__/g, "1b".repeat(20))}`;
  counter = builder.deploy(deployer, {
    code: link(runtime),
    initCode: link(creation),
    constructorArguments: `0x${argument}`,
  }).address;
  builder.mine();
});

const standardInput = (text = source) =>
  JSON.stringify({
    language: "Solidity",
    sources: { [file]: { content: text }, "src/Other.sol": { content: "contract Other {}" } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      libraries: { [file]: { Points: library } },
      outputSelection: { "*": { "*": ["abi"] } },
    },
  });

type Fields = Readonly<Record<string, string>>;

/** A served explorer, and how to ask it as a tool of the first version of Etherscan's API. */
async function serve(options: ExplorerOptions = {}) {
  const mock = createExplorer({ chain: builder.chain.fork(), verifier, ...options });
  const served = await serveExplorer(mock);
  onTestFinished(() => served.close());
  const url = `${served.url}/etherscan/api`;
  const answer = async (response: Response): Promise<unknown> => {
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    return response.json();
  };
  const get = async (action: string, fields: Fields = {}) =>
    answer(await fetch(`${url}?${new URLSearchParams({ module: "contract", action, ...fields })}`));
  const post = async (action: string, fields: Fields, to = url) => {
    const body = new URLSearchParams({ module: "contract", action, ...fields });
    return answer(await fetch(to, { method: "POST", body }));
  };
  /** Submits, and asks for the outcome until there is one. */
  const verify = async (fields: Fields) => {
    const submitted = (await post("verifysourcecode", fields)) as Fields;
    if (submitted.status !== "1") return submitted;
    const guid = submitted.result ?? "";
    for (;;) {
      const found = (await get("checkverifystatus", {
        guid,
        apikey: fields.apikey ?? "",
      })) as Fields;
      if (found.result !== "Pending in queue") return found;
    }
  };
  return { served, mock, url, get, post, verify };
}

const standard = (changed: Fields = {}): Fields => ({
  contractaddress: counter,
  sourceCode: standardInput(),
  codeformat: "solidity-standard-json-input",
  contractname: `${file}:Counter`,
  compilerversion: "v0.8.28+commit.7893614a",
  constructorArguements: argument,
  ...changed,
});

const single = (changed: Fields = {}): Fields => ({
  ...standard(),
  sourceCode: source,
  codeformat: "solidity-single-file",
  contractname: "Counter",
  optimizationUsed: "1",
  runs: "200",
  libraryname1: "Points",
  libraryaddress1: library,
  ...changed,
});

const passed = { status: "1", message: "OK", result: "Pass - Verified" };
const failed = (result: unknown) => ({ status: "0", message: "NOTOK", result });
const unverified = failed("Contract source code not verified");

describe("a submission", () => {
  test("of a standard JSON input is verified; C1, C2 and the endpoint have its source", async () => {
    const { mock, get, verify } = await serve();
    expect(await get("getabi", { address: counter })).toEqual(unverified);
    expect(await get("getsourcecode", { address: counter })).toMatchObject({
      status: "1",
      result: [{ SourceCode: "", ABI: "Contract source code not verified" }],
    });

    expect(await verify(standard())).toEqual(passed);

    const ask = async (path: string) => {
      const response = await mock.fetch(`${mock.baseUrl}/v1/contracts/${counter}/${path}`, {
        headers: { "api-key": "any" },
      });
      const { results } = (await response.json()) as { results: { data: Record<string, unknown> } };
      return results.data;
    };
    expect(await ask("code")).toMatchObject({
      contract_name: "Counter",
      // The other file of the input is not read.
      contract_source: source,
      constructor_arguments: argument,
      libraries: JSON.stringify([{ name: "Points", address: library }]),
      verify_level: "exact",
    });
    expect(await ask("abi")).toContainEqual(expect.objectContaining({ name: "increment" }));

    const { result: abi } = (await get("getabi", { address: counter })) as Fields;
    expect(JSON.parse(abi ?? "")).toContainEqual(expect.objectContaining({ name: "increment" }));
    expect(await get("getsourcecode", { address: counter })).toEqual({
      status: "1",
      message: "OK",
      result: [
        {
          SourceCode: source,
          ABI: abi,
          ContractName: "Counter",
          CompilerVersion: "v0.8.28+commit.7893614a",
          OptimizationUsed: "1",
          Runs: "200",
          ConstructorArguments: argument,
          EVMVersion: "cancun",
          Library: `Points:${"1b".repeat(20)}`,
          LicenseType: "",
          Proxy: "0",
          Implementation: "",
          SwarmSource: expect.stringMatching(/^ipfs:/),
        },
      ],
    });
  });

  test("is taken in the form of the second version, with the action in the query", async () => {
    const { served, get } = await serve();
    const path = "etherscan/v2/api";
    const query = "chainid=1717&module=contract&action=verifysourcecode&apikey=any";
    const body = new URLSearchParams(standard());
    const response = await fetch(`${served.url}/${path}?${query}`, { method: "POST", body });
    const { result: guid, ...rest } = (await response.json()) as Fields;
    expect({ guid, ...rest }).toEqual({
      status: "1",
      message: "OK",
      guid: expect.stringMatching(/^[0-9a-f]{50}$/),
    });
    expect(await get("checkverifystatus", { guid: guid ?? "", chainid: "1717" })).toEqual(passed);
  });

  test("that is wrong fails with the reason, and nothing is recorded", async () => {
    const other = source.replace("* 2", "* 3").replace("twice(count)", "twice(count) + 1");
    for (const [fields, reason] of [
      [{ sourceCode: standardInput(other) }, "Runtime code differs from byte"],
      [{ sourceCode: "contract Counter {}" }, "The standard JSON input is not JSON"],
    ] as const) {
      const service = await serve();
      expect(await service.verify(standard(fields))).toEqual(
        failed(expect.stringMatching(`^Fail - Unable to verify: .*${reason}`)),
      );
      expect(await service.get("getabi", { address: counter })).toEqual(unverified);
    }
  });

  test("of a contract that is verified exactly is answered so; one verified in part may become exact", async () => {
    const { verify, post, mock } = await serve();
    const commented = { sourceCode: `${source}// more` };
    expect(await verify(single(commented))).toEqual(passed);
    expect(mock.chain.verified(counter)).toMatchObject({ level: "partial" });
    expect(await verify(standard())).toEqual(passed);
    expect(mock.chain.verified(counter)).toMatchObject({ level: "exact" });
    expect(await post("verifysourcecode", standard())).toEqual(
      failed("Contract source code already verified"),
    );
  });

  test("is pending while it waits, and fails without a verdict where too many wait", async () => {
    const waiting: Verifier["verify"] = () => new Promise(() => {});
    const pending = await serve({ verifier: { verify: waiting, close: async () => {} } });
    const submitted = (await pending.post("verifysourcecode", standard())) as Fields;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let isPending = true;
    const asked = pending.get("checkverifystatus", { guid: submitted.result ?? "" });
    void asked.then(() => {
      isPending = false;
    });
    while (isPending) {
      await new Promise((resolve) => setImmediate(resolve));
      vi.advanceTimersByTime(100);
    }
    expect(await asked).toEqual(failed("Pending in queue"));
    vi.useRealTimers();

    const full = await serve({
      verifier: {
        verify: async (_, __, turn) => ({
          verified: null,
          message: `Too many verifications of ${turn?.submitter}`,
          cause: "submitter",
          retryAfter: 20,
        }),
        close: async () => {},
      },
    });
    expect(await full.verify(standard({ apikey: "mine" }))).toEqual(
      failed(
        "Fail - Unable to verify: Too many verifications of mine; nothing was recorded, submit it again in 20 seconds",
      ),
    );
  });

  test("that breaks the verifier is an internal error without its details", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const verify = async () => {
      throw new Error("secret path");
    };
    const broken = await serve({ verifier: { verify, close: async () => {} } });
    expect(await broken.verify(standard())).toEqual(
      failed("Fail - Unable to verify: internal error"),
    );
    expect(log).toHaveBeenCalledOnce();
  });
});

test("what is missing or wrong is told in Etherscan's form, with what to do", async () => {
  const { url, get, post } = await serve();
  const empty = `0x${"ee".repeat(20)}`;
  const forms =
    "expected solidity-standard-json-input or solidity-single-file, received vyper-json";
  for (const [fields, message] of [
    [{ contractaddress: empty }, `Unable to locate ContractCode at ${empty}`],
    [{ sourceCode: "" }, expect.stringMatching(/^sourceCode: expected .* received nothing$/)],
    [{ contractaddress: "0x12" }, expect.stringMatching(/^contractaddress: expected .*"0x12"/)],
    [{ codeformat: "vyper-json" }, `codeformat: ${forms}`],
  ] as const)
    expect(await post("verifysourcecode", standard(fields))).toEqual(failed(message));
  expect(await get("checkverifystatus", { guid: "none" })).toEqual(
    failed("guid: unknown or forgotten; submit the source again"),
  );
  expect(await get("balance", { module: "account", address: counter })).toEqual(
    failed("action: expected txlist, received balance; the explorer's own API is below /v1"),
  );
  expect(await get("getabi", { module: "stats" })).toEqual(
    failed("module: expected contract, logs, account, received stats"),
  );

  const send = async (body: string, type: string) => {
    const response = await fetch(url, { method: "POST", body, headers: { "content-type": type } });
    expect(response.status).toBe(200);
    return response.json();
  };
  expect(await send("{}", "application/json")).toEqual(
    failed("Content-Type: expected application/x-www-form-urlencoded, received application/json"),
  );
  expect(await send("a&".repeat(200), "application/x-www-form-urlencoded")).toEqual(
    failed("the form: expected at most 200 fields, received more"),
  );
  expect(await send("a".repeat(2 * 2 ** 20), "application/x-www-form-urlencoded")).toEqual(
    failed("the body is larger than 1572864 bytes: submit only the files that the contract needs"),
  );
});

test("without a verifier nothing is verified", async () => {
  const { post } = await serve({ verifier: undefined });
  expect(await post("verifysourcecode", standard())).toEqual(
    failed("this service has no compiler: source code cannot be verified here"),
  );
});

describe("the key", () => {
  test("is Etherscan's apikey, one of those listed", async () => {
    const { get } = await serve({ apiKeys: ["right"] });
    const address = counter;
    expect(await get("getabi", { address })).toEqual(
      failed("Missing/Invalid API Key: give the tool one of this explorer's keys"),
    );
    expect(await get("getabi", { address, apikey: "wrong" })).toEqual(
      failed("api-key: not a known key"),
    );
    expect(await get("getabi", { address, apikey: "right" })).toEqual(unverified);
  });

  test("chooses the chain where each has its own, and is nowhere in the journal", async () => {
    const { get, verify, mock } = await serve({ tenant: "api-key" });
    expect(await verify(standard({ apikey: "one" }))).toEqual(passed);
    expect(await get("getabi", { address: counter, apikey: "one" })).toMatchObject({ status: "1" });
    expect(await get("getabi", { address: counter, apikey: "two" })).toEqual(unverified);
    expect(mock.journal.entries).toEqual([]);
    expect(JSON.stringify(mock.tenant("one").journal.entries)).not.toContain("apikey");
  });

  test("owns what was submitted with it", async () => {
    const { get, post } = await serve({ tenant: "api-key" });
    const guid = await submitProxy(post, { apikey: "one" });
    const check = (apikey: string) => get("checkproxyverification", { apikey, guid });
    expect(await check("one")).toMatchObject({ result: expect.stringContaining("not detected") });
    expect(await check("two")).toMatchObject({ result: expect.stringContaining("unknown") });
  });
});

/** Says that the counter is a proxy; returns the id to ask what became of it. */
async function submitProxy(
  post: (action: string, fields: Fields) => Promise<unknown>,
  fields: Fields = {},
): Promise<string> {
  const { result } = (await post("verifyproxycontract", { address: counter, ...fields })) as Fields;
  return String(result);
}

describe("as part of the service", () => {
  test("faults strike it, and the journal says so", async () => {
    const { mock, get, url } = await serve();
    await get("getabi", { address: counter, apikey: "secret" });
    mock.faults.add({ fault: "status", status: 503, operation: "contracts.abi", times: 1 });
    const ask = () => fetch(`${url}?module=contract&action=getabi&address=${counter}`);
    expect((await ask()).status).toBe(503);
    expect((await ask()).status).toBe(200);
    expect(mock.journal.entries.map(({ faults }) => faults)).toEqual([[], ["status"], []]);
  });

  test("the journal and logs have what no operation takes, too, without its key", async () => {
    const logged: unknown[] = [];
    const { mock, get } = await serve({
      now: () => 7,
      onRequest: ({ method, target, status, message }) =>
        logged.push({ method, target, status, message }),
    });
    await get("getabi", { address: counter, apikey: "secret" });
    await get("balance", { apikey: "secret" });
    const start = "/etherscan/api?module=contract&action";
    expect(logged).toEqual([
      { method: "GET", target: `${start}=getabi&address=${counter}`, status: 200 },
      {
        method: "GET",
        target: `${start}=balance&apikey=[api-key]`,
        status: 200,
        message: expect.stringMatching(/^action: expected .* received balance/),
      },
    ]);
    expect(mock.journal.entries).toMatchObject(logged.map((one) => ({ ...Object(one), at: 7 })));
  });

  test("reading changes nothing: what submits needs a POST, and what reads takes one", async () => {
    const { url, mock, post } = await serve();
    expect(await post("getabi", { address: counter })).toEqual(unverified);
    const query = new URLSearchParams({
      module: "contract",
      action: "verifysourcecode",
      ...standard(),
    });
    const response = await fetch(`${url}?${query}`);
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
    const removed = await fetch(`${url}?module=contract&action=getabi`, { method: "DELETE" });
    expect(removed.status).toBe(405);
    expect(mock.chain.verified(counter)).toBeUndefined();
  });

  test("a reset forgets what was submitted", async () => {
    const { mock, get, post } = await serve();
    const guid = await submitProxy(post);
    const check = () => get("checkproxyverification", { guid });
    expect(await check()).toMatchObject({ result: expect.stringContaining("not detected") });
    mock.reset();
    expect(await check()).toMatchObject({ result: expect.stringContaining("unknown") });
  });
});

describe("what tools ask beside verification", () => {
  test("who created a contract", async () => {
    const { get } = await serve();
    const [transaction] = builder.chain.transactions(counter, "contract", {}).slice(0, 1);
    expect(await get("getcontractcreation", { contractaddresses: counter })).toMatchObject({
      status: "1",
      result: [
        {
          contractAddress: counter,
          contractCreator: deployer,
          txHash: transaction?.hash,
          blockNumber: `${transaction?.block.number}`,
          contractFactory: "",
          creationBytecode: transaction?.input,
        },
      ],
    });
    const many = Array.from({ length: 6 }, () => counter).join();
    expect(await get("getcontractcreation", { contractaddresses: many })).toEqual(
      failed("contractaddresses: expected 1 to 5 addresses, joined by commas"),
    );
    expect(await get("getcontractcreation", { contractaddresses: deployer })).toEqual({
      status: "0",
      message: "No data found",
      result: [],
    });
  });

  test("the transactions of an account, in either order, page by page", async () => {
    const story = buildChain();
    const alice = story.account({ balance: coins(10) });
    const hashes = [{}, { fails: "no" }, {}].map((options) => {
      const { hash } = story.transfer(alice, library, 1n, options);
      story.mine();
      return hash;
    });
    const { get } = await serve({ chain: story.chain });
    const ask = (fields: Fields) => get("txlist", { module: "account", address: alice, ...fields });
    const hashesOf = async (fields: Fields) =>
      ((await ask(fields)) as { result: { hash: string }[] }).result.map(({ hash }) => hash);
    expect(await ask({})).toMatchObject({
      result: [
        { hash: hashes[0], confirmations: "2", isError: "0", txreceipt_status: "1" },
        { hash: hashes[1], confirmations: "1", isError: "1", txreceipt_status: "0" },
        { hash: hashes[2], confirmations: "0" },
      ],
    });
    expect(await hashesOf({ sort: "desc" })).toEqual(hashes.toReversed());
    expect(await hashesOf({ page: "2", offset: "2" })).toEqual(hashes.slice(2));
    expect(await hashesOf({ startblock: "2", endblock: "2" })).toEqual(hashes.slice(1, 2));
    expect(await hashesOf({ startblock: "latest" })).toEqual(hashes.slice(2));
    expect(await ask({ startblock: "9999999" })).toEqual({
      status: "0",
      message: "No transactions found",
      result: [],
    });
    expect(await ask({ startblock: "x" })).toEqual(
      failed("startblock: expected a block number or latest, received x"),
    );
  });

  test("a proxy, its implementation, and its events", async () => {
    const story = buildChain();
    const alice = story.account({ balance: coins(10) });
    const target = story.deploy(alice).address;
    story.mine();
    const clone = story.deploy(alice, {
      code: `0x363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3`,
      does: (frame) => frame.emit([eventTopic("Upgraded(address)"), word(BigInt(target))]),
    }).address;
    story.mine(2);
    const { get, post } = await serve({ chain: story.chain });
    expect(await get("getsourcecode", { address: clone })).toMatchObject({
      result: [{ SourceCode: "", Proxy: "1", Implementation: target }],
    });
    const outcome = async (expectedimplementation: string) => {
      const guid = await submitProxy(post, { address: clone, expectedimplementation });
      return get("checkproxyverification", { guid });
    };
    expect(await outcome(target)).toEqual({
      status: "1",
      message: "OK",
      result: `The proxy's (${clone}) implementation contract is found at ${target} and is successfully updated.`,
    });
    expect(await outcome(library)).toEqual(
      failed(`The proxy's (${clone}) implementation contract is ${target}, not ${library}.`),
    );
    const logs = (fields: Fields) =>
      get("getLogs", {
        module: "logs",
        address: clone,
        fromBlock: "0",
        toBlock: "latest",
        ...fields,
      });
    expect(await logs({ topic0: eventTopic("Upgraded(address)") })).toMatchObject({
      status: "1",
      result: [{ address: clone, topics: [eventTopic("Upgraded(address)"), word(BigInt(target))] }],
    });
    for (const none of [
      { topic0: eventTopic("AdminChanged(address,address)") },
      { fromBlock: "latest" },
      { toBlock: "1" },
      { page: "2" },
    ])
      expect(await logs(none)).toEqual({ status: "0", message: "No records found", result: [] });
    const both = { topic0: eventTopic("Upgraded(address)"), topic1: word(1n) };
    expect(await logs({ ...both, topic0_1_opr: "and" })).toMatchObject({ result: [] });
    expect(await logs({ ...both, topic0_1_opr: "or" })).toMatchObject({
      result: [{ address: clone }],
    });
  });
});

test("getLogs has at most 1000 logs of a page, whatever is asked for", async () => {
  const builder = buildChain({ freeGas: true });
  const alice = builder.account({ name: "alice" });
  const { address } = builder.deploy(alice);
  const does = (frame: CallFrame) => {
    for (let log = 0; log < 1001; log += 1) frame.emit([word(BigInt(log))]);
  };
  builder.call(alice, { to: address, does });
  builder.mine();
  const served = await serveExplorer(createExplorer({ chain: builder }));
  onTestFinished(() => served.close({ graceMs: 0 }));
  const topicsOn = async (page: number, offset: number) => {
    const query = new URLSearchParams({
      ...{ module: "logs", action: "getLogs", address, fromBlock: "0", toBlock: "latest" },
      ...{ apikey: "any", page: `${page}`, offset: `${offset}` },
    });
    const { result } = await (await fetch(`${served.url}/etherscan/api?${query}`)).json();
    return result.map(({ topics }: { topics: readonly string[] }) => Number(topics[0]));
  };
  const numbers = Array.from({ length: 1001 }, (_, log) => log);
  expect(await topicsOn(1, 10_000)).toEqual(numbers.slice(0, 1000));
  expect(await topicsOn(2, 10_000)).toEqual([1000]);
  expect(await topicsOn(3, 5)).toEqual(numbers.slice(10, 15));
});
