// Asks `/inspect`, which is no part of the specification, for what the operations cannot answer.
import type { AnswerOf, ViewName } from "../../inspect/views.ts";
import { askView, type ViewInput } from "./explorer.ts";
import { learnNames } from "./names.ts";

/** The answer, decoded; the names in it are remembered. */
export async function inspect<Name extends ViewName>(
  name: Name,
  input: ViewInput<Name>,
  options?: { readonly signal?: AbortSignal },
): Promise<AnswerOf<Name>> {
  const answer = await askView(name, input, options);
  learnNames(answer);
  return answer;
}
