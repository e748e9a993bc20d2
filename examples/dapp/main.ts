// The page of an account: balance, tokens and history, from the explorer at VITE_EXPLORER_URL or
// from a mock server.
import { isAddress } from "mrc-explorer";
import { account } from "./account.ts";
import { connect } from "./connect.ts";
import { element, failure } from "./element.ts";

const main = document.querySelector("main");
const input = document.querySelector("input");
if (main === null || input === null) {
  throw new Error("The page has no <main> or no <input>");
}

main.replaceChildren(element("p", { class: "hint" }, "Loading…"));
const { explorer, first } = await connect();

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
