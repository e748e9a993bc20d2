// Asks `/inspect`, which is no part of the specification, for what the operations cannot answer.
import type { AnySchema } from "../../../src/contract/index.ts";
import { check, explain } from "../../../src/models/issues.ts";
import type { Decoded } from "../../../src/models/model.ts";
import { keyToSend } from "./keys.ts";
import { learnNames } from "./names.ts";
import { requestJson } from "./request.ts";

/** The answer, checked and decoded; the names in it are remembered. */
export async function inspect<S extends AnySchema>(
  path: string,
  schema: S,
  signal?: AbortSignal,
): Promise<Decoded<S>> {
  const json = await requestJson(`/inspect/${path}`, {
    headers: { "api-key": keyToSend() },
    signal,
  });
  const { value, issues } = check(schema, json);
  if (issues) throw new Error(`/inspect/${path}: ${issues.map(explain).join("; ")}`);
  learnNames(value);
  return value as Decoded<S>;
}
