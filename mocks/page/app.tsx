// The frame of the page, and the view that the address names.
import type { ComponentType, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isExplorerError } from "../../src/errors/index.ts";
import { grouped } from "./format/values.ts";
import { find, type Suggestion } from "./parts/candidates.ts";
import {
  accountColumns,
  blockColumns,
  contractColumns,
  logColumns,
  tokenColumns,
  transactionColumns,
} from "./parts/columns.tsx";
import { Form } from "./parts/form.tsx";
import { Lazy } from "./parts/lazy.tsx";
import { InspectList, type ListView, type RowOf } from "./parts/list.tsx";
import type { Column } from "./parts/table.tsx";
import { ChainText } from "./parts/text.tsx";
import { go, href, route, scrollBack } from "./router.ts";
import { access, head, headError } from "./service/head.ts";
import type { ViewInput } from "./service/inspect.ts";
import { apiKey, applyTheme, type Store, theme, times } from "./store.ts";
import { AddressView } from "./views/address.tsx";
import { BlockView } from "./views/block.tsx";
import { Home } from "./views/home.tsx";
import { Search } from "./views/search.tsx";
import { TransactionView } from "./views/transaction.tsx";

interface ViewProps {
  /** The part of the address after the view. */
  readonly subject: string;
}

type View = ComponentType<ViewProps>;

/** Returns a view that lists records of the whole chain. */
const listView =
  <Name extends ListView>(view: Name, title: string, columns: readonly Column<RowOf<Name>>[]) =>
  () => (
    <section class="card">
      <h1>{title}</h1>
      <InspectList
        {...{ view, columns, label: title }}
        parameters={{} as ViewInput<Name>}
        // Only an account has directions.
        hidden={["direction"]}
      />
    </section>
  );

/** The views of the chain come with the page. */
const views = {
  "": Home,
  search: Search,
  account: AddressView,
  token: AddressView,
  contract: AddressView,
  tx: TransactionView,
  block: BlockView,
  blocks: listView("blocks", "Blocks", blockColumns),
  transactions: listView("transactions", "Transactions", transactionColumns),
  accounts: listView("accounts", "Busiest accounts", accountColumns),
  logs: listView("logs", "Logs of an event", logColumns),
  tokens: listView("tokens", "Tokens", tokenColumns),
  contracts: listView("contracts", "Verified contracts", contractColumns),
} satisfies Readonly<Record<string, View>>;

/** Tools for testers. Their code is loaded when a tool is first opened. */
const tools = {
  requests: async () => (await import("./views/requests.tsx")).RequestsView,
  faults: async () => (await import("./views/faults.tsx")).FaultsView,
  api: async () => (await import("./views/api.tsx")).ApiView,
} satisfies Readonly<Record<string, () => Promise<View>>>;

/** The name of a view in the address; empty for Home. */
export type PageView = keyof typeof views | keyof typeof tools;

const titles: Readonly<Record<string, string>> = { "": "Home", tx: "Transaction", api: "API" };

const titleOf = (view: string, subject: string): string => {
  const title = Object.hasOwn(titles, view) ? titles[view] : undefined;
  const name = title ?? `${view.slice(0, 1).toUpperCase()}${view.slice(1)}`;
  return `${name}${subject && ` ${subject.slice(0, 80)}`} · mrc-explorer`;
};

function NoView({ subject }: ViewProps) {
  return (
    <section class="card">
      <h1>No such view</h1>
      <p>
        There is no view “<bdi>{subject.slice(0, 100)}</bdi>”. <a href="#/">Go to the home page</a>.
      </p>
    </section>
  );
}

/** Shows the view that the address names, which may be any text, such as "constructor". */
function Shown({ name, subject }: { name: string; subject: string }) {
  if (Object.hasOwn(tools, name))
    return <Lazy name={name} load={tools[name as keyof typeof tools]} props={{ subject }} />;
  if (!Object.hasOwn(views, name)) return <NoView subject={name} />;
  const View: View = views[name as keyof typeof views];
  return <View subject={subject} />;
}

export function App() {
  const { view, subject, entry } = route.use();
  const key = apiKey.use();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = titleOf(view, subject);
    // Screen readers continue at the new view. At the first view, the document has the focus.
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [view, subject]);
  // Runs before the effects of the view, which may scroll by themselves.
  useLayoutEffect(scrollBack, [entry]);
  useLayoutEffect(applyTheme, [theme.use()]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Bar />
      <StateLine />
      <main id="main" tabIndex={-1} ref={main}>
        <Shown key={`${view} ${subject} ${key}`} name={view} subject={subject} />
      </main>
    </>
  );
}

function explain(error: unknown): string {
  if (!isExplorerError(error)) return String(error);
  return error.code === "CONNECTION" || error.code === "TIMEOUT"
    ? "The service does not respond. Is it still running?"
    : error.shortMessage;
}

function StateLine() {
  const error = headError.use();
  const { unavailable, node } = head.use() ?? {};
  if (error !== undefined)
    return (
      <div class="state bad" role="alert">
        <bdi>{explain(error)}</bdi>
        {isExplorerError(error) && error.code === "AUTHENTICATION" && <KeyForm />}
      </div>
    );
  if (node && node.state !== "following")
    return (
      <div class="state" role="status">
        <strong>{node.state.replace("-", " ")}</strong>
        {node.lag !== null && ` · ${grouped(node.lag)} blocks behind the node`}
        {node.seconds_left !== null && ` · about ${grouped(Math.ceil(node.seconds_left))} s left`}
        {node.last_error !== null && (
          <>
            {" · "}
            <bdi>{node.last_error.message.slice(0, 200)}</bdi>
          </>
        )}
      </div>
    );
  if (unavailable)
    return (
      <div class="state" role="status">
        The API does not answer yet: <bdi>{unavailable}</bdi>
      </div>
    );
  return null;
}

const links = [
  ["", "Home"],
  ["blocks", "Blocks"],
  ["transactions", "Transactions"],
  ["tokens", "Tokens"],
  ["contracts", "Contracts"],
  ["requests", "Requests"],
  ["faults", "Faults"],
  ["api", "API"],
] as const;

/** The values that a button steps through: value, sign, words. */
const themes = [
  ["", "◐", "as the system"],
  ["light", "☀", "light"],
  ["dark", "☾", "dark"],
] as const;

const timeForms = [
  ["", "relative", "relative"],
  ["absolute", "UTC", "UTC"],
  ["local", "local", "local"],
] as const;

interface StepperProps {
  readonly what: string;
  readonly of: Store<string>;
  readonly steps: typeof themes | typeof timeForms;
}

function Stepper({ what, of, steps }: StepperProps) {
  const value = of.use();
  const at = steps.findIndex(([step]) => step === value);
  const [, sign, says] = steps[Math.max(at, 0)] ?? steps[0];
  const [next] = steps[(Math.max(at, 0) + 1) % steps.length] ?? steps[0];
  return (
    <button
      type="button"
      class="ghost"
      onClick={() => of.set(next)}
      title={`${what}: ${says}`}
      aria-label={`${what}: ${says}; change it`}
    >
      {sign}
    </button>
  );
}

const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));

/** Milliseconds without typing before the search suggests. */
const PAUSE = 120;
const MAX_SUGGESTIONS = 8;

interface Suggested {
  readonly text: string;
  readonly found: readonly Suggestion[];
}

/** Searches for a text after a pause in typing. Until then, keeps the suggestions for its beginning. */
function useSuggestions(text: string): readonly Suggestion[] {
  const [last, setLast] = useState<Suggested>({ text: "", found: [] });
  useEffect(() => {
    let isCurrent = true;
    const ask = async () => {
      const { found } = await find(text);
      if (isCurrent) setLast({ text, found: found.slice(0, MAX_SUGGESTIONS) });
    };
    // Without suggestions Enter still searches, and says what is wrong.
    const timer = text.trim() === "" ? undefined : setTimeout(() => ask().catch(() => {}), PAUSE);
    return () => {
      clearTimeout(timer);
      isCurrent = false;
    };
  }, [text]);
  return text.startsWith(last.text) ? last.found : [];
}

/** Focuses the field when "/" is typed outside of any field. */
function useSlash(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event))
        return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
}

interface SuggestionsProps {
  readonly found: readonly Suggestion[];
  /** Index of the chosen suggestion; -1 while the typed text is chosen. */
  readonly at: number;
  readonly isOpen: boolean;
  readonly onOpen: (address: string) => void;
}

const idOf = (index: number) => `suggestion-${index}`;

const Suggestions = ({ found, at, isOpen, onOpen }: SuggestionsProps) => (
  <div id="suggestions" role="listbox" aria-label="Suggestions" hidden={!isOpen}>
    {found.map(({ to, what, name, more }, index) => (
      <div
        key={to}
        id={idOf(index)}
        role="option"
        tabIndex={-1}
        aria-selected={index === at}
        // A click would come after the field lost the focus and the suggestions closed.
        onPointerDown={(event) => {
          event.preventDefault();
          onOpen(to);
        }}
      >
        <span class="badge">{what}</span> <ChainText text={name} length={44} />
        <small class="quiet">{more}</small>
      </div>
    ))}
  </div>
);

function SearchForm() {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [at, setAt] = useState(-1);
  const suggestions = useSuggestions(text);
  const isOpen = text !== "" && suggestions.length > 0;
  useSlash(input);
  const type = (typed: string) => {
    setText(typed);
    setAt(-1);
  };
  const open = (address: string) => {
    go(address);
    type("");
    if (input.current) input.current.value = "";
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = input.current?.value.trim() ?? "";
    if (typed !== "") open((isOpen && suggestions[at]?.to) || href("search", typed));
  };
  const choose = (event: KeyboardEvent) => {
    if (event.key === "Escape") type("");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || !isOpen) return;
    event.preventDefault();
    // The typed text, at index -1, is a choice like the suggestions.
    setAt(((at + 1 + step + suggestions.length + 1) % (suggestions.length + 1)) - 1);
  };
  return (
    <search>
      <form onSubmit={submit}>
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label="Search"
          aria-keyshortcuts="/"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls="suggestions"
          aria-activedescendant={isOpen && at >= 0 ? idOf(at) : undefined}
          placeholder="Address, hash, block, token, event or method (press /)"
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={choose}
          onBlur={() => type("")}
        />
        <Suggestions {...{ found: suggestions, at, isOpen, onOpen: open }} />
      </form>
    </search>
  );
}

const KeyForm = ({ onDone }: { onDone?: () => void }) => (
  <Form
    fields={[{ name: "key", label: "api-key", type: "password", value: apiKey.get() }]}
    action="Use this key"
    run={(texts) => {
      apiKey.set(texts("key"));
      onDone?.();
    }}
  />
);

function KeyMenu() {
  const [isOpen, setOpen] = useState(false);
  const accessRules = access.use();
  if (accessRules !== undefined && !accessRules.keys_listed && !accessRules.tenants) return null;
  return (
    <div class="menu">
      <button type="button" class="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Key
      </button>
      {isOpen && (
        <div class="popover">
          <p>
            {accessRules?.tenants
              ? "Each api-key has its own chain, faults and journal."
              : "The service needs an API key."}
          </p>
          <KeyForm onDone={() => setOpen(false)} />
        </div>
      )}
    </div>
  );
}

function Bar() {
  const { view } = route.use();
  return (
    <header class="bar">
      <a class="brand" href="#/">
        <img src="/page/icon.svg" alt="" width={22} height={22} />
        <span>
          mrc<span class="quiet">-explorer</span>
        </span>
      </a>
      <SearchForm />
      <nav aria-label="Views">
        {links.map(([id, title]) => (
          <a key={id} href={href(id)} aria-current={view === id ? "page" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <div class="tools">
        <KeyMenu />
        <Stepper what="Times" of={times} steps={timeForms} />
        <Stepper what="Theme" of={theme} steps={themes} />
      </div>
    </header>
  );
}
