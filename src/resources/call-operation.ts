// How a method calls its operation.
import type { AnyOperation, OperationInput, OperationResults } from "../contract/index.ts";
import type { Call, RequestOptions, ResultPromise } from "../http/call.ts";
import { toResultPromise } from "../http/result-promise.ts";

/** Calls an operation and picks from its results what the method returns. */
export function callOperation<Op extends AnyOperation, Data>(
  call: Call,
  operation: Op,
  input: OperationInput<Op>,
  options: RequestOptions | undefined,
  pick: (results: OperationResults<Op>) => Data | Promise<Data>,
): ResultPromise<Data> {
  return toResultPromise(
    call(operation, input, options).then(async ({ data, response }) => ({
      data: await pick(data),
      response,
    })),
  );
}
