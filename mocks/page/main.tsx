// Starts the page: takes the token from its address, follows the address and the head, and draws.
import { render } from "preact";
import { App } from "./app.tsx";
import { followAddress } from "./router.ts";
import { followHead } from "./service/head.ts";
import { takeToken } from "./store.ts";
import "./style/tokens.css";
import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";
import "./style/table.css";
import "./style/views.css";

/** Removes the service workers of other programs, which could answer in place of the page. */
async function removeWorkers(): Promise<void> {
  // Missing outside of secure contexts, and unusable where the browser blocks site data.
  const { serviceWorker } = navigator as Partial<Pick<Navigator, "serviceWorker">>;
  const workers = (await serviceWorker?.getRegistrations().catch(() => [])) ?? [];
  await Promise.all(workers.map((worker) => worker.unregister()));
  if (workers.length === 0 || !serviceWorker?.controller) return;
  location.reload();
  // Starts nothing before the reload, because a worker may have answered the requests so far.
  await new Promise<never>(() => {});
}

/** A function, because an await at the top level would make the build add a file for each view. */
async function start(): Promise<void> {
  await removeWorkers();
  takeToken();
  followAddress();
  followHead();
  const root = document.getElementById("app");
  if (root) render(<App />, root);
}

void start();
