// Reads a successful response: parses its JSON, and takes the results out of its envelope (R1, R2).
import { isEnvelope, readEnvelope } from "../contract/envelope.ts";
import type { AnyOperation } from "../contract/index.ts";
import { isObject, parseJson } from "../models/json.ts";
import type { ReadResponse } from "./fetch.ts";

export const JSON_TYPE = /^\s*($|text\/plain|application\/([\w.-]+\+)?json|text\/json)/i;
/** Content types under which some deployments send JSON (R17). */
export const OTHER_TYPE = /^\s*(text\/html|application\/octet-stream)/i;

export const requiresVerified = ({ failure }: AnyOperation): boolean => failure === "not-verified";

/** Whether results are empty, or a contract's record with neither source nor ABI (S2). */
function isUnverified(results: unknown): boolean {
  if (results === null || !isObject(results)) return results === null;
  const { data } = results;
  if (!isObject(data)) return Object.keys(results).length === 0;
  const isNothing = (value: unknown) => value === undefined || value === null || value === "";
  return "contract_code" in data && isNothing(data.contract_source) && isNothing(data.contract_abi);
}

/** Returns the results of a success; undefined for any other response. */
export function successIn(
  operation: AnyOperation,
  { response, text }: Pick<ReadResponse, "response" | "text">,
): { readonly results: unknown } | undefined {
  const contentType = response.headers.get("content-type") ?? "";
  if (!response.ok || !(JSON_TYPE.test(contentType) || OTHER_TYPE.test(contentType)))
    return undefined;
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return undefined;
  }
  if (!operation.enveloped && !isEnvelope(value)) return { results: value };
  const { results, success } = readEnvelope(value);
  // Some deployments return an empty success for a contract that is not verified.
  const isSuccess = success && !(requiresVerified(operation) && isUnverified(results));
  return isSuccess ? { results } : undefined;
}
