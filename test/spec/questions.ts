// Every question there is about a chain, with the shape of its answer.
import type { ChainWriter } from "../../mocks/double/chain/writer.ts";
import type { OperationId } from "../../src/contract/index.ts";
import { knownIn, type Raw } from "../support/requests.ts";
import { framesWithInput, fullWithInput, shapeOf, simple } from "./results.ts";
import type { Shape } from "./shape.ts";

interface Question {
  readonly id: OperationId;
  readonly raw: Raw;
  readonly shape: Shape;
}

/** So many of these, evenly spread. */
const some = <Item>(count: number, items: readonly Item[]): Item[] => {
  const step = Math.max(1, Math.floor(items.length / count));
  return items.filter((_, index) => index % step === 0);
};

/** Every kind of question there is about a chain, about each token and many accounts, transactions and blocks. */
export function questionsAbout(chain: ChainWriter): Question[] {
  const { accounts, tokens, transactions, head } = knownIn(chain);
  const ask = (id: OperationId, raw: Raw, shape = shapeOf(id)): Question => ({ id, raw, shape });
  return [
    ...tokens.flatMap((contract_hash) => [
      ask("T1", { contract_hash }),
      ask("T4", { contract_hash }),
      ask("A9", { contract_address: contract_hash, limit: 1000 }),
      ...some(8, accounts).flatMap((address_hash) => [
        ask("T2", { contract_hash, address_hash }),
        ask("T3", { contract_hash, address_hash }),
      ]),
    ]),
    ...accounts.flatMap((address_hash) => {
      const all = { address_hash, limit: 1000 };
      return [
        ask("A1", { addresses: [address_hash] }),
        ask("A2", all),
        ask("A2", { ...all, input: true }, fullWithInput),
        ask("A2", { ...all, input: true, simple: true }, simple),
        ask("A3", all),
        ask("A3", { ...all, input: true }, framesWithInput),
        ...(["A4", "A5", "A6", "A7", "A8", "A10"] as const).map((id) => ask(id, all)),
        ask("L1", { address: address_hash, limit: 1000 }),
        ...(chain.verified(address_hash)
          ? (["C1", "C2"] as const).map((id) => ask(id, { contract_hash: address_hash }))
          : []),
      ];
    }),
    ...some(150, transactions).flatMap(({ hash: transaction_hash }) => [
      ask("X1", { transaction_hash }),
      ask("X2", { transaction_hash }),
      ask("X3", { transaction_hash, limit: 1000 }),
      ask("X3", { transaction_hash, limit: 1000, input: true }, framesWithInput),
    ]),
    ...Array.from({ length: head }, (_, number) => ask("B1", { block_number: number })),
  ];
}
