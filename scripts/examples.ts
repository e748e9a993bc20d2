// Examples for the OpenAPI document, because mock servers and generators cannot make a text that
// matches a pattern.

const samples = [
  "1000000",
  "0xa9059cbb",
  `0x${"5f".repeat(32)}`,
  "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65",
] as const;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A document in which every schema with a pattern has a sample that matches it. */
export function withExamples(document: unknown): unknown {
  if (Array.isArray(document)) return document.map(withExamples);
  if (!isObject(document)) return document;
  const { pattern } = document;
  const sample =
    typeof pattern === "string" && samples.find((text) => new RegExp(pattern).test(text));
  return {
    ...Object.fromEntries(
      Object.entries(document).map(([key, value]) => [key, withExamples(value)]),
    ),
    ...(sample && { examples: [sample] }),
  };
}
