// What the client makes of a response that the journal has.
import { codeOf } from "../format/code.ts";
import { type Outcome, operationOf } from "../format/request-code.ts";
import type { Entry, Exchange } from "./admin.ts";
import { createServiceClient } from "./explorer.ts";

/** The body as a fault let it through: it breaks off, or is the whole. */
function bodyOf({ body, delivery }: Exchange["response"]): BodyInit | null {
  if (delivery?.kind !== "truncated") return body === "" ? null : body;
  const bytes = new TextEncoder().encode(body).slice(0, Number(delivery.bytes));
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.error(new TypeError("terminated"));
    },
  });
}

/** Results or an error; undefined where it would not have sent the request. */
export async function outcomeOf(
  entry: Entry,
  { response }: Exchange,
): Promise<(Outcome & { readonly text: string }) | undefined> {
  const operation = operationOf(entry);
  if (operation === undefined || entry.input === undefined) return undefined;
  const { status, headers, delivery } = response;
  const client = createServiceClient({
    async fetch() {
      if (status === 0) throw new TypeError("fetch failed");
      return new Response([204, 304].includes(status) ? null : bodyOf(response), {
        status,
        headers,
      });
    },
  });
  try {
    const results = await client.request(operation, entry.input);
    return { results, text: codeOf(results) };
  } catch (error) {
    const { name, httpStatus, message } = Object(error);
    const timedOut = delivery?.kind === "never" ? "TimeoutError" : name;
    return {
      error: { name: timedOut, ...(httpStatus !== undefined && { httpStatus }) },
      text: `${message}`,
    };
  }
}
