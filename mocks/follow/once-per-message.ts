// Reports each message once while it repeats: a node that is down fails at every poll.
import { messageOf } from "../../src/errors/base.ts";

/** Passes the message of an error on, unless it is that of the error before. */
export function oncePerMessage(report: (message: string) => void): (error: unknown) => void {
  let last: string | undefined;
  return (error) => {
    const message = messageOf(error);
    if (message !== last) report(message);
    last = message;
  };
}
