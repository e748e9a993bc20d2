// The code under test: the part of a dApp that shows an account.

/**
 * Returns the balance of an account and the last payments it received.
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
