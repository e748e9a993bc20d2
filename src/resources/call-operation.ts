// How a method asks its operation.
import type { AnyOperation, OperationInput, OperationResults } from "../contract/index.ts";
import type { AnswerPromise, Call, RequestOptions } from "../http/call.ts";
import { toResponsePromise } from "../http/response-promise.ts";

/** Asks an operation and takes from its results what the method is about. */
export function callOperation<Op extends AnyOperation, Data>(
  call: Call,
  operation: Op,
  input: OperationInput<Op>,
  options: RequestOptions | undefined,
  pick: (results: OperationResults<Op>) => Data | Promise<Data>,
): AnswerPromise<Data> {
  return toResponsePromise(
    call(operation, input, options).then(async ({ data, response }) => ({
      data: await pick(data),
      response,
    })),
  );
}
