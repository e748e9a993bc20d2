// Values of fields and parameters, as the service sends them in JSON.
import { describe, expect, test } from "vitest";
import { buildChain, coins, createExplorer, type Explorer } from "../../mocks/index.ts";
import { loadDemo } from "../../mocks/node.ts";

interface Page {
  readonly count: string;
  readonly to_block?: string;
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

/** Asks what is to be a success. */
const asking =
  (mock: Explorer) =>
  async <Results = Page>(target: string) => {
    const response = await mock.fetch(`${mock.baseUrl}/v1${target}`, {
      headers: { "api-key": "k" },
    });
    const { message, results } = await response.json();
    expect([response.status, message]).toEqual([200, "success"]);
    return results as Results;
  };

const ask = asking(createExplorer({ chain: await loadDemo({ verified: true }) }));

const hugeIds = "0x948b3c65b89df0b4894abe91e6d02fe579834f8f";
const aurora = "0x5fbdb2315678afecb367f032d93f642f64180aa3";

const [ones, twos] = [`0x${"11".repeat(32)}`, `0x${"22".repeat(32)}`] as const;

describe("L1's type and operand", () => {
  const story = buildChain();
  const alice = story.account({ balance: coins(1) });
  const vault = story.deploy(alice).address;
  story.mine();
  const calls = [
    [ones, twos],
    [ones, 3n],
    [3n, twos],
  ].map((topics) => story.call(alice, { to: vault, does: (frame) => frame.emit(topics) }).hash);
  story.mine();
  const ask = asking(createExplorer({ chain: story.chain }));

  test.each([
    ["", 1],
    ["&type=conbine", 1],
    ["&type=combine", 1],
    ["&type=conbine&operand=and", 1],
    ["&type=conbine&operand=or", 3],
    ["&type=combine&operand=or", 3],
    ["&type=single", 2],
    ["&type=single&operand=or", 2],
  ])("%j of two topics finds %i of three logs", async (query, count) => {
    const logs = await ask(`/event-logs?address=${vault}&topic_0=${ones}&topic_1=${twos}${query}`);
    expect(logs.count).toBe(`${count}`);
  });

  test("single goes by the lowest topic that is given", async () => {
    const logs = await ask(`/event-logs?address=${vault}&topic_1=${twos}&type=single`);
    expect(logs.data.map(({ transaction_hash }) => transaction_hash)).toEqual([calls[2], calls[0]]);
  });
});

describe("a token of the other standard", () => {
  test("has a supply, holders and balances: those of a collection count its tokens", async () => {
    const owner = "0x73b3074ac649a8dc31c2c90a124469456301a30f";
    expect(await ask(`/tokens/${hugeIds}/total-supply`)).toEqual({ data: { total_supply: "8" } });
    expect(await ask(`/tokens/${hugeIds}/holder-count`)).toEqual({ data: { holder_count: "7" } });
    expect(await ask(`/tokens/${hugeIds}/balance/${owner}`)).toEqual({ data: { balance: "2" } });
    expect((await ask(`/tokens/${hugeIds}/inventory?address_hash=${owner}`)).count).toBe("2");
  });

  test("has no inventory where it counts amounts", async () => {
    expect(await ask(`/tokens/${aurora}/inventory?address_hash=${aurora}`)).toEqual({
      count: "0",
      data: [],
      token_name: "Aurora Token",
      token_symbol: "AUR",
    });
    expect((await ask(`/accounts/${aurora}/tokens/inventory`)).count).toBe("0");
  });
});
