// The page of an account: what it has, and what it did. It asks an explorer, or the explorer's double where there is none.
import { type Address, ExplorerClient, ExplorerError } from "mrc-explorer";
import { account } from "./account.ts";
import { element } from "./element.ts";

const explorerUrl: string | undefined = import.meta.env.VITE_EXPLORER_URL;

/** The address of the explorer, and an account to begin with. */
async function begin(): Promise<{ baseUrl: string; first: string | null }> {
  if (explorerUrl !== undefined) {
    return { baseUrl: explorerUrl, first: null };
  }
  const { startDouble } = await import("./double.ts");
  return startDouble();
}

const main = document.querySelector("main");
const input = document.querySelector("input");
if (main === null || input === null) {
  throw new Error("the page has no main and no input");
}

const { baseUrl, first } = await begin();
// A key in a page is public. A real page asks its own server, which adds the key.
const explorer = new ExplorerClient({
  baseUrl,
  apiKey: import.meta.env.VITE_EXPLORER_KEY ?? "demo",
});

const asked = new URLSearchParams(location.search).get("address") ?? first;
if (asked === null) {
  main.replaceChildren(element("p", { class: "hint" }, "Enter an address to see its account."));
} else {
  input.value = asked;
  document.title = `Account ${asked}`;
  main.replaceChildren(element("p", { class: "hint" }, "Loading…"));
  try {
    main.replaceChildren(...(await account(explorer, asked as Address)));
  } catch (error) {
    if (!(error instanceof ExplorerError)) {
      throw error;
    }
    const again = element("button", { type: "button" }, "Try again");
    again.addEventListener("click", () => location.reload());
    main.replaceChildren(
      element(
        "section",
        { class: "card failure", role: "alert" },
        element("h2", {}, "The explorer did not answer"),
        element("p", {}, error.message),
        again,
      ),
    );
  }
}
