// Every question there is about a chain: about each token and many accounts, transactions and blocks.
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import {
  type AnyOperation,
  limits,
  type OperationId,
  operations,
} from "../../src/contract/index.ts";
import { knownIn, type Raw } from "../support/requests.ts";

interface Question {
  readonly id: OperationId;
  readonly raw: Raw;
}

/** Returns `count` of the items, evenly spread. */
const evenlySpread = <Item>(count: number, items: readonly Item[]): Item[] => {
  const step = Math.max(1, Math.floor(items.length / count));
  return items.filter((_, index) => index % step === 0);
};

/** The lists of an account. */
const accountLists = Object.values(operations).flatMap(({ id, list, places }) =>
  list && places.path.includes("address_hash") ? [id] : [],
);

export function questionsAbout(chain: ChainWriter): Question[] {
  const { accounts, tokens, transactions, head } = knownIn(chain);
  const ask = (id: OperationId, raw: Raw): Question => {
    const { list }: AnyOperation = operations[id];
    const page = list && { limit: list.maxLimit ?? limits.max };
    return { id, raw: { ...page, ...raw } };
  };
  return [
    ...tokens.flatMap((contract_hash) => [
      ask("T1", { contract_hash }),
      ask("T4", { contract_hash }),
      ask("A9", { contract_address: contract_hash }),
      ...evenlySpread(8, accounts).flatMap((address_hash) => [
        ask("T2", { contract_hash, address_hash }),
        ask("T3", { contract_hash, address_hash }),
      ]),
    ]),
    ...accounts.flatMap((address_hash) => [
      ask("A1", { addresses: [address_hash] }),
      ...accountLists.map((id) => ask(id, { address_hash })),
      ask("A2", { address_hash, input: true }),
      ask("A2", { address_hash, input: true, simple: true }),
      ask("A3", { address_hash, input: true }),
      ask("L1", { address: address_hash }),
      ...(chain.verified(address_hash)
        ? (["C1", "C2"] as const).map((id) => ask(id, { contract_hash: address_hash }))
        : []),
    ]),
    ...evenlySpread(150, transactions).flatMap(({ hash: transaction_hash }) => [
      ask("X1", { transaction_hash }),
      ask("X2", { transaction_hash }),
      ask("X3", { transaction_hash }),
      ask("X3", { transaction_hash, input: true }),
    ]),
    ...Array.from({ length: head }, (_, number) => ask("B1", { block_number: number })),
  ];
}
