// Asks the followed node for the admin API: calls and storage at any block, transactions from the node's own accounts, and what only a development node does.
import type { OperationResultsWire } from "../../../src/contract/index.ts";
import { isAddress, isHash, isHex } from "../../../src/models/hex.ts";
import { isObject } from "../../../src/models/issues.ts";
import type { Hex } from "../../../src/models/primitives.ts";
import { quantityOf, wordOf } from "../../chain/hex.ts";
import type { LiveChain, NodeAnswer } from "../../chain/live-chain.ts";
import type { Explorer } from "../../create-explorer.ts";
import { ServiceError } from "../../message/api.ts";
import { delay } from "../../message/event-loop.ts";
import { decimal } from "../../operations/format.ts";
import type { AdminArguments, AdminOperationId, AdminOperations } from "./operations.ts";

type Wire<Id extends AdminOperationId> = OperationResultsWire<AdminOperations[Id]>;

/** How long a sent transaction may take to be in a block. */
const MINED_MS = 5000;

/** Waits until the chain has what the node is about to have, for some seconds at most. */
async function wait(isThere: () => boolean, signal: AbortSignal | undefined): Promise<void> {
  const until = performance.now() + MINED_MS;
  while (!isThere() && performance.now() < until && !signal?.aborted) await delay(20, signal);
}

/** The followed node, to be asked. */
function nodeOf({ live }: Explorer): Required<Pick<LiveChain, "ask">> {
  const ask = live?.ask?.bind(live);
  if (ask === undefined)
    throw new ServiceError(
      409,
      "this chain follows no node, and only a node runs contracts: start the service with --rpc",
    );
  return { ask };
}

/** Answers that are no success of ours. */
async function answerOf(
  explorer: Explorer,
  method: string,
  params: unknown[],
): Promise<NodeAnswer> {
  const { ask } = nodeOf(explorer);
  const answers = await ask([{ method, params }]).catch((error: unknown) => {
    throw new ServiceError(502, `the node did not answer ${method}: ${Object(error).message}`);
  });
  return answers[0] ?? { error: { message: `the node did not answer ${method}` } };
}

/** What a call reverted with: nodes put it at different places. */
function revertData(error: unknown): Hex | null {
  const { data } = Object(error);
  const found = isObject(data) ? data.data : data;
  return typeof found === "string" && isHex(found) ? (found as Hex) : null;
}

const failureOf = (error: { readonly message: string }) => ({
  message: error.message.slice(0, 1000),
  data: revertData(error),
});

async function resultOf(explorer: Explorer, method: string, params: unknown[]): Promise<unknown> {
  const answer = await answerOf(explorer, method, params);
  if ("result" in answer) return answer.result;
  throw new ServiceError(400, `the node refused ${method}: ${answer.error.message.slice(0, 1000)}`);
}

/** As JSON-RPC names a block. */
const tagOf = (block: number | undefined): string =>
  block === undefined ? "latest" : quantityOf(block);

export async function accounts(explorer: Explorer): Promise<Wire<"nodeAccounts">> {
  const found = await resultOf(explorer, "eth_accounts", []);
  return { accounts: (Array.isArray(found) ? found : []).filter((one) => isAddress(`${one}`)) };
}

export async function call(
  explorer: Explorer,
  { block, ...fields }: AdminArguments<"nodeCall">,
): Promise<Wire<"nodeCall">> {
  const answer = await answerOf(explorer, "eth_call", [fields, tagOf(block)]);
  if ("error" in answer) return { data: null, failure: failureOf(answer.error) };
  return { data: answer.result as Hex, failure: null };
}

export async function storage(
  explorer: Explorer,
  { address, slot, block }: AdminArguments<"nodeStorage">,
): Promise<Wire<"nodeStorage">> {
  // One word, as all nodes take it.
  const word = wordOf(BigInt(slot));
  if (word.length !== 66) throw new ServiceError(400, "slot: expected a number below 2^256");
  return {
    data: (await resultOf(explorer, "eth_getStorageAt", [address, word, tagOf(block)])) as Hex,
  };
}

export async function send(
  explorer: Explorer,
  { value, from, ...fields }: AdminArguments<"nodeSend">,
  signal: AbortSignal | undefined,
): Promise<Wire<"nodeSend">> {
  if (from === undefined)
    throw new ServiceError(400, "from: expected an account of the node, received nothing");
  // With a nonce, a request that is repeated sends nothing twice.
  const nonce = await resultOf(explorer, "eth_getTransactionCount", [from, "pending"]);
  const transaction = {
    ...fields,
    from,
    nonce,
    ...(value !== undefined && { value: quantityOf(BigInt(value)) }),
  };
  const answer = await answerOf(explorer, "eth_sendTransaction", [transaction]);
  if ("error" in answer) return { transaction_hash: null, failure: failureOf(answer.error) };
  const hash = String(answer.result).toLowerCase();
  if (!isHash(hash)) throw new ServiceError(502, "the node returned no hash of a transaction");
  await wait(() => explorer.chain.transaction(hash as Hex) !== undefined, signal);
  return { transaction_hash: hash as Hex, failure: null };
}

/** Nodes for development, by what they call themselves; anvil has Hardhat's methods, too. */
const CONTROLLED = /^(anvil|hardhat)/i;

export async function about(explorer: Explorer): Promise<Wire<"node">> {
  const client = String(await resultOf(explorer, "web3_clientVersion", [])).slice(0, 200);
  return { client, controls: CONTROLLED.test(client) };
}

/** Waits until the chain has the head of the node; answers with that of the chain. */
async function caughtUp(explorer: Explorer, signal: AbortSignal | undefined) {
  const { chain } = explorer;
  const block = await resultOf(explorer, "eth_getBlockByNumber", ["latest", false]);
  const wanted = isObject(block) ? block.hash : undefined;
  await wait(() => chain.length > 0 && chain.head.hash === wanted, signal);
  return { head: decimal(chain.head.number) };
}

export async function mineOnNode(
  explorer: Explorer,
  { blocks, timestamp }: AdminArguments<"nodeMine">,
  signal: AbortSignal | undefined,
): Promise<Wire<"nodeMine">> {
  if (timestamp !== undefined)
    await resultOf(explorer, "evm_setNextBlockTimestamp", [quantityOf(timestamp)]);
  await resultOf(explorer, "hardhat_mine", [quantityOf(blocks)]);
  return caughtUp(explorer, signal);
}

export async function snapshot(explorer: Explorer): Promise<Wire<"nodeSnapshot">> {
  return { snapshot: String(await resultOf(explorer, "evm_snapshot", [])) };
}

export async function revert(
  explorer: Explorer,
  { snapshot: id }: AdminArguments<"nodeRevert">,
  signal: AbortSignal | undefined,
): Promise<Wire<"nodeRevert">> {
  if ((await resultOf(explorer, "evm_revert", [id])) !== true)
    throw new ServiceError(
      404,
      `snapshot: the node has no snapshot ${id.slice(0, 20)}; one ends when the node returns to it, or to one before it`,
    );
  return caughtUp(explorer, signal);
}

export async function impersonate(
  explorer: Explorer,
  { account }: AdminArguments<"nodeImpersonate">,
): Promise<Wire<"nodeImpersonate">> {
  await resultOf(explorer, "hardhat_impersonateAccount", [account]);
  return {};
}
