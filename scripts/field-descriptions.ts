// The description of every field of a record: the comment beside it in `src/models`, which editors show, too.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const folder = join(import.meta.dirname, "../src/models");

/** The text of a comment beside a field, in one line. */
function commentOf(source: ts.SourceFile, node: ts.Node): string {
  const [range] = (ts.getLeadingCommentRanges(source.text, node.pos) ?? []).slice(-1);
  if (range === undefined) return "";
  const text = source.text.slice(range.pos, range.end);
  return text
    .replace(/^\/\*\*|\*\/$/g, "")
    .replace(/^\s*\*/gm, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** The fields of an object literal with their comments, with those of the constants that it spreads. */
function fieldsOf(source: ts.SourceFile, object: ts.ObjectLiteralExpression): [string, string][] {
  return object.properties.flatMap((property): [string, string][] => {
    if (ts.isSpreadAssignment(property)) {
      const spread = objectNamed(source, property.expression.getText(source));
      return spread === undefined ? [] : fieldsOf(source, spread);
    }
    const name = property.name?.getText(source);
    return name === undefined ? [] : [[name, commentOf(source, property)]];
  });
}

/** The object literal that a constant of the file is, or that it gives to `model`. */
function objectNamed(source: ts.SourceFile, name: string): ts.ObjectLiteralExpression | undefined {
  const declared = source.statements
    .flatMap((statement) =>
      ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : [],
    )
    .find((declaration) => declaration.name.getText(source) === name)?.initializer;
  const value = declared && ts.isCallExpression(declared) ? declared.arguments[0] : declared;
  if (value === undefined) return undefined;
  if (ts.isIdentifier(value)) return objectNamed(source, value.text);
  return ts.isObjectLiteralExpression(value) ? value : undefined;
}

const sources = globSync("*.ts", { cwd: folder }).map((name) =>
  ts.createSourceFile(name, readFileSync(join(folder, name), "utf8"), ts.ScriptTarget.ES2022),
);

/** The descriptions of a model's own fields, by the name that exports it. */
export function fieldDescriptions(model: string): Readonly<Record<string, string>> {
  for (const source of sources) {
    const object = objectNamed(source, model);
    if (object !== undefined) return Object.fromEntries(fieldsOf(source, object));
  }
  return {};
}
