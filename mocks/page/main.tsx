// The page at `/`: starts what it follows, and draws it.
import { render } from "preact";
import { App } from "./app.tsx";
import { followAddress } from "./router.ts";
import { followHead } from "./service/head.ts";
import { takeToken } from "./store.ts";
import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";
import "./style/table.css";
import "./style/views.css";

/** The page has no service worker: one that another program left on this port could answer in its place. */
async function removeWorkers(): Promise<void> {
  const { serviceWorker } = navigator as Partial<Pick<Navigator, "serviceWorker">>;
  const workers = (await serviceWorker?.getRegistrations()) ?? [];
  await Promise.all(workers.map((worker) => worker.unregister()));
  if (!serviceWorker?.controller) return;
  location.reload();
  // Nothing of what it answered is used.
  await new Promise<never>(() => {});
}

/** A function: an await at the top would have the build add a file for each view. */
async function start(): Promise<void> {
  await removeWorkers();
  takeToken();
  followAddress();
  followHead();
  const root = document.getElementById("app");
  if (root) render(<App />, root);
}

void start();
