// The chain of the mock server: a bakery with customers, tokens and collectibles.
import { buildChain, coins, eventTopic, gwei } from "mrc-explorer/mocks";

/** Builds the chain and returns its accounts and tokens by name, for tests to compare with. */
export function bakery() {
  const builder = buildChain({
    timestamp: new Date("2026-01-05T08:00:00Z"),
    baseFeePerGas: gwei(12),
    blockTime: 9 * 3600 + 1234,
    blockReward: coins(2),
  });
  const alice = builder.account({ name: "alice", balance: coins("182.75") });
  const miller = builder.account({ name: "miller", balance: coins(40) });
  const customers = ["bob", "carol", "dave", "erin", "frank"].map((name) =>
    builder.account({ name, balance: coins(60) }),
  );
  const customer = (at: number) => customers[at % customers.length] ?? alice;

  const crumbs = builder.deployMRC20(alice, { name: "Crumbs", symbol: "CRMB", decimals: 0 });
  const dollar = builder.deployMRC20(miller, {
    name: "Stable Dollar",
    symbol: "USDM",
    decimals: 6,
    supply: 5_000_000_000_000n,
  });
  const ribbons = builder.deployMRC721(miller, { name: "Fair Ribbons", symbol: "RIB" });
  const shop = builder.deploy(alice).address;
  builder.mine();

  for (let week = 0; week < 20; week++) {
    const guest = customer(week * 3 + (week >> 2));
    builder.transfer(guest, alice, coins(1) / 4n + (coins(1) / 100n) * BigInt((week * 37) % 90));
    crumbs.mint(guest, BigInt(5 + ((week * 7) % 20)));
    builder.mine();
    if (week % 3 === 0) {
      builder.transfer(alice, miller, coins("2.5") + (coins(1) / 50n) * BigInt(week));
      dollar.transfer(miller, alice, 250_000_000n + BigInt(week) * 1_370_000n);
      builder.mine();
    }
    if (week % 4 === 1) {
      builder.call(guest, {
        to: shop,
        value: coins("1.2"),
        does(frame) {
          frame.emit([eventTopic("Sold(address)"), frame.caller]);
          frame.call({ to: alice, value: (frame.value * 9n) / 10n });
          frame.call({ ...crumbs.calls.transfer(guest, 1n), fails: "not enough crumbs" });
        },
      });
      builder.mine();
    }
    if (week % 6 === 2) {
      ribbons.mint(alice, week === 8 ? 2n ** 255n + 1_847n : BigInt(2_020 + week));
      builder.mine();
    }
  }
  dollar.approve(alice, miller, 500_000_000n);
  builder.transfer(alice, shop, coins(5), { fails: "closed on Sundays" });
  dollar.transfer(alice, customer(1), 75_500_000n);
  ribbons.transfer(alice, customer(2), 2_022n);
  builder.mine();
  builder.mine(3);
  return { builder, alice, miller, customers, shop, crumbs, dollar, ribbons };
}
