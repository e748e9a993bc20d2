// The wire form of the contract's schemas as JSON Schema: models as references by their exported names.
import * as z from "zod/mini";
import * as explorer from "../src/index.ts";
import { type AnySchema, definitionOf } from "../src/models/schema.ts";
import { fieldDescriptions } from "./field-descriptions.ts";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

const isSchema = (value: unknown): value is AnySchema =>
  typeof value === "object" && value !== null && "_zod" in value;

type Options = z.core.ToJSONSchemaParams;

/** The exported models by name, in the order of the alphabet. */
export const models: Readonly<Record<string, AnySchema>> = Object.fromEntries(
  Object.entries<unknown>(explorer)
    .flatMap(([name, value]) => (isSchema(value) ? [[name, value] as const] : []))
    .sort(([one], [other]) => (one < other ? -1 : 1)),
);

const names = new Map(Object.entries(models).map(([name, schema]) => [schema, name]));

/** The exported name of a model. */
export const nameOf = (schema: AnySchema): string | undefined => names.get(schema);

const registry = z.registry<{ readonly id: string }>();
for (const [id, schema] of Object.entries(models)) registry.add(schema, { id });

/** Whether a field may be missing from what the service sends or takes: of a nullable one, null is sent. */
function mayBeMissing(schema: AnySchema): boolean {
  const def = definitionOf(schema);
  return def.type === "optional" || (def.type === "default" && def.defaultValue !== null);
}

const reference = (name: string): string => `#/components/schemas/${name}`;

/** Which fields are required, and nullable ones as a list of types. */
function override({ zodSchema, jsonSchema }: Parameters<NonNullable<Options["override"]>>[0]) {
  const def = definitionOf(zodSchema);
  if (def.type === "object") {
    delete jsonSchema.additionalProperties;
    jsonSchema.required = Object.keys(def.shape).filter(
      (name) => !mayBeMissing(def.shape[name] as AnySchema),
    );
  }
  // zod leaves out the default of a codec, because a default is a decoded value. Here it is the
  // same in JSON.
  if (def.type === "default" && def.defaultValue !== null) jsonSchema.default = def.defaultValue;
  else delete jsonSchema.default;
  if (def.type === "nullable" || def.type === "default" || def.type === "optional") {
    const [inner, none] = jsonSchema.anyOf ?? [];
    if (none?.type === "null" && inner && !inner.$ref) {
      delete jsonSchema.anyOf;
      const { type, ...rest } = inner as JsonSchema;
      Object.assign(jsonSchema, rest, type && { type: [type, "null"].flat() });
    }
  }
}

/** Checks that JSON Schema cannot express (a function, a bigint) are written as "anything". */
const options = { io: "input", override, unrepresentable: "any" } as const satisfies Options;

/** The wire form of a schema, with references to models as OpenAPI has them. */
export function jsonSchemaOf(schema: AnySchema): JsonSchema {
  const { $schema, $defs, ...json } = z.toJSONSchema(schema, { ...options, metadata: registry });
  return JSON.parse(JSON.stringify(json).replaceAll("#/$defs/", reference("")));
}

/** The wire forms of all models, by name. */
export function modelSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(registry, { ...options, uri: reference });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema, $id, ...json }]) => {
      const descriptions = fieldDescriptions(name);
      const properties = Object.entries(json.properties ?? {}).map(([field, schema]) => [
        field,
        typeof schema === "object" ? { description: descriptions[field], ...schema } : schema,
      ]);
      return [name, { title: name, ...json, properties: Object.fromEntries(properties) }];
    }),
  );
}
