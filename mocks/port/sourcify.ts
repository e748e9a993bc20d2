// `/sourcify/v2`: verifies contracts for tools that speak to Sourcify (forge --verifier sourcify,
// hardhat-verify), as C3 does.
import * as z from "zod/mini";
import { operationsOf } from "../../src/contract/operation.ts";
import { describe } from "../../src/models/issues.ts";
import { model } from "../../src/models/model.ts";
import { address, between, hash, text } from "../../src/models/primitives.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { Address, ContractVerification } from "../chain/records.ts";
import { declares } from "../inspect/source.ts";
import { type HandlerTable, ServiceError } from "../message/api.ts";
import { delay } from "../message/event-loop.ts";
import {
  internalError,
  jsonHeaders,
  MAX_JSON_VALUES,
  type Respond,
  type ServiceResponse,
} from "../message/message.ts";
import { creationsOf } from "../operations/contract-on.ts";
import { lower, time } from "../operations/format.ts";
import { handleRequest } from "../service/handle-request.ts";
import { Router } from "../service/router.ts";
import type { Api, Service } from "../service/service.ts";
import { toolApi } from "./tool-api.ts";

/** The beginning of its paths. */
export const SOURCIFY_ROOT = "/sourcify/";

const nullableText = z.nullable(text);

const matchFields = {
  /** "exact_match", "match", or null where nothing matches. */
  match: nullableText,
  creationMatch: nullableText,
  runtimeMatch: nullableText,
  chainId: text,
  address: text,
  verifiedAt: z.optional(text),
};
const MatchModel = model(matchFields);

/**
 * Details that a lookup returns on request, by Sourcify's names. Null where this explorer does not
 * keep them.
 */
const detailNames = [
  ...["abi", "sources", "compilation", "stdJsonInput", "deployment", "runtimeBytecode"],
  ...["creationBytecode", "metadata", "storageLayout", "transientStorageLayout"],
  ...["userdoc", "devdoc", "sourceIds", "signatures", "proxyResolution", "additionalInput"],
] as const;
const ContractModel = model({
  ...matchFields,
  ...Object.fromEntries(detailNames.map((name) => [name, z.optional(z.unknown())])),
});
const ErrorModel = model({ customCode: text, message: text, errorId: text });

const JobModel = model({
  isJobCompleted: z.boolean(),
  verificationId: text,
  jobStartTime: text,
  jobFinishTime: z.optional(text),
  contract: MatchModel,
  error: z.optional(ErrorModel),
});

const sourcify = operationsOf("sourcify", { enveloped: false });
const chainId = between(0, Number.MAX_SAFE_INTEGER);

export const sourcifyOperations = {
  submit: sourcify(
    "submit",
    "/sourcify/v2/verify/{chainId}/{address}",
    model({ verificationId: text }),
    {
      method: "POST",
      safe: false,
      parameters: { chainId, address },
      body: {
        stdJsonInput: z.record(z.string(), z.unknown()),
        compilerVersion: text,
        contractIdentifier: text,
        creationTransactionHash: z.optional(hash),
      },
    },
  ),
  job: sourcify("job", "/sourcify/v2/verify/{verificationId}", JobModel, {
    parameters: { verificationId: text },
  }),
  lookup: sourcify("lookup", "/sourcify/v2/contract/{chainId}/{address}", ContractModel, {
    parameters: { chainId, address },
    query: { fields: z.optional(text) },
  }),
} as const;

/** A submission, and its outcome. */
interface Job {
  readonly startedAt: number;
  readonly chainId: number;
  readonly address: Address;
  readonly outcome: Promise<{ readonly endedAt: number; readonly refusal: string | undefined }>;
}

/** How long a request waits for the outcome before it is pending. */
const PATIENCE_MS = 5_000;

const seconds = (ms: number) => time(Math.floor(ms / 1000));

/** Returns how a recorded source matches, in Sourcify's terms. */
function matchOf(chain: ChainReader, account: Address) {
  const contract = chain.verified(account);
  const match = contract && (contract.level === "partial" ? "match" : "exact_match");
  const isProven = !contract?.uncovered?.includes("creation code");
  return {
    match: match ?? null,
    creationMatch: isProven ? (match ?? null) : null,
    runtimeMatch: match ?? null,
    chainId: `${chain.chainId}`,
    address: account,
    ...verifiedAt(contract),
  };
}

/** The compiler's standard JSON input of a recorded source. */
function standardInput(contract: ContractVerification) {
  const { source, contractName, compiled, optimizationEnabled, runs, evmVersion, viaIR } = contract;
  if (source.startsWith("{")) return JSON.parse(source) as StandardInput;
  const file = [...(compiled?.files.values() ?? [])].find(({ text }) => text === source);
  return {
    language: "Solidity",
    sources: { [file?.name ?? `${contractName}.sol`]: { content: source } },
    settings: {
      optimizer: { enabled: optimizationEnabled, runs },
      ...(evmVersion && { evmVersion }),
      ...(viaIR && { viaIR }),
    },
  };
}

interface StandardInput {
  readonly language: string;
  readonly sources: Readonly<Record<string, { readonly content: string }>>;
  readonly settings: object;
}

function compilationOf(contract: ContractVerification) {
  const { language, sources, settings }: StandardInput = standardInput(contract);
  const name = contract.contractName;
  const files = Object.entries(sources);
  const [file] = files.find(([, { content }]) => declares(content, name)) ?? files[0] ?? [];
  return {
    language,
    compiler: "solc",
    compilerVersion: contract.compiler.replace(/^v/, ""),
    compilerSettings: settings,
    name,
    fullyQualifiedName: `${file}:${name}`,
  };
}

/** Returns the transaction that created a contract; null if the chain does not have it. */
async function deploymentOf(chain: ChainReader, account: Address) {
  const { transaction, creator } = (await creationsOf(chain, account)).at(-1) ?? {};
  return transaction
    ? {
        transactionHash: transaction.hash,
        blockNumber: `${transaction.block.number}`,
        transactionIndex: `${transaction.index}`,
        deployer: creator,
      }
    : null;
}

/** Details of a contract, by Sourcify's names. */
const details: Readonly<
  Record<string, (contract: ContractVerification, chain: ChainReader) => unknown>
> = {
  abi: ({ abi }) => abi,
  sources: (contract) => standardInput(contract).sources,
  compilation: compilationOf,
  stdJsonInput: standardInput,
  deployment: ({ address }, chain) => deploymentOf(chain, address),
  runtimeBytecode: ({ code }) => ({ onchainBytecode: code }),
};

/** The details that a lookup asks for, joined by commas; "all" names every one. */
async function detailsOf(chain: ChainReader, contract: ContractVerification, fields: string) {
  const allNames: readonly string[] = ["all", ...Object.keys(matchFields), ...detailNames];
  // `compilation.name` asks for a part of a detail, which is sent whole.
  const names = fields.split(",").map((field) => field.trim().replace(/\..*/s, ""));
  const unknown = names.find((name) => !allNames.includes(name));
  if (unknown !== undefined)
    throw new ServiceError(
      400,
      `fields: expected names of ${allNames.join(", ")}, received ${describe(unknown)}`,
    );
  const selected: Record<string, unknown> = {};
  for (const name of detailNames)
    if (names.includes(name) || names.includes("all"))
      selected[name] = (await details[name]?.(contract, chain)) ?? null;
  return selected;
}

const verifiedAt = (contract: ContractVerification | undefined) =>
  contract === undefined ? {} : { verifiedAt: time(contract.verifiedAt) };

/** Sourcify's error codes, by HTTP status. Tools read them. */
const customCodes: Readonly<Record<number, string>> = {
  400: "invalid_parameter",
  404: "not_found",
  409: "already_verified",
  429: "too_many_requests",
};

const errorBody = (customCode: string, message: string, errorId: string) => ({
  customCode,
  message,
  errorId,
});

function checkChain(chain: ChainReader, chainId: number): void {
  if (chainId !== chain.chainId)
    throw new ServiceError(
      404,
      `chain ${chainId}: expected ${chain.chainId}, the chain of this explorer`,
    );
}

const handlers: HandlerTable<typeof sourcifyOperations, Service> = {
  submit(chain, { chainId, address, ...submission }, service, { headers }) {
    checkChain(chain, chainId);
    const account = lower(address);
    if (service.verify === undefined)
      throw new ServiceError(
        501,
        "this service has no compiler: source code cannot be verified here",
      );
    const recorded = chain.verified(account);
    if (recorded && recorded.level !== "partial")
      throw new ServiceError(409, `${account} is already verified`);
    const submitted = {
      contract_name: submission.contractIdentifier,
      compiler: submission.compilerVersion,
      standard_input: JSON.stringify(submission.stdJsonInput),
    };
    const outcome = service
      .verify(account, submitted, { headers })
      .then(
        (verdict) => (verdict.verified ? undefined : verdict.message),
        (error: unknown) => {
          internalError(error);
          return "internal error";
        },
      )
      .then((refusal) => ({ endedAt: Date.now(), refusal }));
    const job: Job = { startedAt: Date.now(), chainId, address: account, outcome };
    return { verificationId: service.submissions.add(job) };
  },

  async job(chain, { verificationId }, service, { signal }) {
    const job = service.submissions.get(verificationId) as Job | undefined;
    if (job === undefined)
      throw new ServiceError(
        404,
        `verification ${verificationId.slice(0, 80)}: unknown or forgotten; submit the source again`,
      );
    const outcome = await Promise.race([job.outcome, delay(PATIENCE_MS, signal)]);
    const refusal = outcome?.refusal;
    return {
      isJobCompleted: outcome !== undefined,
      verificationId,
      jobStartTime: seconds(job.startedAt),
      ...(outcome && { jobFinishTime: seconds(outcome.endedAt) }),
      contract: matchOf(chain, job.address),
      ...(refusal !== undefined && { error: errorBody("no_match", refusal, verificationId) }),
    };
  },

  async lookup(chain, { chainId, address, fields }) {
    checkChain(chain, chainId);
    const account = lower(address);
    const match = matchOf(chain, account);
    const contract = chain.verified(account);
    if (contract === undefined) throw new ServiceError(404, "not verified", match);
    return fields ? { ...match, ...(await detailsOf(chain, contract, fields)) } : match;
  },
};

const sourcifyApi: Api = {
  ...toolApi({ submit: "C3", job: "C3", lookup: "C2" }),
  router: new Router(sourcifyOperations),
  handlers,
  headReads: {
    submit: (_, { address }: { address: Address }) => [{ kind: "code", account: lower(address) }],
    job: null,
    lookup: (_, { address }: { address: Address }) => [{ kind: "code", account: lower(address) }],
  },
  maxValues: MAX_JSON_VALUES,
};

/**
 * Converts a response to Sourcify's form: an error gets a code, a contract without a source has its
 * match, and an accepted submission is a 202.
 */
function toSourcifyResponse(response: ServiceResponse, method: string): ServiceResponse {
  const { status, message } = response;
  if (status === 200) return method === "POST" ? { ...response, status: 202 } : response;
  if (message === undefined) return response;
  const { results } = JSON.parse(response.body) as { results: unknown };
  const customCode =
    customCodes[status] ?? (status === 405 ? "method_not_allowed" : "internal_error");
  const body = results ?? errorBody(customCode, message, crypto.randomUUID());
  return {
    ...response,
    headers: { ...response.headers, ...jsonHeaders },
    body: JSON.stringify(body),
  };
}

/** Returns a function that responds to requests below `/sourcify` whose body has been read. */
export function createSourcify(service: Service): Respond {
  return async (request) =>
    toSourcifyResponse(await handleRequest(sourcifyApi, service, request), request.method);
}
