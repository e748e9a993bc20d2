// Classifies the errors of nodes and gateways by the words of the message, or by the code.

export interface JsonRpcError {
  readonly code?: number | undefined;
  readonly message: string;
  /** Whether retries returned this error again, while the node answered another call. */
  readonly isForGood?: boolean | undefined;
}

/**
 * The meaning of an error. These are final:
 * - `reverted`: the call ran and failed. It would fail again.
 * - `unsupported`: the node does not have the method.
 * - `unavailable`: the node does not have the block, or no longer has its state.
 * - `refused`: an unknown error that retries returned again, while the node answers other calls.
 *
 * These are retried:
 * - `overload`: the node limits the rate of requests.
 * - `transient`: any other error.
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
  readonly words: RegExp;
  /**
   * Codes count only if no row matches the message, because nodes and gateways use the same code
   * for different errors.
   */
  readonly codes: readonly number[];
}

// Earlier rows win. The words are those of geth, erigon, nethermind, besu, reth, OpenEthereum,
// anvil and Hardhat, and of proxyd, Alchemy, Infura, QuickNode, Ankr and dRPC;
// test/follow/rpc/errors.test.ts lists them with their sources.
const TABLE: readonly Row[] = [
  {
    kind: "reverted",
    words:
      /revert|invalid ?opcode|invalidfeopcode|opcode .*not (defined|supported)|out ?of ?gas|stack ?(under|over)flow|(invalid|bad) ?jump|static ?state ?change|write protection|vm (exception|execution error)|evm error|insufficient (sender )?(funds|balance)|enough funds|lack of funds|exceeds account balance|intrinsic ?gas|execution failed due to an exception|processing could not be completed due to an exception/i,
    codes: [3],
  },
  {
    kind: "overload",
    words:
      /\brate\b|limit (is )?(exceeded|reached)|requests? limit|too many (requests|calls)|requests limited|\bcapacity\b|quota|overload|too much load|\bbusy\b|throttl|compute units?|per (second|minute|day)|exceeded (the|its|your)/i,
    codes: [-32005, 429],
  },
  {
    kind: "transient",
    words:
      /too (large|big)|time(d )?[ -]?out|offline|(not|un)(currently | )?healthy|no (backend|server|upstream)|bad gateway|bad response|invalid response|context canceled|try again/i,
    codes: [],
  },
  {
    kind: "unavailable",
    words:
      /missing trie node|\b(header|block|receipts?|transaction)\b.*not (be )?(found|available)|unknown block|invalid block tag|block height|blockoutofrange|block is out of range|pruned|histor\w+ .*(un|not |haven't )|(historical|old) (state|data)|no state (is )?available|state .*(not |un)available|not have state|ancient block|\barchive\b/i,
    codes: [-32001, 4444],
  },
  {
    kind: "unsupported",
    words:
      /(method|module|namespace|api|feature|tracer|\b(eth|trace|debug)_\w+)\b.*(not |n't |un|dis)(be )?(found|supported|available|allowed|permitted|whitelisted|listed|implemented|enabled|included|exist|abled|known)|(unknown|unsupported|disabled|invalid) (method|module)|not (implemented|supported|permitted|whitelisted)|not in(cluded in)? (your|the) (current )?plan|only supports the default tracer|deprecated/i,
    codes: [-32601, -32602, -32004, -32604],
  },
];

/** Maximum characters of a message that are read, because the patterns take quadratic time. */
const MAX_LENGTH = 2000;

/** Classifies an error by its message, or by its code if no row matches the message. */
export function kindOf({ code, message, isForGood }: JsonRpcError): FailureKind {
  const beginning = message.slice(0, MAX_LENGTH);
  const row =
    TABLE.find(({ words }) => words.test(beginning)) ??
    TABLE.find(({ codes }) => code !== undefined && codes.includes(code));
  const kind = row?.kind ?? "transient";
  return kind === "transient" && isForGood ? "refused" : kind;
}

/** Ends a message about a limit on the rate of requests. */
export const LIMIT_ADVICE =
  ". What to do: wait, or send fewer requests at once (--concurrency, --batch)";

/** Whether the node refuses a batch. geth returns this error with the id of the first call. */
export const refusesBatch = (error: JsonRpcError): boolean =>
  /\bbatch/i.test(error.message) &&
  !/\brate\b|per (second|minute|day)/i.test(error.message) &&
  kindOf(error) !== "reverted";

/**
 * Whether a call failed because its batch was too large. geth answers only the first calls of such
 * a batch.
 */
export const isTooMuch = (error: JsonRpcError): boolean =>
  kindOf(error) === "transient" &&
  /response (is )?too (large|big)|request timed out/i.test(error.message);

export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly method: string;
  readonly code: number | undefined;
  readonly kind: FailureKind;

  constructor(method: string, error: JsonRpcError, kind: FailureKind = kindOf(error)) {
    const { code, message } = error;
    const shown = `${message}${code === undefined ? "" : ` (${code})`}`;
    const advice = kind === "overload" ? LIMIT_ADVICE : "";
    super(`the node returned an error for ${method}: ${shown}${advice}`);
    this.method = method;
    this.code = code;
    this.kind = kind;
  }

  /** Whether the node would return the same error again, so that another method is worth a try. */
  get isFinal(): boolean {
    return this.kind === "unsupported" || this.kind === "refused" || this.kind === "reverted";
  }
}
