// The operations as a collection of Postman's, format 2.1: what its "Import" takes.
import {
  operationsInOrder,
  type ParameterName,
  parameterDescriptions,
  resourceDescriptions,
  summaryOf,
} from "../../../src/contract/descriptions.ts";
import { type AnyOperation, isOptional } from "../../../src/contract/index.ts";
import { expectedOf } from "../../../src/models/issues.ts";

/** A parameter; optional ones are there, and off. */
function parameterOf({ input }: AnyOperation, name: string) {
  const schema = input.shape[name];
  const about = parameterDescriptions[name as ParameterName];
  const description = `${about} ${schema ? expectedOf(schema) : ""}`.trim();
  return { key: name, value: "", description, ...(isOptional(schema) && { disabled: true }) };
}

function requestOf(operation: AnyOperation) {
  const { id, method, name, places, wholeBody } = operation;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
  const body = wholeBody ? [] : Object.fromEntries(places.body.map((one) => [one, ""]));
  return {
    name: `${id} ${name}`,
    request: {
      method,
      description: summaryOf(operation),
      url: {
        raw: `{{baseUrl}}${path}`,
        host: ["{{baseUrl}}"],
        path: path.slice(1).split("/"),
        variable: places.path.map((one) => parameterOf(operation, one)),
        query: places.query.map((one) => parameterOf(operation, one)),
      },
      ...(places.body.length > 0 && {
        header: [{ key: "Content-Type", value: "application/json" }],
        body: { mode: "raw", raw: JSON.stringify(body, null, 2) },
      }),
    },
  };
}

/** The collection for an explorer at an address; its variable `apiKey` is empty. */
export const postmanOf = (baseUrl: string) => ({
  info: {
    name: "mrc-explorer",
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
  },
  variable: [
    { key: "baseUrl", value: baseUrl },
    { key: "apiKey", value: "" },
  ],
  auth: {
    type: "apikey",
    apikey: [
      { key: "key", value: "api-key" },
      { key: "value", value: "{{apiKey}}" },
      { key: "in", value: "header" },
    ],
  },
  item: Object.keys(resourceDescriptions).map((resource) => ({
    name: resource,
    item: operationsInOrder.filter((one) => one.resource === resource).map(requestOf),
  })),
});
