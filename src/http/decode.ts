// Decodes the results by the contract; invalid fields fail the call (strict) or are reported (lenient).
import type { AnyOperation, OperationResults } from "../contract/index.ts";
import { decodeFast, isInvalid } from "../models/fast-path.ts";
import { decodeInvalid } from "./decode-invalid.ts";
import type { ParsedResponse } from "./envelope.ts";
import type { Instrumentation } from "./hooks.ts";
import type { PreparedRequest } from "./request.ts";

/** What an invalid field does: fail the call ("strict"), or stay as received and be reported ("lenient"). */
export type Validation = "strict" | "lenient";

export function decode<Op extends AnyOperation>(
  operation: Op,
  request: PreparedRequest,
  received: ParsedResponse,
  validation: Validation,
  instrumentation: Instrumentation,
): OperationResults<Op> {
  const simple = request.wire.simple === true ? operation.simpleResults : undefined;
  const schema = simple ?? operation.results;
  const decoded = decodeFast(schema, received.results);
  // The types do not relate an operation's schema to its results.
  if (!isInvalid(decoded)) return decoded as OperationResults<Op>;

  const kept = decodeInvalid(operation, request, received, schema, validation, instrumentation);
  return kept as OperationResults<Op>;
}
