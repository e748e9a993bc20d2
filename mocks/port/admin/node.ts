// The operations of the admin API on a followed node: calls at any block, transactions from the
// node's accounts, and the controls of a development node.
import type { OperationResultsWire } from "../../../src/contract/index.ts";
import { isAddress, isHash, isHex } from "../../../src/models/hex.ts";
import { isObject } from "../../../src/models/issues.ts";
import type { Hex } from "../../../src/models/primitives.ts";
import { quantityOf } from "../../chain/hex.ts";
import type { NodeAnswer } from "../../chain/live-chain.ts";
import { ServiceError } from "../../message/api.ts";
import { delay } from "../../message/event-loop.ts";
import { decimal } from "../../operations/format.ts";
import type { Service } from "../../service/service.ts";
import type { AdminArguments, AdminOperationId, AdminOperations } from "./operations.ts";

type Wire<Id extends AdminOperationId> = OperationResultsWire<AdminOperations[Id]>;

/** Milliseconds that a sent transaction may take to get into a block. */
const MINED_MS = 5000;

/** Waits until the chain has a change of the node, for some seconds at most. */
async function wait(hasArrived: () => boolean, signal: AbortSignal | undefined): Promise<void> {
  const until = performance.now() + MINED_MS;
  while (!hasArrived() && performance.now() < until && !signal?.aborted) await delay(20, signal);
}

/** Sends a request to the followed node. Throws a {@link ServiceError} if nothing answers. */
async function answerOf({ live }: Service, method: string, params: unknown[]): Promise<NodeAnswer> {
  if (live?.ask === undefined)
    throw new ServiceError(
      409,
      "this chain follows no node, and only a node runs contracts: start the service with --rpc",
    );
  const answers = await live.ask([{ method, params }]).catch((error: unknown) => {
    throw new ServiceError(502, `the node did not answer ${method}: ${Object(error).message}`);
  });
  return answers[0] ?? { error: { message: `the node did not answer ${method}` } };
}

/** Finds the data that a call reverted with, which nodes put at different places. */
function revertData(error: unknown): Hex | null {
  const { data } = Object(error);
  const bytes = isObject(data) ? data.data : data;
  return typeof bytes === "string" && isHex(bytes) ? (bytes as Hex) : null;
}

const failureOf = (error: { readonly message: string }) => ({
  message: error.message.slice(0, 1000),
  data: revertData(error),
});

async function resultOf(service: Service, method: string, params: unknown[]): Promise<unknown> {
  const answer = await answerOf(service, method, params);
  if ("result" in answer) return answer.result;
  throw new ServiceError(400, `the node refused ${method}: ${answer.error.message.slice(0, 1000)}`);
}

/** The name of a block in JSON-RPC. */
const tagOf = (block: number | undefined): string =>
  block === undefined ? "latest" : quantityOf(block);

export async function accounts(service: Service): Promise<Wire<"nodeAccounts">> {
  const addresses = await resultOf(service, "eth_accounts", []);
  return {
    accounts: (Array.isArray(addresses) ? addresses : []).filter((address) =>
      isAddress(`${address}`),
    ),
  };
}

export async function call(
  service: Service,
  { block, ...fields }: AdminArguments<"nodeCall">,
): Promise<Wire<"nodeCall">> {
  const answer = await answerOf(service, "eth_call", [fields, tagOf(block)]);
  if ("error" in answer) return { data: null, failure: failureOf(answer.error) };
  return { data: answer.result as Hex, failure: null };
}

export async function send(
  service: Service,
  { value, from, ...fields }: AdminArguments<"nodeSend">,
  signal: AbortSignal | undefined,
): Promise<Wire<"nodeSend">> {
  if (from === undefined)
    throw new ServiceError(400, "from: expected an account of the node, received nothing");
  // Sets the nonce, so that a repeated request cannot send the transaction twice.
  const nonce = await resultOf(service, "eth_getTransactionCount", [from, "pending"]);
  const transaction = {
    ...fields,
    from,
    nonce,
    ...(value !== undefined && { value: quantityOf(BigInt(value)) }),
  };
  const answer = await answerOf(service, "eth_sendTransaction", [transaction]);
  if ("error" in answer) return { transaction_hash: null, failure: failureOf(answer.error) };
  const hash = String(answer.result).toLowerCase();
  if (!isHash(hash)) throw new ServiceError(502, "the node returned no hash of a transaction");
  await wait(() => service.chain.transaction(hash as Hex) !== undefined, signal);
  return { transaction_hash: hash as Hex, failure: null };
}

/** The names of development nodes; anvil has Hardhat's methods, too. */
const CONTROLLED = /^(anvil|hardhat)/i;

export async function about(service: Service): Promise<Wire<"node">> {
  const client = String(await resultOf(service, "web3_clientVersion", [])).slice(0, 200);
  return { client, controls: CONTROLLED.test(client) };
}

/** Waits until the chain has the head of the node, and returns the chain's head. */
async function caughtUp(service: Service, signal: AbortSignal | undefined) {
  const { chain } = service;
  const block = await resultOf(service, "eth_getBlockByNumber", ["latest", false]);
  const wanted = isObject(block) ? block.hash : undefined;
  await wait(() => chain.length > 0 && chain.head.hash === wanted, signal);
  return { head: decimal(chain.head.number) };
}

export async function mineOnNode(
  service: Service,
  { blocks, timestamp }: AdminArguments<"nodeMine">,
  signal: AbortSignal | undefined,
): Promise<Wire<"nodeMine">> {
  if (timestamp !== undefined)
    await resultOf(service, "evm_setNextBlockTimestamp", [quantityOf(timestamp)]);
  await resultOf(service, "hardhat_mine", [quantityOf(blocks)]);
  return caughtUp(service, signal);
}

export async function snapshot(service: Service): Promise<Wire<"nodeSnapshot">> {
  return { snapshot: String(await resultOf(service, "evm_snapshot", [])) };
}

export async function revert(
  service: Service,
  { snapshot: id }: AdminArguments<"nodeRevert">,
  signal: AbortSignal | undefined,
): Promise<Wire<"nodeRevert">> {
  if ((await resultOf(service, "evm_revert", [id])) !== true)
    throw new ServiceError(
      404,
      `snapshot: the node has no snapshot ${id.slice(0, 20)}; one ends when the node returns to it, or to one before it`,
    );
  return caughtUp(service, signal);
}

export async function impersonate(
  service: Service,
  { account }: AdminArguments<"nodeImpersonate">,
): Promise<Wire<"nodeImpersonate">> {
  await resultOf(service, "hardhat_impersonateAccount", [account]);
  return {};
}
