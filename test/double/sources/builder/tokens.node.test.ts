// The tokens of a builder and real token contracts on a real node: same events, balances and refusals.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { items } from "../../../../mocks/double/chain/listing.ts";
import type { Address, Hex } from "../../../../mocks/double/chain/records.ts";
import { callData } from "../../../../mocks/double/sources/builder/evm.ts";
import {
  buildChain,
  coins,
  ImpossibleError,
  type SentTransaction,
} from "../../../../mocks/double/sources/builder/index.ts";
import { type Anvil, startAnvil } from "../../../support/anvil.ts";
import { runs } from "../../../support/runs.ts";

const source = readFileSync(new URL("tokens.sol", import.meta.url), "utf8");

/** The init code of the two contracts. */
function compiled(): { coin: Hex; art: Hex } {
  const solc = createRequire(import.meta.url)("solc-0.8.28");
  const input = {
    language: "Solidity",
    sources: { "a.sol": { content: source } },
    settings: { evmVersion: "paris", outputSelection: { "*": { "*": ["evm.bytecode.object"] } } },
  };
  const { contracts } = JSON.parse(solc.compile(JSON.stringify(input)));
  const code = (name: string): Hex => `0x${contracts["a.sol"][name].evm.bytecode.object}`;
  return { coin: code("Coin"), art: code("Art") };
}

const people = 3;
const person = fc.nat(people - 1);

/** What can be done, by who does it, from whom, to whom, of how much or of which id. */
const act = fc.record({
  does: fc.nat(11),
  by: person,
  from: person,
  to: person,
  amount: fc.bigInt(0n, 40n),
  id: fc.bigInt(0n, 6n),
  approved: fc.boolean(),
});

interface Receipt {
  readonly status: Hex;
  readonly contractAddress: Hex | null;
  readonly logs: readonly { address: Hex; topics: Hex[]; data: Hex }[];
}

let node: Anvil;
let empty: unknown;
const code = compiled();

beforeAll(async () => {
  node = await startAnvil("--auto-impersonate --no-mining --accounts 0 --base-fee 0".split(" "));
  empty = await node.ask("evm_snapshot");
});
afterAll(() => node.stop());

/** Sends a transaction to the node too, and returns its receipt. */
async function send({ from, to, nonce }: SentTransaction, data: Hex): Promise<Receipt> {
  const hash = await node.ask("eth_sendTransaction", {
    from,
    ...(to === null ? {} : { to }),
    nonce: `0x${nonce.toString(16)}`,
    gas: "0x200000",
    data,
  });
  await node.ask("evm_mine");
  return (await node.ask("eth_getTransactionReceipt", hash)) as Receipt;
}

const asked = async (
  to: Address,
  signature: string,
  ...values: (Hex | bigint)[]
): Promise<bigint> =>
  BigInt(
    String(await node.ask("eth_call", { to, data: callData(signature, ...values) }, "latest")),
  );

test("whatever is done with tokens, a node agrees: event for event, refusal for refusal", async () => {
  const refusals = { refused: 0, done: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 25, maxLength: 50 }), async (acts) => {
      await node.ask("evm_revert", empty);
      empty = await node.ask("evm_snapshot");
      const builder = buildChain({ freeGas: true, gasLimit: 1_000_000_000 });
      const { chain } = builder;
      const accounts = Array.from({ length: people }, () => builder.account({ balance: coins(1) }));
      const at = (index: number): Address => accounts[index] ?? "0x";
      for (const account of accounts) {
        await node.ask("anvil_setBalance", account, `0x${coins(1_000).toString(16)}`);
      }
      const coin = builder.deployMRC20(at(0));
      const art = builder.deployMRC721(at(0));
      for (const [token, bytecode] of [
        [coin, code.coin],
        [art, code.art],
      ] as const) {
        const { contractAddress } = await send(token.deployment as SentTransaction, bytecode);
        expect(contractAddress).toBe(token.address);
      }

      for (const action of acts) {
        const { amount, id, approved } = action;
        const [by, from, to] = [at(action.by), at(action.from), at(action.to)];
        const acts: readonly ((options: { fails?: string }) => SentTransaction)[] = [
          (options) => coin.transfer(by, to, amount, options),
          (options) => coin.approve(by, to, amount, options),
          (options) => coin.transferFrom(by, from, to, amount, options),
          (options) => coin.mint(to, amount, options),
          (options) => coin.burn(by, amount, options),
          (options) => art.transfer(by, to, id, options),
          (options) => art.approve(by, to, id, options),
          (options) => art.setApprovalForAll(by, to, approved, options),
          (options) => art.transferFrom(by, from, to, id, options),
          (options) => art.mint(to, id, options),
          (options) => art.burn(by, id, options),
        ];
        const sendAction = acts[action.does];
        if (sendAction === undefined) {
          builder.mine();
          continue;
        }
        let sent: SentTransaction;
        try {
          sent = sendAction({});
          refusals.done += 1;
        } catch (error) {
          if (!(error instanceof ImpossibleError)) throw error;
          sent = sendAction({ fails: "execution reverted" });
          refusals.refused += 1;
        }
        // The real contract accepts the call data of the builder.
        const { status, logs } = await send(sent, sent.input);
        expect({
          succeeded: status === "0x1",
          logs: logs.map(({ address, topics, data }) => ({ address, topics, data })),
        }).toEqual({ succeeded: sent.succeeded, logs: sent.logs });
      }

      builder.mine();
      expect(chain.token(coin.address)?.totalSupply).toBe(
        await asked(coin.address, "totalSupply()"),
      );
      for (const account of accounts) {
        expect(chain.tokenBalance(coin.address, account)).toBe(
          await asked(coin.address, "balanceOf(address)", account),
        );
      }
      for (let id = 0n; id <= 6n; id++) {
        const owner = await asked(art.address, "ownerOf(uint256)", id);
        const found = items(chain.nfts(art.address)).find(({ tokenId }) => tokenId === id);
        expect(BigInt(found?.owner ?? 0n)).toBe(owner);
      }
    }),
    { numRuns: runs(8) },
  );
  // Both happened, or the comparison says little.
  expect(refusals.refused).toBeGreaterThan(runs(8));
  expect(refusals.done).toBeGreaterThan(6 * runs(8));
});
