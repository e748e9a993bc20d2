// Examples as programs: what they import is in scope already, and what they say of a value is held against it.
import { fileURLToPath } from "node:url";
import ts from "typescript";
import type { Snippet } from "./snippets.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Imports where a block may stand, line for line. */
const localImports = (code: string) =>
  code.replaceAll(
    /^import (?:\* as (\w+)|(\{[^}]*\})) from ("[^"]+");$/gm,
    (_, all: string | undefined, some: string | undefined, from: string) =>
      `const ${all ?? some?.replaceAll(" as ", ": ")} = await import(${from});`,
  );

/** What is wrong with the types of snippets under plain `strict`, given the names that `scope.ts` makes. */
export function typeErrors(snippets: readonly Snippet[], names: readonly string[]): string[] {
  const config = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options: own } = ts.parseJsonConfigFileContent(
    { ...config.config, files: [] },
    ts.sys,
    root,
  );
  const options = { ...own, exactOptionalPropertyTypes: false };
  const folder = `${root}test/docs/`;
  const type = `Awaited<ReturnType<typeof import("./scope.ts").createScope>>`;
  const prelude = names.map((name) => `declare const ${name}: ${type}["${name}"];`).join("\n");
  const programs = new Map(
    snippets.map((snippet, index) => [`${folder}program-${index}.generated.ts`, snippet]),
  );
  const files = new Map([
    [`${folder}prelude.generated.d.ts`, prelude],
    ...[...programs].map(([path, { code }]): [string, string] => [
      path,
      `${localImports(code)}\nexport {};\n`,
    ]),
  ]);
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.getSourceFile = (name, version, ...more) => {
    const text = files.get(name);
    return text === undefined
      ? getSourceFile(name, version, ...more)
      : ts.createSourceFile(name, text, version);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((path) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(path))
      .map(({ start = 0, messageText }) => {
        const line = (files.get(path) ?? "").slice(0, start).split("\n").length;
        const place = programs.get(path)?.place ?? path;
        return `${place}, line ${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
      }),
  );
}

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
