// Runs the examples of docstrings: imports are replaced by a scope, and values in comments are
// checked.
import ts from "typescript";
import type { Snippet } from "./snippets.ts";

/** `value; // 42` and `const name = value; // 42` say what a value is. */
const SAID = /^(?:const (\w+) = )?(.+); \/\/ (-?\d+n?|"[^"]*"|true|false|null)$/gm;

/** Code in which what it says of values is checked, by `equal` and `throws`. Lines stay where they are. */
const checked = (code: string, equal: string, throws: (run: string, name: string) => string) =>
  code
    .replaceAll(SAID, (_, name: string | undefined, value: string, said: string) =>
      name === undefined
        ? `${equal}(${value}, ${said});`
        : `const ${name} = ${value}; ${equal}(${name}, ${said});`,
    )
    .replaceAll(THROWN, (_, statement: string, name: string) => throws(statement, name));

/** A program that checks itself, with nothing but Node. */
export const checkedProgram = (code: string): string =>
  `import assert from "node:assert/strict"; ${checked(
    code,
    "assert.deepEqual",
    (run, name) => `assert.throws(() => { ${run} }, { name: "${name}" });\n`,
  )}`;

/** A snippet that checks itself with vitest's `equal`. */
const held = (code: string) =>
  checked(
    code,
    "expectEqual",
    (run, name) =>
      `expect(() => { ${run} }).toThrow(expect.objectContaining({ name: "${name}" }));`,
  ).replaceAll("expectEqual(", "((one, other) => expect(one).toEqual(other))(");

/** `statement;` with `// SomeError: …` below it throws that. */
const THROWN = /^(.+;)\n\/\/ (\w+Error): .*$/gm;

/** Runs a snippet with the names of a scope. */
export async function run(
  { code }: Snippet,
  scope: Readonly<Record<string, unknown>> & { readonly running: readonly unknown[] },
): Promise<void> {
  const checked = held(code.replaceAll(/^import [^;]+;$/gm, ""));
  const { outputText } = ts.transpileModule(`return async () => {\n${checked}\n};`, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const names = Object.keys(scope);
  const main: () => Promise<void> = new Function(...names, outputText)(
    ...names.map((name) => scope[name]),
  );
  await main();
  await Promise.all(scope.running);
}
