// The bar: brand, search, navigation, api-key, times and theme.
import { useEffect, useRef, useState } from "preact/hooks";
import { KeyForm } from "./parts/field.tsx";
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

function SearchForm() {
  const input = useRef<HTMLInputElement>(null);
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
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const text = input.current?.value.trim() ?? "";
    if (text === "") return;
    go(href("search", text));
    if (input.current) input.current.value = "";
  };
  return (
    <search>
      <form onSubmit={submit}>
        <input
          ref={input}
          type="search"
          aria-label="Search"
          aria-keyshortcuts="/"
          placeholder="Address, transaction, block, token or contract"
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
        />
        <span class="key" aria-hidden="true">
          /
        </span>
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
