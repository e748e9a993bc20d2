// Fields and bounds that the mock explorer's responses have beyond the models. Clients keep
// additional fields as they receive them (R3).

/** The part of a JSON Schema that is read here. */
export interface Schema {
  readonly [keyword: string]: unknown;
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

const boolean = (description: string): Schema => ({ type: "boolean", description });
const text = (description: string): Schema => ({ type: "string", description });

/** The schema of an object, with further properties that may be missing. */
const also = (schema: Schema, properties: Readonly<Record<string, Schema>>): Schema => ({
  ...schema,
  properties: { ...schema.properties, ...properties },
});

/** The schema of an object, with one of its properties changed. */
const changed = (schema: Schema, name: string, change: (of: Schema) => Schema): Schema =>
  also(schema, { [name]: change(schema.properties?.[name] ?? {}) });

const abiParameter = { $ref: "#/components/schemas/AbiParameter" };

const blockNumbers: ReadonlySet<string> = new Set(["block_number", "to_block"]);

/** A pattern of the decimal digits of the numbers up to `max`. */
export function digitsUpTo(max: bigint): string {
  const digits = `${max}`;
  const below = [...digits].flatMap((digit, at) =>
    digit === "0"
      ? []
      : `${digits.slice(0, at)}[0-${Number(digit) - 1}][0-9]{${digits.length - at - 1}}`,
  );
  const shorter = digits.length > 1 ? [`[0-9]{1,${digits.length - 1}}`] : [];
  return `^(?:${[...shorter, ...below, digits].join("|")})$`;
}

const blockNumber = { $ref: "#/components/schemas/BlockNumber" };

/** The schema with block numbers that are no larger than a chain can have. */
export function bounded(schema: Schema): Schema {
  const { properties, items, anyOf } = schema;
  const limited = ({ type }: Schema): Schema =>
    [type].flat().includes("null") ? { anyOf: [blockNumber, { type: "null" }] } : blockNumber;
  return {
    ...schema,
    ...(items && { items: bounded(items) }),
    ...(anyOf && { anyOf: anyOf.map(bounded) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, of]) => [
          name,
          blockNumbers.has(name) ? limited(of) : bounded(of),
        ]),
      ),
    }),
  };
}

/** The models as the service sends them. */
export function sentModels(models: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const { AbiEntry = {}, EventLog = {}, ...others } = models;
  const parameter = AbiEntry.properties?.inputs?.items ?? {};
  const listed = (list: Schema): Schema => ({ ...list, items: abiParameter });
  const entry = changed(changed(AbiEntry, "inputs", listed), "outputs", listed);
  const sent: Readonly<Record<string, Schema>> = {
    BlockNumber: {
      title: "BlockNumber",
      type: "string",
      pattern: digitsUpTo(2n ** 63n - 1n),
      description: "Decimal digits of a number below 2^63.",
    },
    AbiEntry: {
      ...also(entry, { anonymous: boolean("Only of an event.") }),
      description: "Has only the fields that mean something for its type; a function has all.",
      required: ["type"],
    },
    AbiParameter: also(
      { title: "AbiParameter", ...parameter },
      {
        indexed: boolean("Only of an event's parameter."),
        components: { type: "array", items: abiParameter, description: "The members of a tuple." },
        internalType: text("The type in the source."),
      },
    ),
    EventLog: changed(EventLog, "log_abi", () => ({
      type: ["string", "null"],
      description: "The event's ABI entry as JSON text.",
    })),
    ...others,
  };
  return Object.fromEntries(Object.entries(sent).map(([name, of]) => [name, bounded(of)]));
}

/** X1 says why a transaction failed (S11). */
export const withDescription = (results: Schema): Schema =>
  changed(results, "data", (data) =>
    also(data, { description: text("The error; only of a failed transaction.") }),
  );
