// Sends a request many times at once, in a process of its own, and ends with the statuses.

import type { Sent } from "../support/requests.ts";
import { agent, statusAt } from "./inputs.ts";

export interface Crowd {
  readonly port: number;
  readonly sent: Sent;
  readonly count: number;
}

process.once("message", async ({ port, sent, count }: Crowd) => {
  const all = Array.from({ length: count }, () => statusAt(port, sent));
  process.send?.(await Promise.all(all));
  agent.destroy();
  process.disconnect();
});
