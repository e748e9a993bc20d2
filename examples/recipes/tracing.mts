// A span of OpenTelemetry for each request of the client, by its hooks.
import {
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import {
  ConsoleSpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { ExplorerClient, type Hooks, isExplorerError } from "mrc-explorer";

new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())],
}).register();

const tracer = trace.getTracer("mrc-explorer");
/** The open span of each call: a call sends one request at a time. */
const spans = new Map<number, Span>();

function fail(call: number, error: unknown): void {
  const message = isExplorerError(error) ? error.shortMessage : "aborted";
  spans.get(call)?.setStatus({ code: SpanStatusCode.ERROR, message }).end();
  spans.delete(call);
}

const hooks: Hooks = {
  onRequest({ call, name, operation, method, url, attempt }) {
    const attributes = {
      "explorer.operation": operation,
      "http.request.method": method,
      "http.request.resend_count": attempt - 1,
      "url.full": url,
    };
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
    spans.set(call, span);
    // The explorer's own spans become children of this one.
    const headers: Record<string, string> = {};
    propagation.inject(trace.setSpan(context.active(), span), headers);
    return headers;
  },
  onResponse({ call, status }) {
    const span = spans.get(call)?.setAttribute("http.response.status_code", status);
    if (status >= 400) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    spans.delete(call);
  },
  onRetry: ({ call, error }) => fail(call, error),
  onError: ({ call, error }) => fail(call, error),
};

const explorer = new ExplorerClient({ hooks });
await tracer.startActiveSpan("show a block", async (span) => {
  console.log(`block ${(await explorer.blocks.get(1)).block_number}`);
  await explorer.blocks.get(10n ** 9n).catch(() => console.log("no such block"));
  span.end();
});
