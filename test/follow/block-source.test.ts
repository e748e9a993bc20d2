// By which methods blocks, receipts and traces are asked for, and what counts as not there, not supported, or not traced.
import { describe, expect, test } from "vitest";
import { BlockSource } from "../../mocks/follow/block-source.ts";
import { FollowError } from "../../mocks/follow/follow-status.ts";
import { RpcNode } from "../../mocks/follow/rpc/node.ts";
import { DEMO, readRecords } from "../support/chains.ts";
import { type Call, FakeNode, type RpcAnswer } from "../support/fake-node.ts";

const recorded = readRecords<{
  readonly block: { readonly transactions: readonly { readonly hash: string }[] };
}>(DEMO, "blocks");
const hashesOf = (number: number) =>
  recorded[number]?.block.transactions.map(({ hash }) => hash) ?? [];
const numbers = recorded.map((_, number) => number);
const EMPTY = numbers.find((number) => hashesOf(number).length === 0) ?? 0;
/** Two blocks in a row with transactions, the first with several. */
const FULL = numbers.find((at) => hashesOf(at).length > 1 && hashesOf(at + 1).length > 0) ?? 0;

const BLOCK = "eth_getBlockByNumber";
const RECEIPTS = "eth_getBlockReceipts";
const BY_HASH = "eth_getReceiptsByHash";
const RECEIPT = "eth_getTransactionReceipt";
const TRACES = "debug_traceBlockByNumber";
const TRACE = "debug_traceTransaction";

const error = (code: number, message: string): RpcAnswer => ({ error: { code, message } });
const unsupported = error(-32601, "no such method");
const quantity = (number: number) => `0x${number.toString(16)}`;

/** A source of the demo chain's blocks, and the calls that it sent: their methods, and what they are about. */
function setUp(
  fault: (call: Call) => RpcAnswer | undefined = () => undefined,
  methods: readonly string[] = ["trace_block", TRACES, TRACE],
) {
  const fake = new FakeNode();
  let asked: string[] = [];
  fake.faults.call = (call) => {
    if (/trace/.test(call.method) && !methods.includes(call.method)) return unsupported;
    asked.push(`${call.method} ${call.params[0]}`);
    return fault(call);
  };
  const node = new RpcNode(fake.url, { fetch: fake.fetch, retries: 0 });
  const source = new BlockSource(node, methods.length > 0);
  /** The calls of one request for blocks. */
  const calls = async (from: number, count = 1) => {
    asked = [];
    await source.blocks(from, count);
    return asked;
  };
  return { source, calls, fake, asked: () => asked };
}
const answer = (method: string, result: unknown) => (call: Call) =>
  call.method === method ? { result } : undefined;

describe("blocks", () => {
  test("come with receipts and traces, empty ones without asking for any", async () => {
    const { source, calls } = setUp(undefined, [TRACES]);
    const [full] = await source.blocks(FULL, 1);
    expect(full?.receipts).toHaveLength(hashesOf(FULL).length);
    expect(full?.traces).toHaveLength(hashesOf(FULL).length);
    expect(await calls(FULL)).toEqual(
      [BLOCK, RECEIPTS, TRACES].map((it) => `${it} ${quantity(FULL)}`),
    );
    const [empty] = await source.blocks(EMPTY, 1);
    expect([empty?.receipts, empty?.traces]).toEqual([[], []]);
    expect(await calls(EMPTY)).toEqual([`${BLOCK} ${quantity(EMPTY)}`]);
  });

  test("are asked of trace_block also if they are empty, for their rewards", async () => {
    const reward = [{ type: "reward" }];
    const { source, calls } = setUp(answer("trace_block", reward));
    expect((await source.blocks(EMPTY, 1))[0]?.traces).toEqual(reward);
    expect(await calls(EMPTY)).toContain(`trace_block ${quantity(EMPTY)}`);
  });

  test("without trace methods come without traces", async () => {
    const { source, calls } = setUp(undefined, []);
    const [full] = await source.blocks(FULL, 1);
    expect(full?.receipts).toHaveLength(hashesOf(FULL).length);
    expect(full?.traces).toBeUndefined();
    expect(await calls(FULL)).toEqual([BLOCK, RECEIPTS].map((it) => `${it} ${quantity(FULL)}`));
  });

  test.each<[string, string, RpcAnswer]>([
    ["the node does not have", BLOCK, { result: null }],
    ["whose header it has not found", BLOCK, error(-32000, "header not found")],
    ["whose receipts are not there", RECEIPTS, { result: null }],
    ["whose traces are not there", TRACES, { result: null }],
  ])("that %s are left out, the others are not", async (_, method, fault) => {
    const { source } = setUp(
      (call) => (call.method === method && call.params[0] === quantity(FULL) ? fault : undefined),
      [TRACES],
    );
    const blocks = await source.blocks(FULL, 2);
    expect(blocks.map((block) => block !== undefined)).toEqual([false, true]);
    expect(source.lack).toBeUndefined();
  });

  test("fail if the node does, with its words", async () => {
    for (const method of [BLOCK, RECEIPTS, TRACES]) {
      const { source } = setUp(
        (call) => (call.method === method ? error(-32603, "internal") : undefined),
        [TRACES],
      );
      await expect(source.blocks(FULL, 1)).rejects.toThrow(
        `the node returned an error for ${method}: internal`,
      );
    }
  });
});

describe("a method that the node does not have", () => {
  const without =
    (...methods: string[]) =>
    (call: Call) =>
      methods.includes(call.method) ? unsupported : undefined;

  test("is followed by the next one, and after three times not asked for again", async () => {
    const { source, calls } = setUp(without(RECEIPTS), [TRACES]);
    const each = hashesOf(FULL).map((hash) => `${RECEIPT} ${hash}`);
    for (let time = 0; time < 3; time += 1)
      expect(await calls(FULL)).toEqual(
        expect.arrayContaining([`${RECEIPTS} ${quantity(FULL)}`, ...each]),
      );
    expect(await calls(FULL)).not.toContain(`${RECEIPTS} ${quantity(FULL)}`);
    const [block] = await source.blocks(FULL, 1);
    expect(block?.receipts).toHaveLength(hashesOf(FULL).length);
  });

  test("is tried last if that is known", async () => {
    const { source, calls } = setUp();
    source.avoid([RECEIPTS, "trace_block"]);
    const asked = await calls(FULL);
    expect(asked).not.toContain(`${RECEIPTS} ${quantity(FULL)}`);
    expect(asked).not.toContain(`trace_block ${quantity(FULL)}`);
    expect(asked).toContain(`${TRACES} ${quantity(FULL)}`);
  });

  test("is asked once more where all are refused: a gateway may have refused one by mistake", async () => {
    let refusals = 2;
    const { source } = setUp(
      ({ method }) => (method.includes("trace") && refusals-- > 0 ? unsupported : undefined),
      ["trace_block", TRACES],
    );
    expect(await source.blocks(FULL, 1)).toEqual([expect.objectContaining({})]);
  });

  test("is an error that no attempt can mend where there is no other", async () => {
    const { source } = setUp(without(RECEIPTS, BY_HASH, RECEIPT), []);
    source.avoid([]);
    const failure = source.blocks(FULL, 2);
    await expect(failure).rejects.toThrow(FollowError);
    await expect(failure).rejects.toThrow(
      `the node supports none of ${RECEIPTS}, ${BY_HASH}, ${RECEIPT}: the node returned an error for ${RECEIPTS}: no such method (-32601); the node returned an error for ${BY_HASH}: no such method (-32601); the node returned an error for ${RECEIPT}: no such method (-32601)`,
    );
    await expect(failure).rejects.toThrow(new RegExp(`block ${FULL}\\b`));
    await expect(failure).rejects.toThrow(/no such method \(-32601\)$/);
    const { source: untraced } = setUp(without(TRACES), [TRACES]);
    await expect(untraced.blocks(FULL, 1)).rejects.toThrow(
      /supports none of trace_block, debug_traceBlockByNumber, debug_traceTransaction: .*Start the node with tracing.*--traces none/,
    );
  });

  test("does not matter for a block without transactions", async () => {
    const { source } = setUp(without("trace_block", TRACES), ["trace_block", TRACES]);
    expect((await source.blocks(EMPTY, 1))[0]?.traces).toEqual([]);
  });
});

describe("what the node says that it does not have", () => {
  test("is noted with the first block", async () => {
    const { source } = setUp(
      ({ method }) => (method === TRACES ? error(-32000, "missing trie node") : undefined),
      [TRACES],
    );
    expect(await source.blocks(FULL, 2)).toEqual([undefined, undefined]);
    expect(source.lack).toMatchObject({
      block: FULL,
      error: { message: expect.stringContaining("missing trie node") },
    });
  });

  test("may be said by no traces at all of a block with transactions", async () => {
    const { source } = setUp(answer(TRACES, []), [TRACES]);
    expect(await source.blocks(FULL, 1)).toEqual([undefined]);
    expect(source.lack?.error.message).toContain("no traces of a block's transactions");
    // Of one without, they are what is there.
    const empty = setUp(answer("trace_block", []));
    expect((await empty.source.blocks(EMPTY, 1))[0]?.traces).toEqual([]);
    expect(empty.source.lack).toBeUndefined();
  });

  test("may be said in the place of one trace", async () => {
    const failed = (words: string) => [
      { txHash: hashesOf(FULL)[0], result: { type: "CALL" } },
      { txHash: hashesOf(FULL)[1], error: words },
    ];
    const { source } = setUp(answer(TRACES, failed("required historical state unavailable")), [
      TRACES,
      TRACE,
    ]);
    expect(await source.blocks(FULL, 1)).toEqual([undefined]);
    expect(source.lack?.error.message).toContain(
      `${hashesOf(FULL)[1]} is not traced: required historical state unavailable`,
    );

    const late = setUp(
      (call) =>
        answer(TRACES, failed("execution timeout"))(call) ?? answer(TRACE, { type: "CALL" })(call),
      [TRACES, TRACE],
    );
    const [block] = await late.source.blocks(FULL, 1);
    expect(block?.traces).toEqual(
      hashesOf(FULL).map((txHash) => ({ txHash, result: { type: "CALL" } })),
    );
    expect(late.source.lack).toBeUndefined();
  });
});

test("steps in place of one trace are a method that the node does not have", async () => {
  const steps = { gas: 21_000, failed: false, returnValue: "", structLogs: [] };
  const { source } = setUp(
    ({ method, params: [hash] }) =>
      method !== TRACE
        ? undefined
        : { result: hash === hashesOf(FULL)[0] ? { type: "CALL" } : steps },
    [TRACE],
  );
  const failure = source.blocks(FULL, 1);
  await expect(failure).rejects.toThrow("the node ignores the tracer (-32601)");
  await expect(failure).rejects.toThrow(FollowError);
});

test("a node that is known to have no tracer is not asked for traces", async () => {
  const { source, calls } = setUp();
  source.avoid(["trace_block", TRACES, TRACE]);
  expect(source.isTraced).toBe(false);
  expect(await calls(FULL)).toEqual([BLOCK, RECEIPTS].map((it) => `${it} ${quantity(FULL)}`));
  source.avoid([]);
  expect(source.isTraced).toBe(true);
});

test("a trace of each transaction is asked of callTracer", async () => {
  const { source, fake } = setUp(undefined, [TRACE]);
  const params: unknown[] = [];
  fake.faults.call = ({ method, params: given }) => {
    if (method === TRACES) return unsupported;
    if (method !== TRACE) return undefined;
    params.push(given);
    return { result: { type: "CALL" } };
  };
  await source.blocks(FULL, 1);
  expect(params).toEqual(hashesOf(FULL).map((hash) => [hash, { tracer: "callTracer" }]));
});

test("a block without the hashes of its transactions is an error that names the field", async () => {
  const { source } = setUp(answer(BLOCK, { transactions: [{}] }));
  await expect(source.blocks(FULL, 1)).rejects.toThrow("block.transactions[0].hash");
});

describe("what a node refuses for good", () => {
  const [, second] = hashesOf(FULL);
  const refusing = { code: -32601, message: "no such method" };

  test("receipts of a block come by its hash, where there are none by its number", async () => {
    const byHash = hashesOf(FULL).map((transactionHash) => ({ transactionHash }));
    const { source } = setUp((call) => {
      if (call.method === RECEIPTS) return { error: refusing };
      return call.method === BY_HASH ? { result: byHash } : undefined;
    }, []);
    expect((await source.blocks(FULL, 1))[0]?.receipts).toEqual(byHash);
  });

  test("one transaction that is not traced, or has no receipt, does not hold up its block", async () => {
    const { source } = setUp(
      (call) => {
        if (call.method === RECEIPTS || call.method === BY_HASH) return { error: refusing };
        if (call.params[0] === second)
          return { error: { code: -32602, message: "not for this one" } };
        return call.method === TRACE ? { result: { type: "CALL" } } : undefined;
      },
      [TRACE],
    );
    const [block] = await source.blocks(FULL, 1);
    expect(Object(block?.receipts)[1]).toBeNull();
    expect(Object(block?.traces)[1]).toBeNull();
    expect(source.incomplete).toEqual([
      expect.stringMatching(`block ${FULL}, transaction ${second}: .*not for this one`),
      expect.stringMatching(`block ${FULL}, transaction ${second}: .*not for this one`),
    ]);
  });
});

describe("what does not belong to a block is left out, and the rest is asked of the next method", () => {
  const others = `0x${"cd".repeat(32)}`;
  const own = recorded[FULL] as unknown as {
    readonly block: { readonly hash: string };
    readonly receipts: readonly { readonly transactionHash: string }[];
    readonly traces: readonly Record<string, unknown>[];
  };
  const [first = ""] = hashesOf(FULL);
  const flat = (transactionHash: string, blockHash = own.block.hash) => ({
    ...{ type: "call", action: { from: "0x", to: "0x" }, transactionHash, blockHash },
    traceAddress: [],
  });

  test.each<[string, string, unknown, string]>([
    [
      "receipts of other transactions",
      RECEIPTS,
      own.receipts.map((one) => ({ ...one, transactionHash: others })),
      RECEIPT,
    ],
    [
      "receipts of another block",
      RECEIPTS,
      own.receipts.map((one) => ({ ...one, blockHash: others })),
      RECEIPT,
    ],
    ["one receipt too few", RECEIPTS, own.receipts.slice(1), RECEIPT],
    ["the same receipt twice", RECEIPTS, own.receipts.map(() => own.receipts[0]), RECEIPT],
    ["no list of receipts", RECEIPTS, {}, RECEIPT],
    ["one receipt too many", RECEIPTS, [...own.receipts, { transactionHash: others }], ""],
    [
      "receipts in upper case",
      RECEIPTS,
      own.receipts.map((one) => ({
        ...one,
        transactionHash: one.transactionHash.toUpperCase().replace("X", "x"),
      })),
      "",
    ],
    [
      "traces of other transactions",
      TRACES,
      own.traces.map((one) => ({ ...one, txHash: others })),
      TRACE,
    ],
    ["traces of one transaction", TRACES, own.traces.slice(0, 1), TRACE],
    ["a text in place of traces", TRACES, "none", TRACE],
    ["flat traces of other transactions", "trace_block", [flat(others)], TRACES],
    [
      "flat traces of another block",
      "trace_block",
      hashesOf(FULL).map((hash) => flat(hash, others)),
      TRACES,
    ],
    ["flat traces of one transaction", "trace_block", [flat(first)], TRACES],
  ])("%s", async (_, method, result, next) => {
    const { source, asked } = setUp((call) => {
      if (call.method === method) return { result };
      if (call.method === BY_HASH || call.method === "trace_block") return unsupported;
      return call.method === TRACE ? { result: { type: "CALL" } } : undefined;
    });
    const [block] = await source.blocks(FULL, 1);
    const receipts = block?.receipts as readonly { readonly transactionHash: string }[];
    expect(receipts.map(({ transactionHash }) => transactionHash.toLowerCase())).toEqual(
      hashesOf(FULL),
    );
    expect(block?.traces).toHaveLength(hashesOf(FULL).length);
    if (next !== "") expect(asked().some((call) => call.startsWith(next))).toBe(true);
    expect(source.incomplete).toEqual([]);
  });

  test("a transaction that a block lists twice is requested once", async () => {
    const { source, asked } = setUp(({ method }) => {
      if (method !== BLOCK)
        return method === RECEIPTS || method === BY_HASH ? unsupported : undefined;
      const { block } = recorded[FULL] ?? { block: { transactions: [] } };
      return { result: { ...block, transactions: [...block.transactions, block.transactions[0]] } };
    });
    const [block] = await source.blocks(FULL, 1);
    expect(asked().filter((call) => call === `${RECEIPT} ${first}`)).toHaveLength(1);
    expect(block?.receipts).toHaveLength(hashesOf(FULL).length);
  });
});
