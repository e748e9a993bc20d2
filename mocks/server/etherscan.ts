// `/etherscan/api` of a served explorer: verifies contracts for tools that speak to Etherscan (forge, hardhat-verify), as C3 does.
import { randomBytes } from "node:crypto";
import { isAddress } from "../../src/models/hex.ts";
import { ServiceError } from "../api.ts";
import type { ContractVerification } from "../chain/records.ts";
import type { Explorer } from "../explorer.ts";
import {
  internalError,
  maxBodyBytes,
  type ServiceRequest,
  type ServiceResponse,
} from "../message.ts";
import { lower } from "../operations/format.ts";
import { delay } from "../transports/timing.ts";
import type { InputSubmission, Submission, Verdict } from "../verification/port.ts";
import { splitName } from "../verification/submission.ts";

/** Whether a target is this endpoint: tools for the second version of Etherscan's API put it in the path. */
export const isEtherscan = (target: string): boolean =>
  target.startsWith("/etherscan/") && /^\/etherscan\/(v2\/)?api\/?(\?|$)/.test(target);

/** Responds to a request for `/etherscan/api`, whose body is read. */
export type Etherscan = (request: ServiceRequest) => Promise<ServiceResponse>;

type Signal = ServiceRequest["signal"];

/** An answer in Etherscan's words: `result` is a text of its own, the cause of a failure, or data. */
interface Answer {
  readonly succeeded: boolean;
  readonly result: unknown;
}

const success = (result: unknown): Answer => ({ succeeded: true, result });
const failure = (result: string): Answer => ({ succeeded: false, result });

/** The HTTP status is 200 also for failures: tools show the result of no other. */
const respond = ({ succeeded, result }: Answer): ServiceResponse => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    status: succeeded ? "1" : "0",
    message: succeeded ? "OK" : "NOTOK",
    result,
  }),
});

/** How many submissions are remembered for those who ask what became of them. */
const maxRemembered = 1000;

/** How many fields a form may have: a submission has some 30. */
const maxFields = 200;

/** How long who asks waits for the outcome before it is "pending": tools wait much longer before they ask again. */
const patienceMs = 5_000;

const notVerified = "Contract source code not verified";

/** The parameters of a request, of its query and of its form. Throws a {@link ServiceError}. */
function parametersOf({ target, headers, body }: ServiceRequest): URLSearchParams {
  const cut = target.indexOf("?");
  const parameters = new URLSearchParams(cut < 0 ? "" : target.slice(cut));
  if (body === undefined || body.length === 0) return parameters;
  const type = String(headers["content-type"] ?? "none");
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new ServiceError(
      415,
      `Content-Type: expected application/x-www-form-urlencoded, received ${type.slice(0, 80)}`,
    );
  if (body.length > maxBodyBytes)
    throw new ServiceError(
      413,
      `the body is larger than ${maxBodyBytes} bytes: submit only the files that the contract needs`,
    );
  const form = Buffer.from(body).toString();
  if (form.split("&", maxFields + 1).length > maxFields)
    throw new ServiceError(400, `the form: expected at most ${maxFields} fields, received more`);
  for (const [name, value] of new URLSearchParams(form)) parameters.append(name, value);
  return parameters;
}

function required(parameters: URLSearchParams, name: string): string {
  const value = parameters.get(name);
  if (!value) throw new ServiceError(400, `${name}: the parameter is missing`);
  return value;
}

function addressIn(parameters: URLSearchParams, name: string) {
  const text = required(parameters, name);
  if (!isAddress(text))
    throw new ServiceError(400, `${name}: expected 0x and 40 hexadecimal digits`);
  return lower(text);
}

/** The explorer of a request's key. Without one, that of all keys: tools that need none send none. */
function explorerFor(explorer: Explorer, apiKey: string): Explorer {
  const { keysListed, tenants } = explorer.terms;
  if (apiKey === "" && (keysListed || tenants))
    throw new ServiceError(
      401,
      "Missing/Invalid API Key: give the tool one of this explorer's keys as Etherscan's",
    );
  const own = explorer.tenant(apiKey);
  const unavailable = own.live?.unavailable();
  if (unavailable) throw new ServiceError(503, unavailable);
  return own;
}

/** The `libraryname1` and `libraryaddress1` to 10 of a single file. */
const librariesIn = (parameters: URLSearchParams) =>
  Array.from({ length: 10 }, (_, index) => ({
    name: parameters.get(`libraryname${index + 1}`) ?? "",
    address: parameters.get(`libraryaddress${index + 1}`) ?? "",
  })).filter(({ name }) => name !== "");

/** What is submitted, in the verifier's form. */
function submissionIn(parameters: URLSearchParams): Submission | InputSubmission {
  const source = required(parameters, "sourceCode");
  const shared = {
    contract_name: required(parameters, "contractname"),
    compiler: required(parameters, "compilerversion"),
    // Etherscan's spelling, and that of tools which send both.
    constructor_arguments:
      parameters.get("constructorArguements") ?? parameters.get("constructorArguments") ?? "",
  };
  const format = parameters.get("codeformat") ?? "solidity-single-file";
  if (format === "solidity-standard-json-input") return { ...shared, standard_input: source };
  if (format !== "solidity-single-file")
    throw new ServiceError(
      400,
      `codeformat: expected solidity-standard-json-input or solidity-single-file, received ${format.slice(0, 80)}`,
    );
  return {
    ...shared,
    contract_source: Buffer.from(source).toString("base64"),
    optimization_enabled: parameters.get("optimizationUsed") === "1" ? 1 : 0,
    runs_optimizer: Number(parameters.get("runs") || 200),
    evm_version: parameters.get("evmversion"),
    libraries: librariesIn(parameters),
  };
}

/** The result of a submission, once there is one. */
function outcomeOf(verdict: Verdict): Answer {
  if (verdict.verified) return success("Pass - Verified");
  const { message } = verdict;
  if (verdict.verified === false) return failure(`Fail - Unable to verify: ${message}`);
  return failure(
    `Fail - Unable to verify: ${message}; nothing was recorded, submit it again in ${verdict.retryAfter} seconds`,
  );
}

/** A recorded source as Etherscan has it: a standard JSON input has a second pair of braces. */
const sourceRecord = (contract: ContractVerification) => ({
  SourceCode: contract.source.startsWith("{") ? `{${contract.source}}` : contract.source,
  ABI: JSON.stringify(contract.abi),
  ContractName: splitName(contract.contractName).contract,
  CompilerVersion: contract.compiler,
  OptimizationUsed: contract.optimizationEnabled ? "1" : "0",
  Runs: `${contract.runs}`,
  ConstructorArguments: contract.constructorArguments,
  EVMVersion: contract.evmVersion ?? "Default",
  Library: contract.libraries.map(({ name, address }) => `${name}:${address.slice(2)}`).join(";"),
  LicenseType: "",
  Proxy: "0",
  Implementation: "",
  SwarmSource: contract.swarmSource,
});

/** What Etherscan says of a contract without a source. */
const noSource = {
  ...{ SourceCode: "", ABI: notVerified, ContractName: "", CompilerVersion: "" },
  ...{ OptimizationUsed: "", Runs: "", ConstructorArguments: "", EVMVersion: "Default" },
  ...{ Library: "", LicenseType: "Unknown", Proxy: "0", Implementation: "", SwarmSource: "" },
};

export function createEtherscan(explorer: Explorer): Etherscan {
  /** What became of each submission, by its guid. */
  const outcomes = new Map<string, Promise<Answer>>();

  function remember(outcome: Promise<Answer>): string {
    const guid = randomBytes(25).toString("hex");
    outcomes.set(guid, outcome);
    const [oldest = guid] = outcomes.keys();
    if (outcomes.size > maxRemembered) outcomes.delete(oldest);
    return guid;
  }

  function submit(own: Explorer, apiKey: string, parameters: URLSearchParams): Answer {
    const address = addressIn(parameters, "contractaddress");
    const submission = submissionIn(parameters);
    if (own.verify === undefined)
      return failure("this service has no compiler: source code cannot be verified here");
    const recorded = own.chain.verified(address);
    // What is proven to the last comment, or was loaded as verified, cannot become better.
    if (recorded && recorded.level !== "partial")
      return failure("Contract source code already verified");
    if (own.chain.code(address) === "0x")
      return failure(`Unable to locate ContractCode at ${address}`);
    const verdict = own.verify(address, submission, { headers: { "api-key": apiKey } });
    const outcome = verdict.then(outcomeOf, (error: unknown) => {
      internalError(error);
      return failure("Fail - Unable to verify: internal error");
    });
    return success(remember(outcome));
  }

  async function status(parameters: URLSearchParams, signal: Signal): Promise<Answer> {
    const outcome = outcomes.get(required(parameters, "guid"));
    if (outcome === undefined)
      return failure("guid: unknown or forgotten; submit the source again");
    const pending = delay(patienceMs, signal).then(() => failure("Pending in queue"));
    return Promise.race([outcome, pending]);
  }

  function answer(parameters: URLSearchParams, signal: Signal): Answer | Promise<Answer> {
    const apiKey = parameters.get("apikey") ?? "";
    const own = explorerFor(explorer, apiKey);
    const module = parameters.get("module") ?? "";
    const action = parameters.get("action") ?? "";
    if (module !== "contract")
      return failure(`module: expected contract, received ${module.slice(0, 80)}`);
    if (action === "verifysourcecode") return submit(own, apiKey, parameters);
    if (action === "checkverifystatus") return status(parameters, signal);
    if (action !== "getabi" && action !== "getsourcecode")
      return failure(
        `action: expected verifysourcecode, checkverifystatus, getabi, getsourcecode, received ${action.slice(0, 80)}; the explorer's own API is below /v1`,
      );
    const contract = own.chain.verified(addressIn(parameters, "address"));
    if (action === "getsourcecode") return success([contract ? sourceRecord(contract) : noSource]);
    return contract ? success(JSON.stringify(contract.abi)) : failure(notVerified);
  }

  return async (request) => {
    try {
      return respond(await answer(parametersOf(request), request.signal));
    } catch (error) {
      if (error instanceof ServiceError) return respond(failure(error.message));
      throw error;
    }
  };
}
