// The sections of an account's page: balance, tokens, collectibles and history.
import type { Address, ExplorerClient, TokenHolding } from "mrc-explorer";
import { element } from "./element.ts";
import { amount, colours } from "./format.ts";
import { history } from "./history.ts";

const link = (address: string, text: string): HTMLElement =>
  element("a", { href: `?address=${address}`, title: address }, text);

/** Loads an account and renders its page. */
export async function account(explorer: ExplorerClient, address: Address): Promise<HTMLElement[]> {
  // Independent requests, sent concurrently.
  const [balance, holdings, collections] = await Promise.all([
    explorer.accounts.balance(address),
    explorer.accounts.tokens(address).collect(),
    explorer.accounts.mrc721Tokens(address).collect(),
  ]);
  const names = new Map(collections.map((entry) => [entry.token_address, entry.token_name]));
  const tokens = holdings.filter((holding) => holding.standard === "mrc20");
  const collectibles = await Promise.all(
    holdings
      .filter((holding) => holding.standard === "mrc721")
      .map(async ({ token_address }) => {
        const { data } = await explorer.tokens.inventory(token_address, address);
        const name = names.get(token_address) ?? null;
        return data.map(({ token_id }) => collectible(token_address, name, token_id));
      }),
  );
  return [
    summary(address, balance),
    element(
      "div",
      { class: "columns" },
      element(
        "aside",
        {},
        card("Tokens", tokens.map(token), "No tokens."),
        card("Collectibles", collectibles.flat(), "No collectibles."),
      ),
      history(explorer, address),
    ),
  ];
}

const summary = (address: Address, balance: bigint): HTMLElement =>
  element(
    "section",
    { class: "summary" },
    element("span", { class: "face", style: `background:${colours(address)}` }),
    element(
      "div",
      {},
      element("h1", {}, address),
      element(
        "p",
        { class: "balance" },
        element("strong", { "data-testid": "balance" }, amount(balance)),
        " coins",
      ),
    ),
  );

function card(title: string, entries: readonly HTMLElement[], nothing: string): HTMLElement {
  return element(
    "section",
    { class: "card" },
    element("h2", {}, title, element("span", { class: "count" }, String(entries.length))),
    entries.length === 0
      ? element("p", { class: "hint" }, nothing)
      : element("ul", { class: "holdings" }, ...entries),
  );
}

type Token = Extract<TokenHolding, { standard: "mrc20" }>;

const token = ({ token_address, token_name, token_symbol, token_decimals, balance }: Token) =>
  element(
    "li",
    {},
    element("span", { class: "coin", style: `background:${colours(token_address)}` }),
    element("span", { class: "name" }, link(token_address, token_name || "Unnamed token")),
    element(
      "span",
      { class: "number" },
      `${amount(balance, token_decimals ?? 0)} `,
      element("small", {}, token_symbol ?? ""),
    ),
  );

/** A token id may have 78 digits. */
const shortId = (id: bigint): string => {
  const digits = id.toString();
  return digits.length > 12 ? `#${digits.slice(0, 5)}…${digits.slice(-4)}` : `#${digits}`;
};

const collectible = (address: Address, name: string | null, id: bigint) =>
  element(
    "li",
    {},
    element("span", {
      class: "tile",
      style: `background:${colours(`0x${(id * 2_654_435_761n + BigInt(address)).toString(16).slice(-6)}`)}`,
    }),
    element("span", { class: "name" }, link(address, name || "Unnamed collection")),
    element("span", { class: "number" }, shortId(id)),
  );
