// Run with a limited heap: a client reads a body full of invalid values, and the outcome is printed.
import { ExplorerClient, isExplorerError, type OperationId } from "../../src/index.ts";

const [id = "A2", prefix = "", item = "", suffix = "", length = "0", validation] =
  process.argv.slice(2);
const ADDRESS = `0x${"ab".repeat(20)}` as const;
const size = Number(length) - prefix.length - suffix.length;
const chunk = new TextEncoder().encode(item.repeat(Math.ceil(65_536 / item.length)));

/** The body, in chunks: it never exists as a whole outside the client. */
function body(): ReadableStream<Uint8Array> {
  const text = (part: string) => new TextEncoder().encode(part);
  let left = Math.floor(size / item.length) * item.length;
  return new ReadableStream({
    start: (controller) => controller.enqueue(text(prefix)),
    pull(controller) {
      if (left > 0) {
        const part = chunk.subarray(0, Math.min(left, chunk.length));
        controller.enqueue(part);
        left -= part.length;
      } else {
        controller.enqueue(text(suffix));
        controller.close();
      }
    },
  });
}

let events = 0;
const client = new ExplorerClient({
  baseUrl: "https://explorer.example",
  apiKey: "key-of-the-test",
  retry: 0,
  fetch: async () => new Response(body(), { headers: { "content-type": "application/json" } }),
  validation: validation === "lenient" ? "lenient" : "strict",
  hooks: { onValidationIssue: () => events++ },
});
const startedAt = performance.now();
const outcome = await client
  .request(
    id as OperationId,
    {
      ...(id === "L1" ? { address: ADDRESS } : {}),
      ...(id === "T3" || id === "C1" ? { contract_hash: ADDRESS } : {}),
      ...(id === "X3" ? { transaction_hash: `0x${"ab".repeat(32)}` } : {}),
      ...(id === "A9" ? { contract_address: ADDRESS } : {}),
      ...(id === "T3" || /^A([2-8]|10)$/.test(id) ? { address_hash: ADDRESS } : {}),
    } as never,
  )
  .then(
    () => ({}),
    (error: unknown) =>
      isExplorerError(error, "RESPONSE_VALIDATION")
        ? {
            message: error.shortMessage,
            issues: error.issues.length,
            issueCount: error.issueCount,
            length: error.message.length + JSON.stringify(error).length,
          }
        : { message: String(error) },
  );
console.log(JSON.stringify({ ...outcome, events, ms: performance.now() - startedAt }));
