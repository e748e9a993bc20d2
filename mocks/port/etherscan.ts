// `/etherscan/api`: verifies contracts, and answers the requests that tools send to Etherscan
// (forge, hardhat-verify, OpenZeppelin's upgrades).
import { isAddress } from "../../src/models/hex.ts";
import { quantityOf } from "../chain/hex.ts";
import { reversed } from "../chain/listing.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { Address, ChainTransaction, ContractVerification, Log } from "../chain/records.ts";
import { type HandlerTable, ServiceError, WrittenResults } from "../message/api.ts";
import { delay, listJson, yieldToEventLoop } from "../message/event-loop.ts";
import {
  internalError,
  jsonHeaders,
  MAX_BODY_BYTES,
  type Respond,
  type ServiceRequest,
  type ServiceResponse,
} from "../message/message.ts";
import { creationsOf, proxyOn } from "../operations/contract-on.ts";
import { decimal, lower } from "../operations/format.ts";
import type { InputSubmission, Submission, Verdict } from "../operations/verifier.ts";
import { handleRequest } from "../service/handle-request.ts";
import { Router } from "../service/router.ts";
import type { Api, Service } from "../service/service.ts";
import { splitName } from "../verify/submission.ts";
import {
  type EtherscanAction,
  etherscanOperations,
  operationOfAction,
} from "./etherscan-operations.ts";
import { toolApi } from "./tool-api.ts";

/** Whether a target is this endpoint, at the path of Etherscan's first or second version. */
export const isEtherscan = (target: string): boolean =>
  target.startsWith("/etherscan/") && /^\/etherscan\/(v2\/)?api\/?(\?|$)/.test(target);

/** Etherscan's envelope: `result` is data, or the reason of a failure. */
interface EtherscanAnswer {
  readonly status: "0" | "1";
  readonly message: string;
  readonly result: unknown;
}

const success = (result: unknown): EtherscanAnswer => ({ status: "1", message: "OK", result });
const failure = (result: string): EtherscanAnswer => ({ status: "0", message: "NOTOK", result });
const list = async <Record>(
  records: readonly Record[],
  format: (record: Record) => unknown,
  none: string,
) => {
  if (records.length === 0) return { status: "0", message: none, result: [] };
  const result = await listJson(records, (record) => JSON.stringify(format(record)));
  return new WrittenResults<EtherscanAnswer>(`{"status":"1","message":"OK","result":${result}}`);
};

/** Milliseconds to wait for an outcome, because tools wait much longer before they ask again. */
const PATIENCE_MS = 5_000;

/** Etherscan's limit of contracts in one request. */
const MAX_CONTRACTS = 5;

/** Etherscan's limit of logs on one page. */
const MAX_LOGS = 1000;

const NOT_VERIFIED = "Contract source code not verified";

/** Reads a block number of a range; undefined if it is left out. */
function blockOf(
  name: string,
  text: string | undefined,
  { head }: ChainReader,
): number | undefined {
  if (text === undefined) return undefined;
  if (text === "latest") return head.number;
  if (!/^\d{1,15}$/.test(text))
    throw new ServiceError(
      400,
      `${name}: expected a block number or latest, received ${text.slice(0, 40)}`,
    );
  return Number(text);
}

type SubmittedFields = Parameters<
  HandlerTable<typeof etherscanOperations, Service>["verifysourcecode"]
>[1];

/** The `libraryname1` and `libraryaddress1` to 10 of a single file. */
const librariesIn = (fields: Readonly<Record<string, unknown>>) =>
  Array.from({ length: 10 }, (_, index) => ({
    name: String(fields[`libraryname${index + 1}`] ?? ""),
    address: String(fields[`libraryaddress${index + 1}`] ?? ""),
  })).filter(({ name }) => name !== "");

function isOptimized(flag = "0"): boolean {
  if (flag === "0" || flag === "1") return flag === "1";
  throw new ServiceError(400, `optimizationUsed: expected 1 or 0, received ${flag.slice(0, 40)}`);
}

/** Converts a submission to the verifier's form. */
function submissionIn(fields: SubmittedFields): Submission | InputSubmission {
  const { sourceCode: source, codeformat: format = "solidity-single-file" } = fields;
  const shared = {
    contract_name: fields.contractname,
    compiler: fields.compilerversion,
    constructor_arguments: fields.constructorArguements ?? fields.constructorArguments ?? "",
  };
  if (format === "solidity-standard-json-input") return { ...shared, standard_input: source };
  if (format !== "solidity-single-file")
    throw new ServiceError(
      400,
      `codeformat: expected solidity-standard-json-input or solidity-single-file, received ${format.slice(0, 80)}`,
    );
  return {
    ...shared,
    contract_source: Buffer.from(source).toString("base64"),
    optimization_enabled: isOptimized(fields.optimizationUsed) ? 1 : 0,
    runs_optimizer: Number(fields.runs || 200),
    evm_version: fields.evmversion,
    libraries: librariesIn(fields),
  };
}

/** Converts a verdict to the result of a submission. */
function outcomeOf(verdict: Verdict): EtherscanAnswer {
  if (verdict.verified) return success("Pass - Verified");
  const { message } = verdict;
  if (verdict.verified === false) return failure(`Fail - Unable to verify: ${message}`);
  return failure(
    `Fail - Unable to verify: ${message}; nothing was recorded, submit it again in ${verdict.retryAfter} seconds`,
  );
}

/** Formats a contract as Etherscan does. A standard JSON input gets a second pair of braces. */
function sourceRecord(chain: ChainReader, address: Address) {
  const contract = chain.verified(address);
  const { target } = proxyOn(chain, address) ?? {};
  return {
    ...(contract === undefined ? noSource : recorded(contract)),
    Proxy: target === undefined ? "0" : "1",
    Implementation: target ?? "",
  };
}

const recorded = (contract: ContractVerification) => ({
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
  SwarmSource: contract.swarmSource,
});

/** The record of a contract without a source, as Etherscan has it. */
const noSource = {
  ...{ SourceCode: "", ABI: NOT_VERIFIED, ContractName: "", CompilerVersion: "" },
  ...{ OptimizationUsed: "", Runs: "", ConstructorArguments: "", EVMVersion: "Default" },
  ...{ Library: "", LicenseType: "Unknown", SwarmSource: "" },
};

async function creationRecord(chain: ChainReader, address: Address) {
  const created = (await creationsOf(chain, address)).at(-1);
  if (created === undefined) return [];
  const { transaction, code, creator } = created;
  return [
    {
      contractAddress: address,
      contractCreator: transaction.from,
      txHash: transaction.hash,
      blockNumber: decimal(transaction.block.number),
      timestamp: decimal(transaction.block.timestamp),
      contractFactory: creator === transaction.from ? "" : creator,
      creationBytecode: code,
    },
  ];
}

/** Etherscan writes an unknown number as an empty text. */
const decimalOrEmpty = (value: bigint | number | null): string =>
  value === null ? "" : decimal(value);

const logRecord = ({ transaction, address, topics, data, index }: Log) => ({
  address,
  topics,
  data,
  blockNumber: quantityOf(transaction.block.number),
  blockHash: transaction.block.hash,
  timeStamp: quantityOf(transaction.block.timestamp),
  gasPrice: quantityOf(transaction.gasPrice ?? 0n),
  gasUsed: quantityOf(transaction.gasUsed ?? 0),
  logIndex: quantityOf(index),
  transactionHash: transaction.hash,
  transactionIndex: quantityOf(transaction.index),
});

const transactionRecord = (transaction: ChainTransaction, head: number) => ({
  blockNumber: decimal(transaction.block.number),
  blockHash: transaction.block.hash,
  timeStamp: decimal(transaction.block.timestamp),
  hash: transaction.hash,
  nonce: decimalOrEmpty(transaction.nonce),
  transactionIndex: decimal(transaction.index),
  from: transaction.from,
  to: transaction.to ?? "",
  value: decimal(transaction.value),
  gas: decimalOrEmpty(transaction.gasLimit),
  gasPrice: decimalOrEmpty(transaction.gasPrice),
  input: transaction.input,
  methodId: transaction.to === null ? "" : transaction.input.slice(0, 10),
  functionName: "",
  contractAddress: transaction.created ?? "",
  cumulativeGasUsed: decimalOrEmpty(transaction.cumulativeGasUsed),
  txreceipt_status: transaction.succeeded === null ? "" : transaction.succeeded ? "1" : "0",
  gasUsed: decimalOrEmpty(transaction.gasUsed),
  confirmations: decimal(head - transaction.block.number),
  isError: transaction.succeeded === false ? "1" : "0",
});

const handlers: HandlerTable<typeof etherscanOperations, Service> = {
  getabi(chain, { address }) {
    const contract = chain.verified(lower(address));
    return contract ? success(JSON.stringify(contract.abi)) : failure(NOT_VERIFIED);
  },

  getsourcecode: (chain, { address }) => success([sourceRecord(chain, lower(address))]),

  async getcontractcreation(chain, { contractaddresses }) {
    const addresses = contractaddresses.split(",");
    if (addresses.length > MAX_CONTRACTS || !addresses.every(isAddress))
      return failure(
        `contractaddresses: expected 1 to ${MAX_CONTRACTS} addresses, joined by commas`,
      );
    const records = await Promise.all(
      addresses.map((address) => creationRecord(chain, lower(address as Address))),
    );
    return list(records.flat(), (record) => record, "No data found");
  },

  verifysourcecode(chain, fields, service, { headers }) {
    const address = lower(fields.contractaddress);
    const submission = submissionIn(fields);
    if (service.verify === undefined)
      return failure("this service has no compiler: source code cannot be verified here");
    const recordedSource = chain.verified(address);
    // A contract proven to the last comment, or loaded as verified, cannot become better.
    if (recordedSource && recordedSource.level !== "partial")
      return failure("Contract source code already verified");
    if (chain.code(address) === "0x") return failure(`Unable to locate ContractCode at ${address}`);
    const outcome = service
      .verify(address, submission, { headers })
      .then(outcomeOf, (error: unknown) => {
        internalError(error);
        return failure("Fail - Unable to verify: internal error");
      });
    return success(service.submissions.add(outcome));
  },

  async checkverifystatus(_, { guid }, service, { signal }) {
    const outcome = service.submissions.get(guid);
    if (outcome === undefined)
      return failure("guid: unknown or forgotten; submit the source again");
    const pending = delay(PATIENCE_MS, signal).then(() => failure("Pending in queue"));
    return Promise.race([outcome as Promise<EtherscanAnswer>, pending]);
  },

  verifyproxycontract(chain, { address, expectedimplementation: expected }, service) {
    const proxy = lower(address);
    const { target } = proxyOn(chain, proxy) ?? {};
    const outcome =
      target === undefined
        ? failure(
            "A corresponding implementation contract was unfortunately not detected for the proxy address.",
          )
        : expected !== undefined && lower(expected) !== target
          ? failure(
              `The proxy's (${proxy}) implementation contract is ${target}, not ${lower(expected)}.`,
            )
          : success(
              `The proxy's (${proxy}) implementation contract is found at ${target} and is successfully updated.`,
            );
    return success(service.submissions.add(Promise.resolve(outcome)));
  },

  async checkproxyverification(_, { guid }, service) {
    return (
      ((await service.submissions.get(guid)) as EtherscanAnswer | undefined) ??
      failure("guid: unknown or forgotten; submit the proxy again")
    );
  },

  getLogs(
    chain,
    { address, fromBlock, toBlock, topic0, topic1, topic2, topic3, page, offset, ...operands },
  ) {
    const topics = [topic0, topic1, topic2, topic3].map((topic) => topic && lower(topic));
    const logs = chain.logs({
      address: lower(address),
      startBlock: blockOf("fromBlock", fromBlock, chain),
      endBlock: blockOf("toBlock", toBlock, chain),
      topics,
      operand: Object.values(operands).includes("or") ? "or" : "and",
    });
    const limit = Math.min(offset, MAX_LOGS);
    return list(logs.slice((page - 1) * limit, limit), logRecord, "No records found");
  },

  txlist(chain, { address, startblock, endblock, sort, page, offset }) {
    const transactions = chain.transactions(lower(address), "all", {
      startBlock: blockOf("startblock", startblock, chain),
      endBlock: blockOf("endblock", endblock, chain),
    });
    const pageItems = (sort === "asc" ? transactions : reversed(transactions)).slice(
      (page - 1) * offset,
      offset,
    );
    const { number } = chain.head;
    return list(
      pageItems,
      (transaction) => transactionRecord(transaction, number),
      "No transactions found",
    );
  },
};

const codeOf = (account: Address) => [{ kind: "code", account: lower(account) } as const];

/** Responds with HTTP status 200 even to failures, because tools show the reason only then. */
const respond = (answer: EtherscanAnswer): ServiceResponse => ({
  status: 200,
  headers: jsonHeaders,
  body: JSON.stringify(answer),
});

const etherscanApi: Api = {
  ...toolApi(operationOfAction, asSent),
  router: new Router(etherscanOperations),
  handlers,
  headReads: {
    getabi: (_, { address }: { address: Address }) => codeOf(address),
    getsourcecode: (_, { address }: { address: Address }) => codeOf(address),
    getcontractcreation: null,
    verifysourcecode: (_, { contractaddress }: { contractaddress: Address }) =>
      codeOf(contractaddress),
    checkverifystatus: null,
    verifyproxycontract: (_, { address }: { address: Address }) => codeOf(address),
    checkproxyverification: null,
    getLogs: null,
    txlist: null,
  },
  maxValues: 500,
  refusal: ({ status, message }) =>
    status === 400 || status === 401 ? { ...respond(failure(message)), message } : undefined,
};

/** Maximum number of fields of a form. Tools send some 30. */
const MAX_FIELDS = 200;

/** Reads the parameters of the query and of the form. Throws a {@link ServiceError}. */
function fieldsOf({ target, headers, body }: ServiceRequest): URLSearchParams {
  const cut = target.indexOf("?");
  const parameters = new URLSearchParams(cut < 0 ? "" : target.slice(cut + 1));
  if (body === undefined || body.length === 0) return parameters;
  const type = String(headers["content-type"] ?? "none");
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new ServiceError(
      415,
      `Content-Type: expected application/x-www-form-urlencoded, received ${type.slice(0, 80)}`,
    );
  if (body.length > MAX_BODY_BYTES)
    throw new ServiceError(
      413,
      `the body is larger than ${MAX_BODY_BYTES} bytes: submit only the files that the contract needs`,
    );
  const form = Buffer.from(body).toString();
  if (form.split("&", MAX_FIELDS + 1).length > MAX_FIELDS)
    throw new ServiceError(400, `the form: expected at most ${MAX_FIELDS} fields, received more`);
  for (const [name, value] of new URLSearchParams(form)) parameters.append(name, value);
  return parameters;
}

const isAction = (name: string): name is EtherscanAction =>
  Object.hasOwn(etherscanOperations, name);

/** Rewrites a tool's request: the key becomes a header, the other fields a query or a JSON body. */
function asOperation(request: ServiceRequest): ServiceRequest {
  const {
    apikey = "",
    module = "",
    action = "",
    chainid: _,
    ...parameters
  } = Object.fromEntries(fieldsOf(request));
  // Tools send parameters that they leave out as empty texts.
  const fields = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ""));
  const modules = [...new Set(Object.values(etherscanOperations).map(({ resource }) => resource))];
  if (!modules.includes(module as never))
    throw new ServiceError(
      400,
      `module: expected ${modules.join(", ")}, received ${module.slice(0, 80)}`,
    );
  if (!isAction(action) || etherscanOperations[action].resource !== module) {
    const actions = Object.values(etherscanOperations).flatMap((operation) =>
      operation.resource === module ? operation.action : [],
    );
    throw new ServiceError(
      400,
      `action: expected ${actions.join(", ")}, received ${action.slice(0, 80)}; the explorer's own API is below /v1`,
    );
  }
  const { method, path } = etherscanOperations[action];
  const isBody = method === "POST";
  return {
    ...request,
    // forge also sends POST for reads. Submissions need POST, because a GET must not change
    // anything.
    method: request.method === "POST" ? method : request.method,
    target: isBody ? path : `${path}?${new URLSearchParams(fields)}`,
    headers: { ...request.headers, "api-key": apikey, "content-type": "application/json" },
    body: isBody ? Buffer.from(JSON.stringify(fields)) : undefined,
  };
}

/** Returns the target that a tool sent for an operation, without its key. */
function asSent(target: string): string {
  return target
    .replace(/^\/etherscan\/(\w+)\/(\w+)\??/, "/etherscan/api?module=$1&action=$2&")
    .replace(/&$/, "");
}

/** Returns a function that responds to requests for `/etherscan/api` whose body has been read. */
export function createEtherscan(service: Service): Respond {
  return async (request) => {
    try {
      const operation = asOperation(request);
      // Reading a long form takes as long as answering it.
      await yieldToEventLoop();
      return await handleRequest(etherscanApi, service, operation);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const refusal = { ...respond(failure(error.message)), message: error.message };
      service.note(request, refusal);
      return refusal;
    }
  };
}
