// What an error of a node means, in one table: for good, or to be asked again about.

/** An error in a JSON-RPC response. */
export interface JsonRpcError {
  readonly code?: number | undefined;
  readonly message: string;
  /** The node gave it to the same call again and again, while it answered others. */
  readonly isForGood?: boolean | undefined;
}

/**
 * For good:
 * - `reverted`: the call ran and failed. It would fail again.
 * - `unsupported`: the node does not have the method.
 * - `unavailable`: the node does not have the block, or no longer has its state.
 * - `refused`: the same answer to the same call for two seconds, while others succeed.
 *
 * To be asked again about:
 * - `overload`: the node limits how much is asked.
 * - `transient`: anything else. The same request may succeed later.
 */
export type FailureKind =
  | "reverted"
  | "unsupported"
  | "unavailable"
  | "refused"
  | "overload"
  | "transient";

interface Row {
  readonly kind: FailureKind;
  /** Error codes with this meaning on all nodes. */
  readonly codes: readonly number[];
  /** Nodes agree on little but these words. */
  readonly words: RegExp;
}

/** Codes count before words, and earlier rows before later ones. */
const TABLE: readonly Row[] = [
  {
    kind: "reverted",
    codes: [3, -32015],
    words:
      /revert|invalid opcode|invalidfeopcode|opcode .*not (defined|supported)|out of gas|stack ?(under|over)flow|invalid jump|bad jump|static state change|write protection|vm exception|evm error|insufficient (sender )?(funds|balance)|enough funds|lack of funds|exceeds account balance|processing could not be completed due to an exception/i,
  },
  {
    kind: "overload",
    codes: [-32005],
    words: /\brate\b|limit exceeded|too many|capacity|overload|busy|per (second|minute|day)/i,
  },
  { kind: "transient", codes: [], words: /too large|time(d )?[ -]?out/i },
  {
    kind: "unavailable",
    codes: [-32001],
    words:
      /missing trie node|header not found|block not found|unknown block|invalid block tag|block height|blockoutofrange|pruned|(historical|old) (state|data)|no state (is )?available|state .*(not |un)available|not have state|\barchive\b/i,
  },
  {
    kind: "unsupported",
    codes: [-32601, -32004],
    words:
      /(method|\b(trace|debug)_\w+) .*(not (found|supported|available|allowed|whitelisted|implemented|enabled)|does ?n[o']t exist|disabled)|(unknown|unsupported) method|only supports the default tracer|tracer .*not (found|supported)/i,
  },
];

/** "Invalid params": if the words say no more, the node lacks the method, or what the call asks of it. */
const INVALID_PARAMS = -32602;

/** What an error means. */
export function kindOf({ code, message, isForGood }: JsonRpcError): FailureKind {
  const row =
    TABLE.find(({ codes }) => code !== undefined && codes.includes(code)) ??
    TABLE.find(({ words }) => words.test(message));
  const kind = row?.kind ?? (code === INVALID_PARAMS ? "unsupported" : "transient");
  return kind === "transient" && isForGood ? "refused" : kind;
}

/** What to do if the node limits how much is requested, to end an error message. */
export const LIMIT_ADVICE =
  ". What to do: wait, or send fewer requests at once (--concurrency, --batch)";

/** Whether an error is about the size of a batch: geth gives it the id of the first call. */
export const refusesBatch = (error: JsonRpcError): boolean =>
  /\bbatch/i.test(error.message) &&
  !/\brate|per (second|minute|day)/i.test(error.message) &&
  kindOf(error) !== "reverted";

/** Whether a call failed for the size of its batch: geth answers the first calls, and the others like this. */
export const isTooMuch = (error: JsonRpcError): boolean =>
  kindOf(error) === "transient" &&
  /response (is )?too (large|big)|request timed out/i.test(error.message);

/** An error that the node returned. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly method: string;
  readonly code: number | undefined;
  readonly kind: FailureKind;

  constructor(method: string, error: JsonRpcError) {
    const { code, message } = error;
    const kind = kindOf(error);
    const shown = `${message}${code === undefined ? "" : ` (${code})`}`;
    const advice = kind === "overload" ? LIMIT_ADVICE : "";
    super(`the node returned an error for ${method}: ${shown}${advice}`);
    this.method = method;
    this.code = code;
    this.kind = kind;
  }
}
