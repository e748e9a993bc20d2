// Fetch functions that make a node poorer: for them, some of its methods are as good as absent.

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Refuses a request if one of its calls is refused. */
function refusing(isRefused: (asked: Asked) => boolean): typeof fetch {
  return async (url, init) => {
    const asked: unknown = JSON.parse(String(init?.body));
    const calls = (Array.isArray(asked) ? asked : [asked]) as Asked[];
    if (!calls.some(isRefused)) return await fetch(url, init);
    const refusals = calls.map(({ id, method }) => ({
      jsonrpc: "2.0",
      id,
      error: { code: -32601, message: `the method ${method} does not exist` },
    }));
    return Response.json(Array.isArray(asked) ? refusals : refusals[0]);
  };
}

/** The node without these methods. */
export const without = (...methods: string[]): typeof fetch =>
  refusing(({ method }) => methods.includes(method));
