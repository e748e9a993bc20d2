// Builds requests from parameters, right or wrong, and puts each where the contract says.

import type { Address, ChainTransaction } from "../../mocks/chain/records.ts";
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import { type AnyOperation, type OperationId, operations } from "../../src/contract/index.ts";
import { samplesOf } from "./samples.ts";

/** Parameters as texts (in a body: as JSON). */
export type Raw = Readonly<Record<string, unknown>>;

export interface Sent {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The request that carries these parameters. */
export function requestOf(id: OperationId, raw: Raw): Sent {
  const operation: AnyOperation = operations[id];
  const { places, method } = operation;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(raw[name])),
  );
  const query = places.query
    .filter((name) => raw[name] !== undefined)
    .map((name) => `${name}=${encodeURIComponent(String(raw[name]))}`)
    .join("&");
  const target = query === "" ? path : `${path}?${query}`;
  const headers = { "api-key": "k" };
  if (method === "GET") return { method, target, headers };
  const fields = places.body.filter((name) => raw[name] !== undefined);
  const body = JSON.stringify(Object.fromEntries(fields.map((name) => [name, raw[name]])));
  return { method, target, headers: { ...headers, "content-type": "application/json" }, body };
}

/** Names of a chain that questions can be asked about. */
export interface Known {
  readonly accounts: readonly Address[];
  readonly tokens: readonly Address[];
  readonly transactions: readonly ChainTransaction[];
  readonly head: number;
}

/** Returns the accounts, tokens and transactions of a chain that requests can name. */
export function knownIn(chain: ChainWriter): Known {
  const accounts = new Set<Address>();
  const transactions: ChainTransaction[] = [];
  const { number: head } = chain.head;
  for (let number = head; number >= 0; number--) {
    const block = chain.block(number);
    if (block === undefined) break;
    accounts.add(block.miner);
    const body = chain.blockInput(number);
    for (const { transaction } of body?.executions ?? []) {
      transactions.push(transaction);
      accounts.add(transaction.from);
      if (transaction.to) accounts.add(transaction.to);
      if (transaction.created) accounts.add(transaction.created);
    }
  }
  const tokens = [...accounts].filter((address) => chain.token(address) !== undefined);
  return { accounts: [...accounts], tokens, transactions, head };
}

/** For every operation parameters that it answers with 200. */
export function askable({ accounts, tokens, transactions, head }: Known): Record<OperationId, Raw> {
  const [account = "0x", token = "0x"] = [accounts[0], tokens[0]];
  const transaction = transactions[0]?.hash ?? "0x";
  const names = { account, miner: account, token, collection: token, transaction };
  const samples = samplesOf({ ...names, block: BigInt(head) });
  const inputs = Object.entries(samples).map(([id, [input]]): [string, Raw] => [id, input]);
  return Object.fromEntries(inputs) as Record<OperationId, Raw>;
}
