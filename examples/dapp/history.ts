// The history of an account, newest first, one page at a time.
import {
  type Address,
  type ExplorerClient,
  type InternalTransaction,
  type Mrc20Transfer,
  type Mrc721Transfer,
  sameAddress,
  type Transaction,
} from "mrc-explorer";
import { element } from "./element.ts";
import { amount, date, short, time } from "./format.ts";

const pageSize = 12;

/** A line of the history. */
interface Line {
  readonly timestamp: Date;
  readonly hash: string;
  readonly sender: Address;
  readonly receiver: Address | null;
  readonly what: string;
  readonly sum: string;
  readonly note: string | null;
  readonly failed: boolean;
}

/** A list of the client, read page by page. */
interface Pages<Item> {
  pages(): AsyncIterator<{ readonly data: readonly Item[]; hasNextPage(): boolean }>;
}

interface Tab {
  readonly title: string;
  open(): { next(): Promise<{ lines: Line[]; isLast: boolean }> };
}

const tab = <Item>(title: string, list: () => Pages<Item>, line: (item: Item) => Line): Tab => ({
  title,
  open() {
    const pages = list().pages();
    return {
      async next() {
        const { value: page, done } = await pages.next();
        return done === true || page === undefined
          ? { lines: [], isLast: true }
          : { lines: page.data.map(line), isLast: !page.hasNextPage() };
      },
    };
  },
});

/** Labels for common function selectors. */
const methods = new Map([
  ["0xa9059cbb", "Token transfer"],
  ["0x23b872dd", "Token transfer"],
  ["0x095ea7b3", "Approval"],
  ["0x40c10f19", "Mint"],
]);

function kindOf({ receiver, value, input }: Transaction): string {
  if (receiver === null) {
    return "New contract";
  }
  return methods.get(input?.slice(0, 10) ?? "") ?? (value === 0n ? "Call" : "Transfer");
}

/** The sender paid the fee; to anybody else it says nothing. */
const ofTransaction = (transaction: Transaction, account: Address): Line => ({
  timestamp: transaction.timestamp,
  hash: transaction.transaction_hash,
  sender: transaction.sender,
  receiver: transaction.receiver,
  what: kindOf(transaction),
  sum: transaction.value === 0n ? "" : `${amount(transaction.value)} coins`,
  note:
    transaction.gas_used === null ||
    transaction.gas_price === null ||
    !sameAddress(transaction.sender, account)
      ? null
      : `fee ${amount(transaction.gas_used * transaction.gas_price, 18, 6)}`,
  failed: transaction.tx_status === "0",
});

const ofInternal = (frame: InternalTransaction): Line => ({
  timestamp: frame.timestamp,
  hash: frame.transaction_hash,
  sender: frame.sender,
  receiver: frame.receiver ?? frame.contract_address,
  what: frame.trace_type ?? "call",
  sum: frame.value === 0n ? "" : `${amount(frame.value)} coins`,
  note: frame.message,
  failed: frame.status === "0",
});

const ofTransfer = (what: string, sum: string, transfer: Mrc20Transfer | Mrc721Transfer): Line => ({
  timestamp: transfer.timestamp,
  hash: transfer.transaction_hash,
  sender: transfer.sender,
  receiver: transfer.receiver,
  what,
  sum,
  note: null,
  failed: false,
});

/** Renders the history of an account, with a tab for each kind of record. */
export async function history(explorer: ExplorerClient, address: Address): Promise<HTMLElement> {
  const page = { limit: pageSize };
  const { accounts } = explorer;
  const tabs: Tab[] = [
    tab(
      "Transactions",
      () => accounts.transactions(address, { ...page, input: true }),
      (transaction) => ofTransaction(transaction, address),
    ),
    tab("Internal", () => accounts.internalTransactions(address, page), ofInternal),
    tab(
      "Token transfers",
      () => accounts.mrc20Transfers(address, page),
      (transfer) =>
        ofTransfer(
          transfer.token_name || "Token",
          `${amount(transfer.value, transfer.token_decimals ?? 0)} ${transfer.token_symbol ?? ""}`,
          transfer,
        ),
    ),
    tab(
      "Collectible transfers",
      () => accounts.mrc721Transfers(address, page),
      (transfer) =>
        ofTransfer(transfer.token_name || "Collectible", transfer.token_symbol ?? "", transfer),
    ),
  ];

  const panel = element("div", { id: "lines", role: "tabpanel" });
  const buttons = tabs.map(({ title }) =>
    element("button", { type: "button", role: "tab", "aria-controls": "lines" }, title),
  );
  const show = async (at: number): Promise<void> => {
    for (const [index, button] of buttons.entries()) {
      button.setAttribute("aria-selected", String(index === at));
    }
    const lines = tabs[at]?.open();
    if (lines !== undefined) {
      await fill(panel, lines, address);
    }
  };
  for (const [index, button] of buttons.entries()) {
    button.addEventListener("click", () => void show(index));
  }
  await show(0);
  return element(
    "section",
    { class: "card history" },
    element("h2", { class: "quiet" }, "History"),
    element("div", { class: "tabs", role: "tablist", "aria-label": "History" }, ...buttons),
    panel,
  );
}

async function fill(
  panel: HTMLElement,
  pages: ReturnType<Tab["open"]>,
  address: Address,
): Promise<void> {
  const list = element("ol", { class: "lines" });
  const more = element("button", { type: "button", class: "more" }, "Show older");
  const next = async () => {
    more.disabled = true;
    const { lines, isLast } = await pages.next();
    list.append(...lines.map((line) => shown(line, address)));
    more.disabled = false;
    more.hidden = isLast;
  };
  more.addEventListener("click", () => void next());
  await next();
  panel.replaceChildren(
    list.childElementCount === 0 ? element("p", { class: "hint" }, "Nothing yet.") : list,
    more,
  );
}

const directions = {
  in: { sign: "↓", name: "received" },
  out: { sign: "↑", name: "sent" },
  self: { sign: "↻", name: "to itself" },
  around: { sign: "→", name: "took part" },
} as const;

const plus = { in: "+", out: "−", self: "", around: "" } as const;

function directionOf({ sender, receiver }: Line, address: Address): keyof typeof directions {
  if (sameAddress(sender, address)) {
    return sameAddress(receiver, address) ? "self" : "out";
  }
  return sameAddress(receiver, address) ? "in" : "around";
}

function shown(line: Line, address: Address): HTMLElement {
  const direction = directionOf(line, address);
  const { sign, name } = directions[direction];
  const other = direction === "out" || direction === "self" ? line.receiver : line.sender;
  return element(
    "li",
    { class: line.failed ? "line failed" : "line" },
    element(
      "span",
      { class: `sign ${direction}`, title: name, role: "img", "aria-label": name },
      sign,
    ),
    element(
      "span",
      { class: "what" },
      element("b", {}, line.what),
      line.failed ? element("em", { class: "badge" }, "failed") : null,
      element("small", { title: line.hash }, short(line.hash)),
    ),
    other === null
      ? element("span", { class: "other" }, "—")
      : element("a", { class: "other", href: `?address=${other}`, title: other }, short(other)),
    element(
      "span",
      { class: "sum" },
      line.sum === ""
        ? null
        : element("span", { class: direction }, `${plus[direction]}${line.sum}`),
      line.note === null ? null : element("small", {}, line.note),
    ),
    element(
      "time",
      { datetime: line.timestamp.toISOString() },
      date(line.timestamp),
      element("small", {}, `${time(line.timestamp)} UTC`),
    ),
  );
}
