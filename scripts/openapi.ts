// Writes openapi.json, the OpenAPI 3.1 document of the service, from the contract.
import {
  operationsInOrder,
  type ParameterName,
  parameterDescriptions,
  resourceDescriptions,
  summaryOf,
} from "../src/contract/descriptions.ts";
import { type AnyOperation, isOptional } from "../src/contract/index.ts";
import { blockNumber } from "../src/contract/parameters.ts";
import { expectedOf } from "../src/models/issues.ts";
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

/** What is no success, though the HTTP status is 200: another message tells it. */
const failed = (title: string, description: string, results: Json, example: string): Json => ({
  title,
  description,
  ...envelope(results, only("200"), {
    type: "string",
    not: only("success"),
    examples: [example],
  }),
});

/** What an operation answers that is neither a success nor a failure by its status. */
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

function parameter(operation: AnyOperation, place: "path" | "query", name: string): Json {
  const schema = operation.input.shape[name];
  if (schema === undefined) throw new Error(`${operation.id} has no parameter ${name}`);
  return {
    name,
    in: place,
    description: `${parameterDescriptions[name as ParameterName]} Form: ${expectedOf(schema)}.`,
    required: !isOptional(schema),
    schema: unwrapped(schema) === blockNumber ? reference("BlockNumber") : jsonSchemaOf(schema),
  };
}

function requestBody(operation: AnyOperation): Json {
  const { body } = operation.places;
  if (body.length === 0) return {};
  const { properties = {}, required = [] } = jsonSchemaOf(operation.input);
  const fields = body.map((name) => {
    const description = parameterDescriptions[name as ParameterName];
    return [name, { ...Object(properties[name]), description }] as const;
  });
  const schema = {
    type: "object",
    properties: Object.fromEntries(fields),
    required: required.filter((name) => body.includes(name)),
  };
  return { requestBody: { required: true, content: { "application/json": { schema } } } };
}

function describeOperation(operation: AnyOperation): Json {
  const { id, resource, action, places } = operation;
  const summary = summaryOf(operation);
  return {
    operationId: `${resource}.${action}`,
    "x-specification-id": id,
    summary,
    description: `${summary} (${id} of the specification).`,
    tags: [resource],
    parameters: [
      ...places.path.map((name) => parameter(operation, "path", name)),
      ...places.query.map((name) => parameter(operation, "query", name)),
    ],
    ...requestBody(operation),
    responses: {
      200: {
        description: summary,
        content: { "application/json": { schema: answerSchema(operation) } },
      },
      ...failuresOf(operation),
    },
  };
}

/** The whole document. */
export function openapi(): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operationsInOrder) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describeOperation(operation),
    };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "MRC block explorer",
      version: about.version,
      description:
        "Questions about accounts, tokens, transactions, contracts, blocks and event logs of a chain. Numbers are decimal digits in strings; amounts are in the smallest unit; times are UTC.",
      contact: { name: "mrc-explorer", url: "https://github.com/mrc-explorer/mrc-explorer" },
      license: { name: about.license, identifier: about.license },
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
    paths,
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
        Error: {
          title: "Error",
          ...envelope(
            { type: ["object", "null"] },
            { type: "string", description: "The HTTP status." },
            { type: "string", description: "What is wrong." },
          ),
        },
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

/** The document as it is committed. */
export const openapiText = (): string => `${JSON.stringify(withExamples(openapi()), null, 2)}\n`;

if (import.meta.main) packageFile("openapi.json").write(openapiText());
