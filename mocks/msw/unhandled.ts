// Requests without a handler: the option of MSW's major version, and our default, since a test must
// not call a real explorer.
import { isLoopback } from "../service/loopback.ts";

/** The data of a frame of MSW 3: an HTTP request or a WebSocket connection. */
interface Frame {
  readonly data: {
    readonly request?: Request;
    readonly connection?: { readonly client: { readonly url: string | URL } };
  };
}

/**
 * Refuses calls to other machines, which MSW's own strategies do not distinguish. `report` prints
 * MSW's error.
 */
function refuseOutside(
  url: string | URL,
  report: () => void,
  refusal: (hostname: string) => unknown,
) {
  const { hostname } = new URL(url);
  // A test may call servers it has started itself.
  if (isLoopback(hostname)) return;
  report();
  throw refusal(hostname);
}

/** Returns the options, with defaults in place of undefined ones. */
export const withDefaults = <Options extends object, Defaults extends object>(
  options: Options,
  defaults: Defaults,
): Defaults & Options => {
  const defined = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...defaults, ...(Object.fromEntries(defined) as Options) };
};

/** Refuses requests to other machines. MSW 3 calls the first function, MSW 2 the second. */
export const refusedUnhandled = {
  onUnhandledFrame({ frame, defaults }: { frame: Frame; defaults: { error(): void } }) {
    const { request, connection } = frame.data;
    const url = request?.url ?? connection?.client.url ?? "about:blank";
    // An HTTP request fails like a network error; MSW would turn any other error into a response
    // 500.
    refuseOutside(url, defaults.error, (hostname) =>
      request
        ? Response.error()
        : new TypeError(`no handler for ${hostname}; requests to other machines are refused`),
    );
  },
  onUnhandledRequest(request: Request, print: { error(): void }) {
    refuseOutside(request.url, print.error, () => Response.error());
  },
};
