// Prints the OpenAPI document of the explorer, with the names of the specification or a dialect.
import { type Command, Option } from "commander";
import { type TranslatedOperation, translatorOf } from "../contract/dialect.ts";
import { type DialectName, dialectNames, dialects } from "../contract/dialects.ts";
import { type OperationId, operations } from "../contract/index.ts";
import { type ProcessIO, readPackageFile } from "./process-io.ts";

type Json = Readonly<Record<string, unknown>>;

interface Parameter extends Json {
  readonly name: string;
  readonly in: string;
  readonly schema: Json;
}

/** An operation in the document. */
interface Described extends Json {
  readonly "x-specification-id": OperationId;
  readonly parameters?: readonly Parameter[];
}

interface Document extends Json {
  readonly info: Json;
  readonly security: readonly Json[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

const openapiDocument = (): Document => readPackageFile("openapi.json") as Document;

/**
 * Translates a parameter into the dialect: its name and its place (path or query). If the dialect
 * has several names for it, the parameter gets the first one.
 */
function translateParameter(
  parameter: Parameter,
  { operation, toDialect }: TranslatedOperation,
): Parameter {
  const [name = parameter.name] = Object.keys(toDialect({ [parameter.name]: "" }));
  const word = (value: unknown) => Object.values(toDialect({ [parameter.name]: value }))[0];
  const { schema } = parameter;
  const isInPath = operation.places.path.includes(name);
  const limit =
    name === "limit" || parameter.name === "limit" ? operation.list?.maxLimit : undefined;
  return {
    ...parameter,
    name,
    in: isInPath ? "path" : parameter.in === "path" ? "query" : parameter.in,
    ...(isInPath && { required: true }),
    schema: {
      ...schema,
      ...(Array.isArray(schema.enum) && { enum: schema.enum.map(word) }),
      ...(schema.enum !== undefined && "default" in schema && { default: word(schema.default) }),
      ...(limit !== undefined && { maximum: limit, default: Math.min(50, limit) }),
    },
  };
}

/** Translates the document into a dialect. No dialect renames fields, so they stay the same. */
export function openapiIn(name: DialectName, document = openapiDocument()): Json {
  const dialect = dialects[name];
  const translate = translatorOf(dialect);
  const paths: Record<string, Json> = {};
  for (const [method, described] of Object.values(document.paths).flatMap(
    Object.entries<Described>,
  )) {
    const translated = translate(operations[described["x-specification-id"]]);
    if (!translated) continue;
    const parameters = described.parameters?.map((parameter) =>
      translateParameter(parameter, translated),
    );
    const { path } = translated.operation;
    paths[path] = { ...paths[path], [method]: { ...described, ...(parameters && { parameters }) } };
  }
  const title = `${document.info.title} (${name})`;
  return {
    ...document,
    info: { ...document.info, title },
    ...(dialect.key === "optional" && { security: [...document.security, {}] }),
    paths,
  };
}

export function addOpenapi(program: Command, { stdout }: ProcessIO): void {
  program
    .command("openapi")
    .summary("Print the OpenAPI document")
    .description("Prints the OpenAPI 3.1 document of the explorer, for generators of clients.")
    .addOption(
      new Option("--dialect <name>", "with the paths and parameters of another explorer")
        .choices(dialectNames)
        .default("metadium"),
    )
    .action(({ dialect }: { readonly dialect: DialectName }) => {
      const document = dialect === "metadium" ? openapiDocument() : openapiIn(dialect);
      stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    });
}
