// What the editor shows of typical mistakes, as the file beside this one holds it.
import { expect, test } from "vitest";
import { errorsOf } from "./language-service.ts";

const mistakes = [
  'new ExplorerClient({ baseURL: "https://explorer.example.com" });',
  "new ExplorerClient({ apiKey: 42 });",
  "new ExplorerClient({ retry: { limits: 5 } });",
  "new ExplorerClient({ rateLimit: { requests: 5 } });",
  'new ExplorerClient({ validation: "loose" });',
  'explorer.accounts.balance("5fbdb2315678afecb367f032d93f642f64180aa3");',
  "explorer.accounts.balance(address, { signal: new AbortController() });",
  "explorer.accounts.transactions(address, { limitt: 5 });",
  'explorer.accounts.transactions(address, { limit: 5, simple: true, conditon: "from" });',
  'explorer.accounts.transactions(address, { limit: "5" });',
  'explorer.accounts.transactions(address, { condition: "sender" });',
  "explorer.accounts.transactions(address, { startblock: 80 });",
  "explorer.accounts.mrc20Transfers(address, { simple: true });",
  "explorer.accounts.transactionz(address);",
  "const { data } = await explorer.accounts.transactions(address, { simple: true }); data[0]?.timestamp;",
  "const [transaction] = (await explorer.accounts.transactions(address)).data; transaction?.valeu;",
  "for (const transaction of explorer.accounts.transactions(address)) transaction;",
  "const balance: number = await explorer.accounts.balance(address);",
  "explorer.eventLogs.list({ topic_0: hash });",
  'explorer.blocks.get("latest");',
  'explorer.contracts.verify(address, { contract_name: "Market", source: "contract Market {}" });',
  'explorer.request("tokens.supply", { contract_hash: address });',
  'explorer.request("tokens.totalSupply", {});',
  'isExplorerError(new Error(), "NOTFOUND");',
];

const section = (program: string, shown: string) =>
  `\`\`\`ts\n${program}\n\`\`\`\n\n\`\`\`text\n${shown}\n\`\`\`\n`;

test("a typical mistake is one error that names what is wrong", async () => {
  const found = mistakes.map((program) => ({ program, errors: errorsOf(program) }));
  expect(found.filter(({ errors }) => errors.length !== 1)).toEqual([]);
  expect(found.filter(({ errors }) => /No overload matches/.test(errors.join()))).toEqual([]);
  await expect(
    found.map(({ program, errors }) => section(program, errors.join("\n"))).join("\n"),
  ).toMatchFileSnapshot("errors.snap.md");
});
