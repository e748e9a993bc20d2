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
import { action, element, failure } from "./element.ts";
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

/** A page of a list of the client. */
interface Page<Item> {
  readonly data: readonly Item[];
  hasNextPage(): boolean;
  /** Continues after the last record, whatever has arrived since. */
  nextPage(): PromiseLike<Page<Item>>;
}

interface Lines {
  readonly lines: readonly Line[];
  /** Loads the older ones; null if there are none. */
  readonly older: (() => Promise<Lines>) | null;
}

interface Tab {
  readonly title: string;
  open(): Promise<Lines>;
}

function linesOf<Item>(page: Page<Item>, line: (item: Item) => Line): Lines {
  return {
    lines: page.data.map(line),
    older: page.hasNextPage() ? async () => linesOf(await page.nextPage(), line) : null,
  };
}

const tab = <Item>(
  title: string,
  list: () => PromiseLike<Page<Item>>,
  line: (item: Item) => Line,
): Tab => ({ title, open: async () => linesOf(await list(), line) });

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
export function history(explorer: ExplorerClient, address: Address): HTMLElement {
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
  const buttons = tabs.map(({ title }, index) =>
    element(
      "button",
      { type: "button", role: "tab", id: `tab-${index}`, "aria-controls": "lines" },
      title,
    ),
  );
  const show = (at: number): void => {
    for (const [index, button] of buttons.entries()) {
      button.setAttribute("aria-selected", String(index === at));
      button.tabIndex = index === at ? 0 : -1;
    }
    panel.setAttribute("aria-labelledby", `tab-${at}`);
    const chosen = tabs[at];
    // Each has an element of its own: what arrives late for another tab is not shown.
    panel.replaceChildren(chosen ? content(chosen, address) : "");
  };
  for (const [index, button] of buttons.entries()) {
    button.addEventListener("click", () => show(index));
  }
  const bar = element(
    "div",
    { class: "tabs", role: "tablist", "aria-label": "History" },
    ...buttons,
  );
  bar.addEventListener("keydown", (event) => {
    const at = buttons.findIndex(({ tabIndex }) => tabIndex === 0);
    const last = buttons.length - 1;
    const to = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      show(to);
      buttons[to]?.focus();
    }
  });
  show(0);
  return element(
    "section",
    { class: "card history" },
    element("h2", { class: "quiet" }, "History"),
    bar,
    panel,
  );
}

/**
 * The lines of a tab, a page at a time; if one could not be loaded, it says why, and tries again
 * when asked.
 */
function content(tab: Tab, address: Address): HTMLElement {
  const list = element("ol", { class: "lines" });
  const end = element("div", { "aria-live": "polite" });
  const load = async (page: () => Promise<Lines>): Promise<void> => {
    end.replaceChildren(hint("Loading…"));
    try {
      const { lines, older } = await page();
      list.append(...lines.map((line) => shown(line, address)));
      if (older !== null) {
        end.replaceChildren(action("Show older", () => void load(older)));
      } else {
        end.replaceChildren(list.childElementCount === 0 ? hint("Nothing yet.") : "");
      }
    } catch (error) {
      end.replaceChildren(failure(`Could not load: ${tab.title}`, error, () => void load(page)));
    }
  };
  void load(tab.open);
  return element("div", {}, list, end);
}

const hint = (text: string): HTMLElement => element("p", { class: "hint" }, text);

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
  const counterparty = direction === "out" || direction === "self" ? line.receiver : line.sender;
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
    counterparty === null
      ? element("span", { class: "other" }, "—")
      : element(
          "a",
          { class: "other", href: `?address=${counterparty}`, title: counterparty },
          short(counterparty),
        ),
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
