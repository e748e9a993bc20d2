// No foreign text becomes a regular expression, or a replacement in which `$&` has a meaning:
// patterns are literals, or built from constants; replacements are literals or functions.
import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

/** Computed parts of patterns that are no constants in capitals, and why nobody else controls them. */
const harmless: Readonly<Record<string, string>> = {
  "src/proxy.ts": "the paths of the contract",
  "src/cli/output.ts": "a width",
};

/** The parts of a file's patterns that are neither literals nor constants. */
function computedParts(path: string, text: string): readonly string[] {
  const parts: string[] = [];
  const visit = (node: ts.Node): void => {
    const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (isCall && node.expression.getText() === "RegExp") {
      const [given] = node.arguments ?? [];
      const pattern = given && ts.isTaggedTemplateExpression(given) ? given.template : given;
      if (pattern && ts.isTemplateExpression(pattern))
        parts.push(...pattern.templateSpans.map(({ expression }) => expression.getText()));
      else if (!pattern || !ts.isStringLiteralLike(pattern)) parts.push(node.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return parts.filter((part) => !/^[A-Z_]+(\.source)?$/.test(part));
}

/** The computed texts that replace a match in a file. */
function computedReplacements(path: string, text: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [, given] = node.arguments;
      const isReplacing = /^replace(All)?$/.test(node.expression.name.text) && given;
      if (isReplacing && !ts.isStringLiteralLike(given) && !ts.isArrowFunction(given))
        found.push(`${path}: ${given.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}

test("texts that replace a match are literals or functions", () => {
  const files = globSync("{src,mocks}/**/*.{ts,tsx}");
  const found = files.flatMap((path) => computedReplacements(path, readFileSync(path, "utf8")));
  expect(found).toEqual([]);
  const text = "a.replace(/x/, name); a.replaceAll('x', '$1' + name); a.replace(/x/, () => name);";
  expect(computedReplacements("a.ts", text)).toHaveLength(2);
});

test("patterns are built from constants only", () => {
  const files = globSync("{src,mocks}/**/*.{ts,tsx}").filter(
    (path) => computedParts(path, readFileSync(path, "utf8")).length > 0,
  );
  expect(files.toSorted()).toEqual(Object.keys(harmless).toSorted());
});

test("a pattern that is built from a name is noticed", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is code.
  const text = "const find = (name) => [new RegExp(`^${NAME}${name}`), RegExp(name), /x/];";
  expect(computedParts("a.ts", text)).toEqual(["name", "RegExp(name)"]);
});
