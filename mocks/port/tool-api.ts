// The parts that the APIs of other explorers share: tools use them with the chain, faults and
// journal of their key.
import type { OperationId } from "../../src/contract/index.ts";
import type { Api } from "../service/service.ts";

const MISSING_KEY = "Missing/Invalid API Key: give the tool one of this explorer's keys";

/**
 * @param operationOfAction the operation of the specification whose faults apply to each of the tool's operations
 * @param shown a request's target as the journal shows it
 */
export const toolApi = (
  operationOfAction: Readonly<Record<string, OperationId>>,
  shown = (target: string) => target,
): Pick<Api, "serviceFor" | "listed" | "faultsOf" | "unknownParameters"> => ({
  serviceFor: (service, request) =>
    service.serviceFor(request, service.keysListed || service.hasTenants ? MISSING_KEY : undefined),
  // The journal names no operation, because the tool's operations are not in the specification.
  listed: (_, target) => ({ operation: undefined, target: shown(target) }),
  faultsOf: (id) => operationOfAction[id] as OperationId,
  // A form has many fields that the verifier has no use for.
  unknownParameters: "ignored",
});
