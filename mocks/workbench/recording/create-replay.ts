// An explorer that answers from a recording or from a real explorer, and records what that answers; Node only.
import type { OperationId } from "../../../src/contract/index.ts";
import { createExplorer, type Explorer, type ExplorerOptions } from "../../double/explorer.ts";
import { responseViolation } from "../../double/service/conformance.ts";
import { apiKeyOf } from "../../double/service/dispatcher.ts";
import { normalBase } from "../../double/service/fetch-messages.ts";
import {
  bodyText,
  type ServiceRequest,
  type ServiceResponse,
} from "../../double/service/message.ts";
import { operationOf } from "../../double/service/router.ts";
import { type RecordedCall, recordedCall, responseOf } from "./recording.ts";
import { RecordingFile, readRecording } from "./recording-file.ts";
import { answerFrom, askUpstream, notRecorded } from "./upstream.ts";

/** The options of {@link createProxy}: those of {@link createExplorer}, and where to record. */
export interface ProxyOptions extends Omit<ExplorerOptions, "chain" | "source"> {
  /** The folder to record into; without it, nothing is recorded. If it already has a recording, new requests are added. */
  readonly record?: string | undefined;
  /** Sends the requests. @default the platform's `fetch` */
  readonly fetch?: typeof fetch | undefined;
  /** Called if a response cannot be written, and where a recording no longer matches the contract. @default console.warn */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** The options of {@link createReplay}: those of {@link createExplorer}, and a real explorer to record from. */
export interface ReplayOptions extends Omit<ProxyOptions, "record"> {
  /**
   * The address of the real explorer. Requests go there only with `MRC_RECORD=1` in the environment, which forwards every request, and with `recordMissing`, for
   * those that are not recorded. It is the default of `baseUrl`, too.
   */
  readonly upstream?: string | undefined;
  /** Asks `upstream` for a request that is not recorded, and records the response. @default false */
  readonly recordMissing?: boolean | undefined;
}

/** Recordings that grow: sorted when the process ends. */
const growing = new Set<RecordingFile>();

function openFile(folder: string, warn: (message: string) => void): RecordingFile {
  const file = new RecordingFile(folder, warn);
  if (growing.size === 0)
    process.once("exit", () => {
      for (const one of growing) one.close();
    });
  growing.add(file);
  return file;
}

/** How a response violates the contract. */
const violationIn = (
  id: OperationId,
  target: string,
  { status, headers, body }: ServiceResponse,
): string | undefined =>
  responseViolation(id, target, {
    status,
    contentType: headers["content-type"] ?? null,
    text: bodyText(body),
  })?.message;

/** Asks the real explorer, checks its response against the contract, and records it. */
function recorder(
  upstream: string,
  { fetch = globalThis.fetch }: Pick<ProxyOptions, "fetch">,
  file: RecordingFile | undefined,
) {
  const ask = askUpstream(normalBase(upstream), (...request) => fetch(...request));
  return async (request: ServiceRequest, operation: OperationId) => {
    const { response, isReached } = await ask(request);
    if (!isReached) return { response, notes: [] };
    const violation = violationIn(operation, request.target, response);
    // Who refuses a key says nothing of the request: no key is recorded.
    const isOfKey = [401, 403].includes(response.status) && apiKeyOf(request) !== undefined;
    if (!isOfKey) file?.add(recordedCall(request, response, violation));
    return { response, notes: violation === undefined ? [] : [violation] };
  };
}

/** Warns of responses that do not match the contract, though they did when they were recorded. */
function checkContract(
  calls: readonly RecordedCall[],
  file: string,
  warn: (message: string) => void,
): void {
  for (const [index, call] of calls.entries()) {
    const { method, target } = call.request;
    const id = operationOf(method, target);
    if (id === undefined || call.violation !== undefined) continue;
    const violation = violationIn(id, target, responseOf(call));
    if (violation !== undefined)
      warn(`${file}:${index + 2}: ${violation}; record it again, or expect errors`);
  }
}

/**
 * Creates an explorer that forwards each request to a real one, and records the responses. Journal, faults and page work as with a mock.
 * API keys are forwarded, but never recorded.
 *
 * @example
 * const proxy = createProxy("https://explorer.example", { record: "calls" });
 * const served = await serveExplorer(proxy);
 */
export function createProxy(upstream: string, options: ProxyOptions = {}): Explorer {
  const { record, fetch, onWarning = console.warn, ...others } = options;
  const file = record === undefined ? undefined : openFile(record, onWarning);
  const source = recorder(upstream, { fetch }, file);
  return createExplorer({ ...others, source: () => source });
}

/**
 * Creates an explorer that answers from a recording, byte for byte, without a network; a request that is not recorded is a 501 that names the
 * nearest one. If a request had several responses, they are repeated in the same order; `reset()` starts again with the first.
 *
 * Throws a {@link RecordingError} that names file and line if the recording cannot be read.
 *
 * @example
 * const replay = createReplay("calls", { upstream: "https://explorer.example" });
 * const explorer = new ExplorerClient({ baseUrl: replay.baseUrl, apiKey: "any", fetch: replay.fetch });
 */
export function createReplay(folder: string, options: ReplayOptions = {}): Explorer {
  const { upstream, recordMissing = false, fetch, onWarning = console.warn, ...others } = options;
  const baseUrl = others.baseUrl ?? upstream;
  const explorerOptions = { ...others, baseUrl };
  if (upstream !== undefined && process.env.MRC_RECORD)
    return createProxy(upstream, { ...explorerOptions, fetch, onWarning, record: folder });
  if (recordMissing && upstream === undefined)
    throw new TypeError("createReplay: recordMissing: expected an upstream to ask");
  const grows = recordMissing && upstream !== undefined;
  const file = grows ? openFile(folder, onWarning) : undefined;
  const read = readRecording(folder);
  checkContract(read.calls, read.file, onWarning);
  const recording = file?.recording ?? read.recording;
  const ask = grows ? recorder(upstream, { fetch }, file) : undefined;
  return createExplorer({
    ...explorerOptions,
    source: () => {
      const answer = answerFrom(recording);
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
