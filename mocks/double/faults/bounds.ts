// How large a fault may be: it is kept, and its values are sent again with every response.
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from "../service/message.ts";
import { FaultError } from "./fault.ts";

/** Of all texts and names in a fault. */
const MAX_CHARACTERS = 64 * 1024;

/** Throws a {@link FaultError} for a fault that is nested too deeply or too large; also for one that contains itself. */
export function assertBounded(fault: unknown): void {
  const rest: { readonly value: unknown; readonly depth: number }[] = [{ value: fault, depth: 1 }];
  let values = 0;
  let characters = 0;
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { value, depth } = next;
    values++;
    if (typeof value === "string") characters += value.length;
    else if (typeof value === "object" && value !== null) {
      if (depth > MAX_JSON_DEPTH) refuse(`${MAX_JSON_DEPTH} levels`);
      for (const [key, below] of Object.entries(value)) {
        characters += key.length;
        rest.push({ value: below, depth: depth + 1 });
      }
    }
    if (values > MAX_JSON_VALUES) refuse(`${MAX_JSON_VALUES} values`);
    if (characters > MAX_CHARACTERS) refuse(`${MAX_CHARACTERS} characters`);
  }
}

function refuse(limit: string): never {
  throw new FaultError(`a fault: expected at most ${limit}, received more`);
}
