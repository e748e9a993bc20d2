// Writes two OpenAPI 3.1 documents from the contract: openapi.json (the explorer) and
// admin.openapi.json (the admin API of the mock explorer).

import { recipeSchema } from "../mocks/builder/recipe-schema.ts";
import { faultSchema, presetSchema } from "../mocks/faults/parse-fault.ts";
import { adminParameters, adminSummaries } from "../mocks/port/admin/descriptions.ts";
import {
  type AdminOperationId,
  adminOperations,
  TOKEN_HEADER,
} from "../mocks/port/admin/operations.ts";
import {
  operationsInOrder,
  parameterDescriptions,
  resourceDescriptions,
  summaryOf,
} from "../src/contract/descriptions.ts";
import { type AnyOperation, isOptional } from "../src/contract/index.ts";
import { expectedOf } from "../src/models/issues.ts";
import { blockNumber } from "../src/models/primitives.ts";
import { unwrapped } from "../src/models/schema.ts";
import { withExamples } from "./examples.ts";
import { failureResponses, failuresOf } from "./failures.ts";
import { jsonSchemaOf, modelSchemas } from "./json-schema.ts";
import { packageFile } from "./package-file.ts";
import { bounded, type Schema, sentModels, withDescription } from "./service-forms.ts";

type Json = Record<string, unknown>;

const about = JSON.parse(packageFile("package.json").read()) as {
  readonly version: string;
  readonly license: string;
};

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** A text that is always the same. */
const only = (text: string): Json => ({ type: "string", const: text });

const envelope = (results: Json, status: Json, message: Json): Json => ({
  type: "object",
  properties: { status, message, results },
  required: ["status", "message", "results"],
});

/** A failure with HTTP status 200, which only its message tells from a success. */
const failed = (title: string, description: string, results: Json, example: string): Json => ({
  title,
  description,
  ...envelope(results, only("200"), {
    type: "string",
    not: only("success"),
    examples: [example],
  }),
});

/**
 * Schemas of the failures that are sent with HTTP status 200, by the operation's kind of failure.
 */
const verdicts = { "not-verified": "NotVerified", verdict: "NotAccepted" } as const;

function answerSchema(operation: AnyOperation): Json {
  const { id, results, simpleResults, failure } = operation;
  const forms = [results, simpleResults].flatMap((schema) =>
    schema ? [bounded(jsonSchemaOf(schema) as Schema)] : [],
  );
  const [form = {}] = forms;
  const payload = forms.length > 1 ? { anyOf: forms } : id === "X1" ? withDescription(form) : form;
  if (!operation.enveloped) return payload;
  const success = envelope(payload, only("200"), only("success"));
  return failure === undefined ? success : { anyOf: [success, reference(verdicts[failure])] };
}

/** The texts of an API. */
interface Texts {
  summaryOf(operation: AnyOperation): string;
  readonly parameters: Readonly<Record<string, string>>;
}

const serviceTexts: Texts = { summaryOf, parameters: parameterDescriptions };

const adminTexts: Texts = {
  summaryOf: ({ id }) => adminSummaries[id as AdminOperationId],
  parameters: adminParameters,
};

function parameter(
  operation: AnyOperation,
  place: "path" | "query",
  name: string,
  { parameters }: Texts,
): Json {
  const schema = operation.input.shape[name];
  if (schema === undefined) throw new Error(`${operation.id} has no parameter ${name}`);
  return {
    name,
    in: place,
    description: `${parameters[name]} Form: ${expectedOf(schema)}.`,
    required: !isOptional(schema),
    schema: unwrapped(schema) === blockNumber ? reference("BlockNumber") : jsonSchemaOf(schema),
  };
}

const jsonBody = (schema: Json, required: boolean): Json => ({
  requestBody: { required, content: { "application/json": { schema } } },
});

function requestBody(operation: AnyOperation, { parameters }: Texts): Json {
  const { body } = operation.places;
  if (body.length === 0) return {};
  if (operation.wholeBody !== undefined)
    return jsonBody(reference(operation.wholeBody === "recipe" ? "Recipe" : "Faults"), true);
  const { properties = {}, required = [] } = jsonSchemaOf(operation.input);
  const fields = body.map((name) => {
    const description = parameters[name];
    return [name, { ...Object(properties[name]), description }] as const;
  });
  const needed = required.filter((name) => body.includes(name));
  const schema = {
    type: "object",
    properties: Object.fromEntries(fields),
    ...(needed.length > 0 && { required: needed }),
  };
  return jsonBody(schema, needed.length > 0);
}

function describeOperation(operation: AnyOperation, texts: Texts, failures: Json): Json {
  const { resource, action, places } = operation;
  const summary = texts.summaryOf(operation);
  return {
    operationId: `${resource}.${action}`,
    summary,
    description: `${summary}.`,
    tags: [resource],
    parameters: [
      ...places.path.map((name) => parameter(operation, "path", name, texts)),
      ...places.query.map((name) => parameter(operation, "query", name, texts)),
    ],
    ...requestBody(operation, texts),
    responses: {
      200: {
        description: summary,
        content: { "application/json": { schema: answerSchema(operation) } },
      },
      ...failures,
    },
  };
}

/** The paths of some operations. */
function pathsOf(operations: readonly AnyOperation[], describe: (one: AnyOperation) => Json): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation),
    };
  return paths;
}

function describeService(operation: AnyOperation): Json {
  const { operationId, summary, description, ...rest } = describeOperation(
    operation,
    serviceTexts,
    failuresOf(operation),
  );
  const { id } = operation;
  return {
    operationId,
    "x-specification-id": id,
    summary,
    description: `${summary} (${id} of the specification).`,
    ...rest,
  };
}

const errorSchema = {
  title: "Error",
  ...envelope(
    { type: ["object", "null"] },
    { type: "string", description: "The HTTP status." },
    { type: "string", description: "What is wrong." },
  ),
};

/** Fields of `info` that both documents have. */
const shared = {
  contact: { name: "mrc-explorer", url: "https://github.com/mrc-explorer/mrc-explorer" },
  license: { name: about.license, identifier: about.license },
};

/** The document of the admin API. */
export function adminOpenapi(): Json {
  const failed = (description: string): Json => ({
    description,
    content: { "application/json": { schema: reference("Error") } },
  });
  const failures = {
    400: failed("A parameter is wrong; the message names it."),
    401: failed("No admin token, or a wrong one."),
    403: failed("The request is from a page of another origin."),
    404: failed("There is no such snapshot or fault."),
    409: failed("The chain follows a node, or was set back meanwhile."),
  };
  const operations: readonly AnyOperation[] = Object.values(adminOperations);
  const oneFault = { anyOf: [reference("Fault"), reference("FaultPreset")] };
  return {
    openapi: "3.1.1",
    info: {
      title: "Admin API of a mock MRC block explorer",
      version: about.version,
      description:
        "How tests in any language reset a mock explorer, mine, add faults and read its journal. `mrc-explorer serve --admin` serves it.",
      ...shared,
    },
    servers: [
      { url: "http://127.0.0.1:1717", description: "Where mrc-explorer serve answers by default." },
    ],
    tags: [{ name: "admin", description: "The state of the mock explorer." }],
    security: [{ [TOKEN_HEADER]: [] }, { [TOKEN_HEADER]: [], "api-key": [] }],
    paths: pathsOf(operations, (one) => describeOperation(one, adminTexts, failures)),
    components: {
      securitySchemes: {
        [TOKEN_HEADER]: {
          type: "apiKey",
          in: "header",
          name: TOKEN_HEADER,
          description: "The token that serve prints when it starts.",
        },
        "api-key": {
          type: "apiKey",
          in: "header",
          name: "api-key",
          description: "Selects the tenant, with --tenants.",
        },
      },
      schemas: {
        Error: errorSchema,
        Fault: { title: "Fault", ...jsonSchemaOf(faultSchema) },
        FaultPreset: { title: "FaultPreset", ...jsonSchemaOf(presetSchema) },
        Recipe: { title: "Recipe", ...jsonSchemaOf(recipeSchema) },
        Faults: {
          title: "Faults",
          anyOf: [reference("Fault"), reference("FaultPreset"), { type: "array", items: oneFault }],
        },
      },
    },
  };
}

/** The whole document. */
export function openapi(): Json {
  return {
    openapi: "3.1.1",
    info: {
      title: "MRC block explorer",
      version: about.version,
      description:
        "Questions about accounts, tokens, transactions, contracts, blocks and event logs of a chain. Numbers are decimal digits in strings; amounts are in the smallest unit; times are UTC.",
      ...shared,
    },
    servers: [
      {
        url: "http://127.0.0.1:1717",
        description:
          "Where mrc-explorer serve answers by default; your explorer has its own address.",
      },
    ],
    tags: Object.entries(resourceDescriptions).map(([name, description]) => ({
      name,
      description,
    })),
    security: [{ "api-key": [] }],
    paths: pathsOf(operationsInOrder, describeService),
    components: {
      securitySchemes: {
        "api-key": {
          type: "apiKey",
          in: "header",
          name: "api-key",
          description: "The caller's key, on every request.",
        },
      },
      responses: failureResponses(),
      schemas: {
        ...sentModels(modelSchemas() as Record<string, Schema>),
        Error: errorSchema,
        NotVerified: failed(
          "NotVerified",
          "The contract has no verified source.",
          { type: "object", maxProperties: 0 },
          "contract is not yet verified",
        ),
        NotAccepted: failed(
          "NotAccepted",
          "The source is not that of the contract; the message says why not.",
          { type: "object", properties: { data: only("0") }, required: ["data"] },
          "Constructor arguments differ: none on chain",
        ),
      },
    },
  };
}

const textOf = (document: Json): string => `${JSON.stringify(withExamples(document), null, 2)}\n`;

/** The documents as they are committed, by file. */
export const openapiTexts = (): Readonly<Record<string, string>> => ({
  "openapi.json": textOf(openapi()),
  "admin.openapi.json": textOf(adminOpenapi()),
});

if (import.meta.main)
  for (const [path, text] of Object.entries(openapiTexts())) packageFile(path).write(text);
