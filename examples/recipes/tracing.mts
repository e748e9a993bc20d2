// A span of OpenTelemetry for each request of the client, from the channel of node:diagnostics_channel that it publishes them on.
import { tracingChannel } from "node:diagnostics_channel";
import { type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import {
  ConsoleSpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { ExplorerClient, isExplorerError, type RequestTrace } from "mrc-explorer";

new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())],
}).register();

const tracer = trace.getTracer("mrc-explorer");
const spans = new WeakMap<object, Span>();
tracingChannel<unknown, RequestTrace>("mrc-explorer:request").subscribe({
  start(request) {
    const { name, operation, method, url } = request;
    const attributes = {
      "explorer.operation": operation,
      "http.request.method": method,
      "url.full": url,
    };
    spans.set(request, tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }));
  },
  end() {},
  asyncStart() {},
  error(request) {
    const message = isExplorerError(request.error) ? request.error.shortMessage : "aborted";
    spans.get(request)?.setStatus({ code: SpanStatusCode.ERROR, message });
  },
  asyncEnd(request) {
    if (request.result)
      spans.get(request)?.setAttribute("http.response.status_code", request.result.status);
    spans.get(request)?.end();
  },
});

const explorer = new ExplorerClient();
await tracer.startActiveSpan("show a block", async (span) => {
  console.log(`block ${(await explorer.blocks.get(1)).block_number}`);
  await explorer.blocks.get(10n ** 9n).catch(() => console.log("no such block"));
  span.end();
});
