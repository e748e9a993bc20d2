// Asks one operation as a program would, and keeps the response as received and as the client decodes it.
import type { AnyOperation } from "../../../src/contract/index.ts";
import { codeOf } from "../format/code.ts";
import { createServiceClient } from "./explorer.ts";

export interface Asked {
  readonly url: string;
  /** 0 without a response. */
  readonly status: number;
  /** The body as received. */
  readonly raw: string;
  /** The results as the client decodes them, written as code; "" with an error. */
  readonly decoded: string;
  readonly error?: string;
  readonly ms: number;
}

/** A field's text as the operation takes it: lists and structures as JSON, or addresses one by one. */
function inputOf(name: string, text: string): unknown {
  if (name === "addresses" && !text.startsWith("["))
    return text.split(/[\s,]+/).filter((one) => one !== "");
  if (/^[[{]/.test(text) && name !== "contract_source") {
    try {
      return JSON.parse(text);
    } catch {
      // The check of the parameters says what is wrong with it.
      return text;
    }
  }
  return text;
}

/** Somebody waits for it: for a compiler longer, as the operation says. */
const PATIENCE = 8000;

/** Rejects only where nothing was sent: its parameters are wrong. */
export async function ask(
  operation: AnyOperation,
  field: (name: string) => string,
): Promise<Asked> {
  const given = Object.keys(operation.input.shape).flatMap((name) => {
    const text = field(name);
    return text === "" ? [] : [[name, inputOf(name, text)]];
  });
  let [url, status] = ["", 0];
  let raw = Promise.resolve("");
  const client = createServiceClient({
    timeout: operation.timeout > 15_000 ? operation.timeout : PATIENCE,
    async fetch(target: string, init: RequestInit) {
      url = target;
      const response = await fetch(target, init);
      status = response.status;
      // A body that breaks off or never ends is the client's to report.
      raw = response
        .clone()
        .text()
        .catch(() => "");
      return response;
    },
  });
  const start = performance.now();
  const asked = async () => {
    const ms = performance.now() - start;
    return { url, status, raw: await raw, ms };
  };
  try {
    const results = await client.request(operation, Object.fromEntries(given));
    return { ...(await asked()), decoded: codeOf(results) };
  } catch (error) {
    if (url === "") throw error;
    const message = error instanceof Error ? error.message : String(error);
    return { ...(await asked()), decoded: "", error: message };
  }
}
