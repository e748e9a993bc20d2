// Writes openapi.json, the OpenAPI 3.1 document of the service, from the contract.
import {
  operationsInOrder,
  type ParameterName,
  parameterDescriptions,
  resourceDescriptions,
} from "../src/contract/descriptions.ts";
import { type AnyOperation, isOptional } from "../src/contract/index.ts";
import { jsonSchemaOf, modelSchemas } from "./json-schema.ts";
import { packageFile } from "./package-file.ts";

type Json = Record<string, unknown>;

const about = JSON.parse(packageFile("package.json").read()) as {
  readonly version: string;
  readonly license: string;
};

const reference = (name: string, group = "schemas") => ({ $ref: `#/components/${group}/${name}` });

const envelope = (results: Json, status: Json, message: Json): Json => ({
  type: "object",
  properties: { status, message, results },
  required: ["status", "message", "results"],
});

/** The answers of contracts that have no verified source: HTTP 200, another message, nothing in `results` (S2). */
const needsVerification = (operation: AnyOperation) =>
  operation.resource === "contracts" && operation.method === "GET";

function answerSchema(operation: AnyOperation): Json {
  const { results, simpleResults } = operation;
  const forms = [results, simpleResults].flatMap((schema) =>
    schema ? [jsonSchemaOf(schema)] : [],
  );
  const payload = forms.length === 1 ? (forms[0] as Json) : { anyOf: forms };
  if (!operation.enveloped) return payload;
  const success = envelope(payload, { const: "200" }, { const: "success" });
  return needsVerification(operation) ? { anyOf: [success, reference("NotVerified")] } : success;
}

function parameter(operation: AnyOperation, place: "path" | "query", name: string): Json {
  const schema = operation.input.shape[name];
  if (schema === undefined) throw new Error(`${operation.id} has no parameter ${name}`);
  return {
    name,
    in: place,
    description: parameterDescriptions[name as ParameterName],
    required: !isOptional(schema),
    schema: jsonSchemaOf(schema),
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

const failures: Readonly<Record<string, string>> = {
  400: "A parameter is missing or wrong; the message names it.",
  401: "No api-key, or an unknown one.",
  404: "There is no such token, transaction, block or contract.",
  415: "The body is not application/json.",
  429: "Too many requests; `Retry-After` says when to come back.",
  500: "The service failed.",
};

function describeOperation(operation: AnyOperation): Json {
  const { id, resource, action, summary, places } = operation;
  const codes = Object.keys(failures).filter((code) => code !== "415" || places.body.length > 0);
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
      ...Object.fromEntries(codes.map((code) => [code, reference(`Error${code}`, "responses")])),
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
        url: "{base_url}",
        description: "The service's base address.",
        variables: {
          base_url: {
            default: "http://127.0.0.1:1717",
            description: "Where `mrc-explorer serve` answers unless told otherwise.",
          },
        },
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
      responses: Object.fromEntries(
        Object.entries(failures).map(([code, description]) => [
          `Error${code}`,
          {
            description,
            ...(code === "429" && {
              headers: {
                "Retry-After": {
                  description: "Seconds to wait.",
                  schema: { type: "integer", minimum: 0 },
                },
              },
            }),
            content: { "application/json": { schema: reference("Error") } },
          },
        ]),
      ),
      schemas: {
        ...modelSchemas(),
        Error: {
          title: "Error",
          ...envelope(
            { type: ["object", "null"] },
            { type: "string", description: "The HTTP status." },
            { type: "string", description: "What is wrong." },
          ),
        },
        NotVerified: {
          title: "NotVerified",
          description: "The contract has no verified source.",
          ...envelope(
            { type: "object", maxProperties: 0 },
            { const: "200" },
            {
              type: "string",
              examples: ["contract is not yet verified"],
            },
          ),
        },
      },
    },
  };
}

/** The document as it is committed. */
export const openapiText = (): string => `${JSON.stringify(openapi(), null, 2)}\n`;

if (import.meta.main) packageFile("openapi.json").write(openapiText());
