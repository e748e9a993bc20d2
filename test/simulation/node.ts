// A node of a simulated world, behind a fetch function: a chain as JSON-RPC answers it. It goes away now and then, and its chain grows meanwhile.
import * as AbiParameters from "ox/AbiParameters";
import { blockFields, logFields, transactionFields } from "../../mocks/double/chain/fields.ts";
import { quantityOf } from "../../mocks/double/chain/hex.ts";
import { items } from "../../mocks/double/chain/listing.ts";
import type { Address, BlockInput, Execution, Hex } from "../../mocks/double/chain/records.ts";
import type { ChainWriter } from "../../mocks/double/chain/writer.ts";
import { MRC721_INTERFACE, SELECTORS } from "../../mocks/double/sources/ingest/head-state.ts";

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly [unknown, unknown];
}

type Answer = { readonly result: unknown } | { readonly error: object };

const REVERTED = { error: { code: 3, message: "execution reverted" } };

/** The fields of a record that a node has, as it writes them. */
const written = (
  fields: Readonly<Record<string, { readonly at: string | undefined }>>,
  record: object,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { at }]) => {
      const value: unknown = Reflect.get(record, name);
      const isNumber = typeof value === "number" || typeof value === "bigint";
      return at === undefined || value === null
        ? []
        : [[at.slice(at.indexOf(".") + 1), isNumber ? quantityOf(value) : value]];
    }),
  );

function receiptOf({ transaction, logs }: Execution): object {
  const { hash, from, to, created, succeeded, gasPrice } = transaction;
  return {
    ...written(transactionFields, transaction),
    transactionHash: hash,
    transactionIndex: quantityOf(transaction.index),
    blockNumber: quantityOf(transaction.block.number),
    blockHash: transaction.block.hash,
    from,
    to,
    contractAddress: created,
    status: succeeded ? "0x1" : "0x0",
    effectiveGasPrice: quantityOf(gasPrice ?? 0n),
    logs: logs.map((log) => ({ ...written(logFields, log), transactionHash: hash })),
  };
}

const traceOf = ({
  transaction: { hash, from, to, value, gasUsed, input, succeeded },
}: Execution) => ({
  txHash: hash,
  result: {
    type: to === null ? "CREATE" : "CALL",
    from,
    to,
    value: quantityOf(value),
    gas: quantityOf(gasUsed ?? 0),
    gasUsed: quantityOf(gasUsed ?? 0),
    input,
    ...(succeeded ? {} : { error: "execution reverted" }),
  },
});

function blockOf({ block, executions }: BlockInput, isFull: boolean): object {
  const transactions = executions.map(({ transaction }) =>
    isFull
      ? {
          ...written(transactionFields, transaction),
          hash: transaction.hash,
          transactionIndex: quantityOf(transaction.index),
          blockNumber: quantityOf(block.number),
          gasPrice: quantityOf(transaction.gasPrice ?? 0n),
        }
      : transaction.hash,
  );
  return { ...written(blockFields, block), difficulty: "0x0", uncles: [], transactions };
}

export class SimulatedNode {
  readonly url = "http://node.test";
  readonly chain: ChainWriter;
  /** Nobody reaches it. */
  isAway = false;

  constructor(chain: ChainWriter) {
    this.chain = chain;
  }

  readonly fetch: typeof globalThis.fetch = async (_, init) => {
    if (this.isAway) throw new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") });
    const body = JSON.parse(String(init?.body)) as Call | readonly Call[];
    const answer = (call: Call) => ({ jsonrpc: "2.0", id: call.id, ...this.#answer(call) });
    return Response.json("id" in body ? answer(body) : body.map(answer));
  };

  #answer({ method, params: [subject, second] }: Call): Answer {
    const block = (at: unknown) =>
      this.chain.blockInput(at === "latest" ? this.chain.head.number : Number(at));
    const ofBlock = (make: (input: BlockInput) => unknown): Answer => {
      const input = block(subject);
      return { result: input === undefined ? null : make(input) };
    };
    switch (method) {
      case "eth_chainId":
        return { result: quantityOf(this.chain.chainId) };
      case "eth_accounts":
        return { result: [] };
      case "eth_getBlockByNumber":
        return ofBlock((input) => blockOf(input, second === true));
      case "eth_getBlockReceipts":
        return ofBlock(({ executions }) => executions.map(receiptOf));
      case "debug_traceBlockByNumber":
        return ofBlock(({ executions }) => executions.map(traceOf));
      case "eth_getBalance":
        return this.#at(second, (chain) => ({
          result: quantityOf(chain.balance(subject as Address)),
        }));
      case "eth_getCode":
        return this.#at(second, (chain) => ({ result: chain.code(subject as Address) }));
      case "eth_call":
        return this.#at(second, (chain) => called(chain, subject as { to: Address; data: Hex }));
      default:
        return { error: { code: -32601, message: `the method ${method} does not exist` } };
    }
  }

  /** An answer from the state after a block. */
  #at(at: unknown, answer: (chain: ChainWriter) => Answer): Answer {
    const { head } = this.chain;
    const ago = at === "latest" ? 0 : head.number - Number(at);
    if (ago < 0) return { error: { code: -32000, message: "header not found" } };
    if (ago === 0) return answer(this.chain);
    const past = this.chain.fork();
    past.rewind(ago);
    return answer(past);
  }
}

/** What a token returns. */
function called(chain: ChainWriter, { to, data }: { to: Address; data: Hex }): Answer {
  const token = chain.token(to);
  if (token === undefined) return { result: "0x" };
  const encoded = (type: string, value: unknown): Answer => ({
    result: value === null ? "0x" : AbiParameters.encode([{ type }], [value]),
  });
  const isCollection = token.standard === "mrc721";
  const argument = BigInt(`0x${data.slice(10, 74) || "0"}`);
  switch (data.slice(0, 10)) {
    case SELECTORS.name:
      return encoded("string", token.name);
    case SELECTORS.symbol:
      return encoded("string", token.symbol);
    case SELECTORS.decimals:
      return isCollection ? REVERTED : encoded("uint8", token.decimals);
    case SELECTORS.totalSupply:
      return isCollection ? REVERTED : encoded("uint256", token.totalSupply);
    case SELECTORS.balanceOf:
      return encoded("uint256", chain.tokenBalance(to, `0x${data.slice(34)}`));
    case SELECTORS.supportsInterface:
      return encoded("bool", isCollection && data.slice(10, 18) === MRC721_INTERFACE.slice(2));
    case SELECTORS.ownerOf: {
      const owned = items(chain.nfts(to)).find(({ tokenId }) => tokenId === argument);
      return owned === undefined ? REVERTED : encoded("address", owned.owner);
    }
    default:
      return REVERTED;
  }
}
