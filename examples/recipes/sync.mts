// Keeps an account's transactions and token transfers in SQLite. Each run adds everything since the
// last one.
import { DatabaseSync } from "node:sqlite";
import { type Address, ExplorerClient, recordKey, type TransfersQuery } from "mrc-explorer";

/** The blocks at the end that each run reads again: a reorganisation may have replaced them. */
const depth = 128;

const [account, file = "explorer.db"] = process.argv.slice(2) as [Address, string?];
const { accounts } = new ExplorerClient();
const lists = {
  transactions: (query: TransfersQuery) => accounts.transactions(account, query),
  mrc20Transfers: (query: TransfersQuery) => accounts.mrc20Transfers(account, query),
};

const db = new DatabaseSync(file);
db.exec(`
  CREATE TABLE IF NOT EXISTS records (
    account TEXT, kind TEXT, key TEXT, block INTEGER, time TEXT, hash TEXT, sender TEXT, receiver TEXT, value TEXT,
    PRIMARY KEY (account, kind, key)
  ) WITHOUT ROWID;
  CREATE TEMP TABLE incoming AS SELECT * FROM records LIMIT 0;
`);
const newest = db.prepare("SELECT max(block) AS block FROM records WHERE account = ? AND kind = ?");
const insert = db.prepare(`
  INSERT INTO incoming VALUES (:account, :kind, :key, :block, :time, :hash, :sender, :receiver, :value)
`);
const forget = db.prepare("DELETE FROM records WHERE account = ? AND kind = ? AND block >= ?");

for (const [kind, list] of Object.entries(lists)) {
  const block = Number(newest.get(account, kind)?.block ?? 0);
  const startBlock = Math.max(0, block - depth + 1);
  let reorganised: boolean;
  do {
    reorganised = false;
    db.exec("DELETE FROM incoming");
    const repeats = new Map<string, number>();
    const records = list({
      startBlock,
      onReorganisation: () => {
        reorganised = true;
      },
    });
    for await (const record of records) {
      insert.run({
        account,
        kind,
        key: recordKey(record, repeats),
        block: record.block_number,
        time: record.timestamp.toISOString(),
        hash: record.transaction_hash,
        sender: record.sender,
        receiver: record.receiver,
        value: `${record.value}`,
      });
    }
  } while (reorganised);

  // All or nothing: a run that is interrupted changes nothing.
  db.exec("BEGIN IMMEDIATE");
  forget.run(account, kind, startBlock);
  const { changes } = db.prepare("INSERT INTO records SELECT * FROM incoming").run();
  db.exec("COMMIT");
  console.log(`${kind}: ${changes} since block ${startBlock}`);
}
