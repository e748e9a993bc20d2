// Publishes each request on a tracing channel of node:diagnostics_channel, where the platform has one; browsers have none.

/** A request of the client, retries included, as the tracing channel `mrc-explorer:request` of `node:diagnostics_channel` shows it. */
export interface RequestTrace {
  /** The number of the operation in the specification: "A2". */
  readonly operation: string;
  /** The method of the client: "accounts.transactions". */
  readonly name: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** Of the first attempt. */
  readonly url: string;
  /** The response, once there is one. */
  readonly result?: Response;
  /** Why it failed: an {@link ExplorerError}, or the reason of an abort. */
  readonly error?: unknown;
}

/** The parts of Node's `TracingChannel` that are used. */
interface Channel {
  readonly hasSubscribers: boolean;
  tracePromise<Result>(run: () => Promise<Result>, trace: RequestTrace): Promise<Result>;
}

/** Not imported: a bundle for browsers would look for the module. */
function findChannel(): Channel | undefined {
  const { process } = globalThis as {
    process?: {
      getBuiltinModule?(name: string): { tracingChannel?(name: string): Channel } | undefined;
    };
  };
  const diagnostics = process?.getBuiltinModule?.("node:diagnostics_channel");
  return diagnostics?.tracingChannel?.("mrc-explorer:request");
}

let channel: { readonly found: Channel | undefined } | undefined;

/** Runs a request, and publishes it if somebody listens. */
export async function traced<Result extends { readonly response: Response }>(
  trace: RequestTrace,
  run: () => Promise<Result>,
): Promise<Result> {
  channel ??= { found: findChannel() };
  if (!channel.found?.hasSubscribers) return run();
  let result: Result | undefined;
  await channel.found.tracePromise(async () => {
    result = await run();
    return result.response;
  }, trace);
  return result as Result;
}
