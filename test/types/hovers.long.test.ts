// What the editor shows: the errors of typical mistakes and the hover texts of common names, as the files beside this one hold them.
import { expect, test } from "vitest";
import { errorsOf, hoverOf } from "./language-service.ts";

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

const hovers = [
  "new ExplorerClient({ |timeout: 5_000 });",
  "new ExplorerClient({ |retry: 5 });",
  "explorer.accounts.|transactions(address);",
  "explorer.accounts.transactions(address, { |limit: 5 });",
  'explorer.accounts.transactions(address, { |condition: "from" });',
  "const |page = await explorer.accounts.transactions(address);",
  "const |page = await explorer.accounts.transactions(address, { simple: true });",
  "const { data: [|transaction] } = await explorer.accounts.transactions(address);",
  "const { data: [transaction] } = await explorer.accounts.transactions(address); transaction?.|gas_price;",
  "explorer.eventLogs.|list({ address });",
  "explorer.accounts.|tokens(address);",
  "const |contract = await explorer.contracts.code(address);",
  "explorer.tokens.totalSupply(address, { |totalTimeout: 5_000 });",
  'const |results = await explorer.request("tokens.totalSupply", { contract_hash: address });',
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

test("a hover shows named types and docs", async () => {
  await expect(
    hovers.map((program) => section(program, hoverOf(program))).join("\n"),
  ).toMatchFileSnapshot("hovers.snap.md");
});
