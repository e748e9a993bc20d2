// The page of an account: balance, tokens and history, from the explorer at VITE_EXPLORER_URL or from a mock server.
import { ExplorerClient, isAddress } from "mrc-explorer";
import { account } from "./account.ts";
import { element, failure } from "./element.ts";

const explorerUrl: string | undefined = import.meta.env.VITE_EXPLORER_URL;

/** Returns the address of the explorer and the account to show first. */
async function connect(): Promise<{ baseUrl: string; first: string | null }> {
  if (explorerUrl !== undefined) {
    return { baseUrl: explorerUrl, first: null };
  }
  const { startMockServer } = await import("./mock-server.ts");
  return startMockServer();
}

const main = document.querySelector("main");
const input = document.querySelector("input");
if (main === null || input === null) {
  throw new Error("The page has no <main> or no <input>");
}

main.replaceChildren(element("p", { class: "hint" }, "Loading…"));
const { baseUrl, first } = await connect();
// A key in a page is public. In production, send requests through your own server and add the key there.
const explorer = new ExplorerClient({
  baseUrl,
  apiKey: import.meta.env.VITE_EXPLORER_KEY ?? "demo",
});

const address = new URLSearchParams(location.search).get("address") ?? first;
if (!isAddress(address)) {
  const text =
    address === null
      ? "Enter an address to see its account."
      : "This is not an address: expected 0x and 40 hexadecimal digits.";
  main.replaceChildren(element("p", { class: "hint" }, text));
} else {
  input.value = address;
  document.title = `Account ${address}`;
  try {
    main.replaceChildren(...(await account(explorer, address)));
  } catch (error) {
    main.replaceChildren(failure("Could not load the account", error, () => location.reload()));
  }
}
