// Explorers that answer from a recording, or from a real explorer that they record; Node only.
import * as z from "zod/mini";
import { responseViolation } from "../../src/contract/conformance.ts";
import type { OperationId } from "../../src/contract/index.ts";
import { baseOf, checkLimits, checkUrl } from "../../src/http/base-url.ts";
import { callback } from "../../src/http/request.ts";
import { createExplorer, type Explorer, type ExplorerOptions } from "../explorer.ts";
import { classOf, validOptions } from "../input/options.ts";
import type { ServiceRequest, ServiceResponse } from "../message/message.ts";
import { createExplorerApi, operationOf } from "../service/explorer-api.ts";
import { explorerFields } from "../service/options.ts";
import { type Api, apiKeyOf } from "../service/service.ts";
import { mayBeData } from "./hide-key.ts";
import {
  type RecordedCall,
  type RecordedRequest,
  type RecordedResponse,
  recordedCall,
  responseOf,
  type Version,
} from "./recording.ts";
import { RecordingFolder, readRecording } from "./recording-folder.ts";
import { answerFrom, askUpstream, notRecorded } from "./upstream.ts";

/** The options of {@link createProxy}: those of {@link createExplorer}, and where to record. */
export interface ProxyOptions extends Omit<ExplorerOptions, "chain" | "source"> {
  /**
   * The folder to record into; without it, nothing is recorded. If it already has a recording, new
   * requests are added.
   */
  readonly record?: string | undefined;
  /** Sends the requests. @default the platform's `fetch` */
  readonly fetch?: typeof fetch | undefined;
  /** Milliseconds until a response must be complete. @default 60_000 */
  readonly timeout?: number | undefined;
  /** The longest response to accept, once it is decompressed. @default 64 MiB */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Called if a response cannot be written, or a recorded response no longer matches the contract.
   *
   * @default console.warn
   */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * The options of {@link createReplay}: those of {@link createExplorer}, and a real explorer to
 * record from.
 */
export interface ReplayOptions extends Omit<ProxyOptions, "record"> {
  /**
   * The address of the real explorer. Requests go there only in two cases: with `MRC_RECORD=1` in
   * the environment, every request, and with `recordMissing`, every request that is not recorded.
   * Also the default of `baseUrl`.
   */
  readonly upstream?: string | undefined;
  /**
   * Asks `upstream` for a request that is not recorded, and records the response.
   *
   * @default false
   */
  readonly recordMissing?: boolean | undefined;
}

const { chain: _, source: __, ...explorerOptions } = explorerFields;
const proxyFields = {
  ...explorerOptions,
  fetch: z.optional(callback),
  // Checked with the address of the explorer.
  timeout: z.optional(z.unknown()),
  maxResponseBytes: z.optional(z.unknown()),
  onWarning: z.optional(callback),
};
const proxySchema = z.strictObject({ ...proxyFields, record: z.optional(z.string("a folder")) });
const replaySchema = z.strictObject({
  ...proxyFields,
  upstream: z.optional(z.string("the URL of an explorer")),
  recordMissing: z.optional(z.boolean()),
});

/** Returns how a response violates the contract, if it does. */
const violationIn = (
  id: OperationId,
  target: string,
  { status, headers, body, bytes }: ServiceResponse,
): string | undefined =>
  bytes
    ? `response of ${id} violates the contract: expected JSON in UTF-8, received other bytes`
    : responseViolation(id, target, {
        status,
        contentType: headers["content-type"] ?? null,
        text: body,
      })?.message;

type RecordCall = (call: RecordedCall) => void;

/** Asks the real explorer, checks its response against the contract, and records it. */
function recorder(
  upstream: string,
  api: Api,
  {
    fetch = globalThis.fetch,
    timeout = 60_000,
    maxResponseBytes = 64 * 2 ** 20,
    onWarning = console.warn,
  }: ProxyOptions,
  record: RecordCall | undefined,
) {
  checkLimits({ timeout, maxResponseBytes });
  const base = baseOf(checkUrl(upstream, ["upstream"]));
  const ask = askUpstream({
    ...{ base, api, timeout, maxResponseBytes },
    fetch: (...request) => fetch(...request),
  });
  const warned = new Set<string>();
  return async (request: ServiceRequest, operation: OperationId) => {
    const key = apiKeyOf(request);
    if (record && key !== undefined && mayBeData(key) && !warned.has(key)) {
      warned.add(key);
      onWarning(
        "the api-key has fewer than 8 characters, or only hexadecimal digits, so it could be a part of the data: the recording leaves it out only where a header, a parameter or a JSON string is exactly the key",
      );
    }
    const { response, isReached } = await ask(request);
    if (!isReached) return { response, notes: [] };
    const violation = violationIn(operation, request.target, response);
    // Does not record the refusal of a key, because the recording has no keys.
    const isKeyRefusal = [401, 403].includes(response.status) && key !== undefined;
    if (!isKeyRefusal) record?.(recordedCall(request, response, violation));
    return { response, notes: violation === undefined ? [] : [violation] };
  };
}

/**
 * Returns a check that warns once of each response that matched the contract when it was recorded,
 * but does not now.
 */
function createContractCheck(api: Api, warn: (message: string) => void) {
  const checked = new Set<RecordedResponse>();
  return ({ method, target }: RecordedRequest, { response, place }: Version): void => {
    if (place === undefined || checked.has(response)) return;
    checked.add(response);
    const id = operationOf(api, method, target);
    if (id === undefined || response.violation !== undefined) return;
    const violation = violationIn(id, target, responseOf(response));
    if (violation !== undefined) warn(`${place}: ${violation}; record it again, or expect errors`);
  };
}

/**
 * Creates an explorer that forwards each request to a real one, and records the responses. Journal,
 * faults and page work as with a mock. API keys are forwarded, but never recorded. Any number of
 * processes may record into one folder.
 *
 * @example
 * const proxy = createProxy("https://explorer.example", { record: "calls" });
 * const served = await serveExplorer(proxy);
 */
export function createProxy(upstream: string, options: ProxyOptions = {}): Explorer {
  if (typeof upstream !== "string")
    throw new TypeError(
      `createProxy: expected the URL of an explorer, received ${classOf(upstream)}`,
    );
  validOptions("createProxy", proxySchema, options);
  const { record, fetch, timeout, maxResponseBytes, onWarning = console.warn, ...others } = options;
  const api = createExplorerApi(options.dialect);
  const folder = record === undefined ? undefined : new RecordingFolder(record, api, onWarning);
  const limits = { fetch, timeout, maxResponseBytes, onWarning };
  const source = recorder(upstream, api, limits, folder && ((call) => folder.add(call)));
  return createExplorer({ ...others, source: () => source });
}

/**
 * Creates an explorer that answers from a recording, byte for byte, without a network; a request
 * that is not recorded is a 501 that names the nearest one. If a request had several responses,
 * they are repeated in the same order; `reset()` starts again with the first.
 *
 * Throws a {@link RecordingError} that names file and line if the recording cannot be read.
 *
 * @example
 * const replay = createReplay("calls", { upstream: "https://explorer.example" });
 * const explorer = new ExplorerClient({ baseUrl: replay.baseUrl, apiKey: "any", fetch: replay.fetch });
 */
export function createReplay(folder: string, options: ReplayOptions = {}): Explorer {
  if (typeof folder !== "string")
    throw new TypeError(
      `createReplay: expected the folder of a recording, received ${classOf(folder)}`,
    );
  validOptions("createReplay", replaySchema, options);
  const { upstream, recordMissing = false, onWarning = console.warn, ...more } = options;
  const { fetch, timeout, maxResponseBytes, ...others } = more;
  const limits = { fetch, timeout, maxResponseBytes, onWarning };
  const ownOptions = { ...others, baseUrl: others.baseUrl ?? upstream };
  if (upstream !== undefined && process.env.MRC_RECORD)
    return createProxy(upstream, { ...ownOptions, ...limits, record: folder });
  if (recordMissing && upstream === undefined)
    throw new TypeError("createReplay: recordMissing: expected an upstream to ask");
  const api = createExplorerApi(options.dialect);
  const recording = readRecording(folder, api, onWarning, recordMissing);
  const recordingFolder = recordMissing ? new RecordingFolder(folder, api, onWarning) : undefined;
  const keep: RecordCall = (call) => {
    recordingFolder?.add(call);
    recording.add(call.request, { response: call.response, place: undefined });
  };
  const ask =
    recordingFolder && upstream !== undefined ? recorder(upstream, api, limits, keep) : undefined;
  const checkContract = createContractCheck(api, onWarning);
  return createExplorer({
    ...ownOptions,
    source: () => {
      const answer = answerFrom(recording, checkContract);
      return async (request, operation) => {
        const response = answer(request);
        if (response) return { response, notes: [] };
        return ask
          ? await ask(request, operation)
          : { response: notRecorded(recording, request), notes: [] };
      };
    },
  });
}
