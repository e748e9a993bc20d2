// A real HTTP server for one test, which responds as the test says and records its requests.
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, vi } from "vitest";
import {
  ExplorerClient,
  type ExplorerClientOptions,
  type ExplorerError,
  ParameterError,
} from "../../src/index.ts";

export const SENTINEL = "sk-sentinel-0123456789";
export const ADDRESS = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
export const HASH = `0x${"ab".repeat(32)}` as const;

/** The address of a number. */
export const addressOf = (index: number) => `0x${index.toString(16).padStart(40, "0")}` as const;

/** A source to verify. */
export const submission = {
  contract_name: "Token",
  compiler: "v0.8.20+commit.a1b79de6",
  runs_optimizer: 200,
  optimization_enabled: true,
  contract_source: "contract Token {}",
};

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly at: number;
}

export interface TestServer {
  readonly url: string;
  readonly asked: Asked[];
  /** Requests under way at once, at most. */
  readonly most: () => number;
}

type Answering = (
  asked: Asked,
  response: ServerResponse,
  count: number,
) => void | Promise<void> | unknown;

/** Starts a server that ends with the test. */
export async function serve(answer: Answering): Promise<TestServer> {
  const asked: Asked[] = [];
  let out = 0;
  let most = 0;
  const listener: RequestListener = async (request, response) => {
    most = Math.max(most, ++out);
    response.once("close", () => out--);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = {
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(chunks).toString("utf8"),
      at: performance.now(),
    };
    asked.push(one);
    await answer(one, response, asked.length);
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, most: () => most };
}

/** An address where nobody listens, nor can before the test ends: it is the near end of a connection. */
export async function nobody(): Promise<{ url: string }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const held = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(held, "connect");
  onTestFinished(() => {
    held.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${held.localPort}` };
}

/** Writes a JSON answer. */
export function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** The envelope of a success. */
export const success = (results: unknown) => ({ status: "200", message: "success", results });
/** The envelope of a refusal, as S1 has it. */
export const refusal = (status: number, message: string) => ({
  status: String(status),
  message,
  results: null,
});
export const supply = (amount: string) => success({ data: { total_supply: amount } });

/** A promise that a test resolves. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Longer than a busy machine takes for anything. */
export const PATIENCE = 100_000;

/** Lets a test skip time by `vi.advanceTimersByTime`, while timers run as usual: so limits can be as long as `PATIENCE`. */
export function skipTime(): void {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "performance"],
    shouldAdvanceTime: true,
  });
}

/** A client that retries without the pauses a person would want. */
export const clientOf = (server: { url: string }, options: ExplorerClientOptions = {}) =>
  new ExplorerClient({
    baseUrl: server.url,
    apiKey: SENTINEL,
    timeout: PATIENCE,
    retry: { limit: 3, delay: () => 1 },
    ...options,
  });

/** Of a client that sends nothing: its calls are refused before. */
export const unsent: ExplorerClientOptions = {
  baseUrl: "https://explorer.example",
  apiKey: SENTINEL,
  fetch: () => Promise.reject(new Error("something was sent")),
};

export const never = () => new Promise<never>(() => {});

/** Anything at all, as plain JavaScript may give it. */
export const as = <T>(value: unknown) => value as T;

/** The error of a call that fails. */
export const thrown = (call: PromiseLike<unknown>): Promise<ExplorerError> =>
  Promise.resolve(call).then(
    (value) => {
      throw new Error(`it did not fail, but returned ${value}`);
    },
    (error) => error,
  );

/** The error of a call whose parameters are refused, at once or in its promise. */
export async function refused(call: () => unknown): Promise<ParameterError> {
  const error = await thrown(Promise.resolve().then(call));
  expect(error).toBeInstanceOf(ParameterError);
  return error as ParameterError;
}

/** What a refused call says is wrong, without the key. */
export async function issuesOf(call: () => unknown) {
  const error = await refused(call);
  expect(JSON.stringify(error) + error.message).not.toContain(SENTINEL);
  return { message: error.message, paths: error.issues.map(({ path }) => path.join(".")) };
}
