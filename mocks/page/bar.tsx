// The bar: brand, search, navigation, api-key, times and theme.
import { useEffect, useRef, useState } from "preact/hooks";
import { type Found, find } from "./parts/candidates.ts";
import { KeyForm } from "./parts/field.tsx";
import { ChainText } from "./parts/text.tsx";
import { go, href, route } from "./router.ts";
import { access } from "./service/head.ts";
import { applyTheme, theme, times } from "./store.ts";

const links = [
  ["", "Home"],
  ["requests", "Requests"],
  ["faults", "Faults"],
  ["api", "API"],
] as const;

const themes: Readonly<Record<string, { next: string; sign: string; says: string }>> = {
  "": { next: "light", sign: "◐", says: "as the system" },
  light: { next: "dark", sign: "☀", says: "light" },
  dark: { next: "", sign: "☾", says: "dark" },
};

const timeForms: Readonly<Record<string, { next: string; sign: string; says: string }>> = {
  "": { next: "absolute", sign: "ago", says: "how long ago" },
  absolute: { next: "local", sign: "UTC", says: "UTC" },
  local: { next: "", sign: "local", says: "local" },
};

const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));

/** Suggestions wait until the reader stops typing for so many milliseconds. */
const PAUSE = 120;
const MAX_SUGGESTIONS = 8;

/** What the search would find for what is typed, a moment later; nothing where it cannot be asked. */
function useSuggestions(text: string): readonly Found[] {
  const [found, setFound] = useState<readonly Found[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const ask = async () => {
      const { found } = await find(text, controller.signal);
      if (!controller.signal.aborted) setFound(found.slice(0, MAX_SUGGESTIONS));
    };
    if (text.trim() === "") setFound([]);
    // Suggestions are a help: without them Enter still searches, and says what is wrong.
    const timer = text.trim() === "" ? undefined : setTimeout(() => ask().catch(() => {}), PAUSE);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return found;
}

function SearchForm() {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [at, setAt] = useState(-1);
  const found = useSuggestions(text);
  const isOpen = text !== "" && found.length > 0;
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
    const wanted = input.current?.value.trim() ?? "";
    if (wanted !== "") open((isOpen && found[at]?.to) || href("search", wanted));
  };
  const choose = (event: KeyboardEvent) => {
    if (event.key === "Escape") type("");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || !isOpen) return;
    event.preventDefault();
    // Before the first one is what was typed.
    setAt(((at + 1 + step + found.length + 1) % (found.length + 1)) - 1);
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
          aria-activedescendant={isOpen && at >= 0 ? `suggestion-${at}` : undefined}
          placeholder="Address, transaction, block, token or contract"
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={choose}
          onBlur={() => type("")}
        />
        <span class="key" aria-hidden="true">
          /
        </span>
        <div id="suggestions" role="listbox" aria-label="Suggestions" hidden={!isOpen}>
          {found.map(({ to, what, name, more }, index) => (
            <div
              key={to}
              id={`suggestion-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              // Before the field loses the focus, and the suggestions go.
              onPointerDown={(event) => {
                event.preventDefault();
                open(to);
              }}
            >
              <span class="badge">{what}</span> <ChainText text={name} length={44} />
              <small class="quiet">{more}</small>
            </div>
          ))}
        </div>
      </form>
    </search>
  );
}

function KeyMenu() {
  const [isOpen, setOpen] = useState(false);
  const known = access.use();
  if (known !== undefined && !known.keys_listed && !known.tenants) return null;
  return (
    <div class="menu">
      <button type="button" class="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Key
      </button>
      {isOpen && (
        <div class="popover">
          <p>
            {known?.tenants
              ? "Each api-key has its own chain, faults and journal."
              : "The service needs an API key."}
          </p>
          <KeyForm onDone={() => setOpen(false)} />
        </div>
      )}
    </div>
  );
}

export function Bar() {
  const { view } = route.use();
  const chosen = theme.use();
  const form = timeForms[times.use()] ?? { next: "", sign: "ago", says: "how long ago" };
  const { next, sign, says } = themes[chosen] ?? { next: "", sign: "◐", says: chosen };
  const change = () => {
    theme.set(next);
    applyTheme();
  };
  return (
    <header class="bar">
      <a class="brand" href="#/">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" />
          <path d="M8 22V10l8 7 8-7v12" />
        </svg>
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
        <button
          type="button"
          class="ghost"
          onClick={() => times.set(form.next)}
          title={`Times: ${form.says}`}
          aria-label={`Times: ${form.says}; change it`}
        >
          {form.sign}
        </button>
        <button
          type="button"
          class="ghost"
          onClick={change}
          title={`Theme: ${says}`}
          aria-label={`Theme: ${says}; change it`}
        >
          {sign}
        </button>
      </div>
    </header>
  );
}
