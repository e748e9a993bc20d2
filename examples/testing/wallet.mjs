// What is tested in these examples: a part of a dApp that shows an account.

/**
 * What an account has, and the last payments it got.
 *
 * @param {import("mrc-explorer").ExplorerClient} explorer
 * @param {import("mrc-explorer").Address} account
 */
export async function overview(explorer, account) {
  const [balance, received] = await Promise.all([
    explorer.accounts.balance(account),
    explorer.accounts.transactions(account, { condition: "to", limit: 10 }),
  ]);
  const payments = received.data
    .filter(({ tx_status, value }) => tx_status === "1" && value > 0n)
    .map(({ sender, value }) => ({ from: sender, value }));
  return { balance, payments };
}
