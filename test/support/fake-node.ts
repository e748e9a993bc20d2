// A node behind a fetch function: the recorded demo chain up to a head that tests move, with faults
// on demand.
import { DEMO, readRecords } from "./chains.ts";

/** A JSON-RPC call as it arrives. */
export interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

export type RpcAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

export interface FakeNodeFaults {
  /** Instead of the answer to a whole HTTP request; an exception fails the connection. */
  post?: (
    calls: readonly Call[],
    signal: AbortSignal | undefined,
  ) => Response | undefined | Promise<Response | undefined>;
  /** Instead of the answer to a call; null leaves it out of the response. */
  call?: (call: Call) => RpcAnswer | null | undefined;
}

interface RecordedBlock {
  readonly block: { readonly hash: string; readonly transactions: { readonly hash: string }[] };
  readonly receipts: readonly { readonly transactionHash: string }[];
  readonly traces: unknown;
}

const REVERTED = { error: { code: 3, message: "execution reverted" } };
const unsupported = (method: string): RpcAnswer => ({
  error: { code: -32601, message: `the method ${method} does not exist` },
});

let demo: { blocks: RecordedBlock[]; results: Map<string, RpcAnswer> } | undefined;

/** The recorded blocks, and the results of recorded calls by method and subject. */
function recorded() {
  if (demo !== undefined) return demo;
  const results = new Map<string, RpcAnswer>();
  for (const { method, params, result, error } of readRecords(DEMO, "calls")) {
    const [subject, at] = params as unknown[];
    if (at !== "latest" && method !== "eth_chainId") continue;
    const answer = { ...(error === undefined ? { result } : { error }) } as RpcAnswer;
    results.set(keyOf(String(method), subject), answer);
  }
  demo = { blocks: readRecords<RecordedBlock>(DEMO, "blocks"), results };
  return demo;
}

const keyOf = (method: string, subject: unknown) => `${method} ${JSON.stringify(subject)}`;

export class FakeNode {
  readonly url = "http://node.test/key";
  faults: FakeNodeFaults = {};
  /** The number of the last block. */
  head: number;
  /**
   * Version that the node reports. A development node, such as `anvil/v1.7.1`, may revert blocks.
   */
  version: string | undefined;
  /** HTTP requests so far. */
  posts = 0;
  /** Calls so far, by method. */
  readonly asked = new Map<string, number>();
  readonly #missing: ReadonlySet<string>;

  /** @param missing methods that the node does not have */
  constructor(missing: readonly string[] = ["trace_block"]) {
    this.head = recorded().blocks.length - 1;
    this.#missing = new Set(missing);
  }

  readonly fetch: typeof globalThis.fetch = async (_, init) => {
    this.posts += 1;
    const body: unknown = JSON.parse(String(init?.body));
    const calls = (Array.isArray(body) ? body : [body]) as Call[];
    const fault = await this.faults.post?.(calls, init?.signal ?? undefined);
    if (fault !== undefined) return fault;
    const responses = calls.flatMap((call) => {
      const answer = this.faults.call?.(call);
      if (answer === null) return [];
      return { jsonrpc: "2.0", id: call.id, ...(answer ?? this.answer(call)) };
    });
    return Response.json(Array.isArray(body) ? responses : (responses[0] ?? {}));
  };

  answer({ method, params: [subject, second] }: Call): RpcAnswer {
    this.asked.set(method, (this.asked.get(method) ?? 0) + 1);
    if (this.#missing.has(method)) return unsupported(method);
    const { blocks, results } = recorded();
    const block = () => {
      const number = subject === "latest" ? this.head : Number(subject);
      return number <= this.head ? blocks[number] : undefined;
    };
    const traced = (of: RecordedBlock | undefined) => (of === undefined ? null : of.traces);
    switch (method) {
      case "eth_chainId":
        return results.get(keyOf(method, undefined)) ?? unsupported(method);
      case "eth_accounts":
        return { result: recordedAccounts() };
      case "web3_clientVersion":
        return this.version === undefined ? unsupported(method) : { result: this.version };
      case "eth_getBlockByNumber": {
        const recordedBlock = block()?.block;
        if (recordedBlock === undefined) return { result: null };
        if (second === true) return { result: recordedBlock };
        return {
          result: {
            ...recordedBlock,
            transactions: recordedBlock.transactions.map(({ hash }) => hash),
          },
        };
      }
      case "eth_getBlockReceipts":
        return { result: block()?.receipts ?? null };
      case "debug_traceBlockByNumber":
        return { result: traced(block()) };
      case "eth_getTransactionByHash":
        return {
          result: blocks
            .flatMap(({ block }) => block.transactions)
            .find(({ hash }) => hash === subject),
        };
      case "eth_getTransactionReceipt":
        return { result: receiptOf(String(subject)) ?? null };
      case "eth_getBalance":
        return results.get(keyOf(method, subject)) ?? { result: "0x0" };
      case "eth_getCode":
        return results.get(keyOf(method, subject)) ?? { result: "0x" };
      case "eth_call":
        return results.get(keyOf(method, subject)) ?? REVERTED;
      default:
        return unsupported(method);
    }
  }
}

/** The accounts that hold coins from the start. */
const recordedAccounts = () =>
  readRecords(DEMO, "calls")
    .filter(({ group }) => group === "genesis-balance")
    .map(({ params }) => (params as unknown[])[0]);

const receiptOf = (hash: string) =>
  recorded()
    .blocks.flatMap(({ receipts }) => receipts)
    .find(({ transactionHash }) => transactionHash === hash);
