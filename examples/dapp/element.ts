// Creates DOM elements. Strings become text nodes, so data from the chain is never markup.
import { ExplorerError } from "mrc-explorer";

type Child = Node | string | null;

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | boolean>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** A button at the end of a list. */
export function action(title: string, act: () => void): HTMLButtonElement {
  const button = element("button", { type: "button", class: "more" }, title);
  button.addEventListener("click", act);
  return button;
}

/**
 * Says what could not be done, and why, and offers to try again. Errors of the program itself are
 * thrown.
 */
export function failure(what: string, error: unknown, retry: () => void): HTMLElement {
  if (!(error instanceof ExplorerError)) {
    throw error;
  }
  return element(
    "section",
    { class: "card failure", role: "alert" },
    element("h2", {}, what),
    element("p", {}, error.shortMessage),
    action("Try again", retry),
  );
}
