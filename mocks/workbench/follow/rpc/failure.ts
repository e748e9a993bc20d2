// What an error of a node means: a fact about the chain, a method or state the node lacks, or a failure to ask again about.

/** An error in a JSON-RPC response. */
export interface JsonRpcError {
  readonly code?: number | undefined;
  readonly message: string;
}

/**
 * - `reverted`: the call ran and failed. It would fail again.
 * - `unsupported`: the node does not have the method.
 * - `unavailable`: the node does not have the block, or no longer has its state.
 * - `transient`: anything else. The same request may succeed later.
 */
export type FailureKind = "reverted" | "unsupported" | "unavailable" | "transient";

/** Error codes with one meaning on all nodes. */
const KIND_BY_CODE: Readonly<Record<number, FailureKind>> = {
  3: "reverted",
  [-32015]: "reverted",
  [-32601]: "unsupported",
  [-32004]: "unsupported",
  [-32001]: "unavailable",
  [-32005]: "transient",
};

/** Nodes agree on little but these words. The first match counts. */
const KIND_BY_MESSAGE: readonly (readonly [RegExp, FailureKind])[] = [
  [
    /revert|invalid opcode|invalidfeopcode|opcode .*not (defined|supported)|out of gas|stack ?(under|over)flow|invalid jump|bad jump|static state change|write protection|vm exception|evm error|insufficient (sender )?(funds|balance)|enough funds|lack of funds|exceeds account balance|processing could not be completed due to an exception/i,
    "reverted",
  ],
  [
    /\brate\b|limit exceeded|too many|too large|capacity|time(d )?[ -]?out|overload|busy/i,
    "transient",
  ],
  [
    /missing trie node|header not found|block not found|unknown block|invalid block tag|block height|blockoutofrange|pruned|(historical|old) (state|data)|no state (is )?available|state .*(not |un)available|not have state|\barchive\b/i,
    "unavailable",
  ],
  [
    /(method|\b(trace|debug)_\w+) .*(not (found|supported|available|allowed|whitelisted|implemented|enabled)|does ?n[o']t exist|disabled)|(unknown|unsupported) method|only supports the default tracer|tracer .*not (found|supported)/i,
    "unsupported",
  ],
];

/** What an error means. */
export function kindOf({ code, message }: JsonRpcError): FailureKind {
  const byCode = code === undefined ? undefined : KIND_BY_CODE[code];
  if (byCode !== undefined) return byCode;
  return KIND_BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1] ?? "transient";
}

/** The words of a limit in time. */
export const RATE = /\brate|per (second|minute|day)/i;

/** Whether the node limits how much is requested. */
export const isLimit = ({ code, message }: JsonRpcError): boolean =>
  code === -32005 || RATE.test(message) || /too many requests/i.test(message);

/** What to do if the node limits how much is requested, to end an error message. */
export const LIMIT_ADVICE =
  ". What to do: wait, or send fewer requests at once (--concurrency, --batch)";

/** An error that the node returned. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly method: string;
  readonly code: number | undefined;
  readonly kind: FailureKind;

  constructor(method: string, error: JsonRpcError) {
    const { code, message } = error;
    const shown = `${message}${code === undefined ? "" : ` (${code})`}`;
    const advice = isLimit(error) ? LIMIT_ADVICE : "";
    super(`the node returned an error for ${method}: ${shown}${advice}`);
    this.method = method;
    this.code = code;
    this.kind = kindOf(error);
  }
}
