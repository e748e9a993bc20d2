// Editors show a description for every field of every record and option of the packed package,
// and for the constructor of the client.
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Consumer, createConsumer } from "./consumer.ts";

let project: Consumer;
let checker: ts.TypeChecker;
let exported: readonly ts.Symbol[];

beforeAll(() => {
  project = createConsumer();
  const types = join(project.folder, "node_modules/mrc-explorer/dist");
  const program = ts.createProgram(
    ["index.d.ts", "proxy.d.ts"].map((name) => join(types, name)),
    { module: ts.ModuleKind.NodeNext, strict: true, noEmit: true },
  );
  checker = program.getTypeChecker();
  exported = program
    .getRootFileNames()
    .flatMap((name) => program.getSourceFile(name) ?? [])
    .flatMap((file) => checker.getSymbolAtLocation(file) ?? [])
    .flatMap((module) => checker.getExportsOfModule(module))
    .map((symbol) =>
      symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    );
}, 600_000);
afterAll(() => project?.remove());

const isOurs = ({ declarations = [] }: ts.Symbol) =>
  declarations.some((node) => node.getSourceFile().fileName.includes("/mrc-explorer/dist/"));

const isDescribed = (symbol: ts.Symbol | ts.Signature) =>
  ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim() !== "";

const isRecord = ({ declarations = [] }: ts.Symbol) =>
  declarations.some(
    (node) =>
      ts.isInterfaceDeclaration(node) && node.heritageClauses?.[0]?.getText().includes("Decoded<"),
  );
const isRead = ({ name }: ts.Symbol) =>
  /(Options|Query|Watch|Hooks|Logger|Event|Error|RateLimit|Results|Client|Definition)$/.test(name);

test("every field of a record, an option, an event and an error has a description", () => {
  const types = exported.filter(
    (symbol) =>
      symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class) &&
      (isRecord(symbol) || isRead(symbol)),
  );
  expect(types.filter(isRecord).length).toBeGreaterThan(15);
  expect(types.length).toBeGreaterThan(60);
  const silent = types.flatMap((symbol) =>
    checker
      .getDeclaredTypeOfSymbol(symbol)
      .getProperties()
      // The names of errors and ABI entries are their descriptions.
      .filter((property) => isOurs(property) && !/^(__|#|code$)/.test(property.name))
      .filter(() => !/^Abi(?!Entry)/.test(symbol.name))
      .filter((property) => !isDescribed(property))
      .map((property) => `${symbol.name}.${property.name}`),
  );
  expect(silent).toEqual([]);
});

test("the constructor of the client has a description", () => {
  const client = exported.find(({ name }) => name === "ExplorerClient");
  const type = client && checker.getTypeOfSymbol(client);
  expect(type?.getConstructSignatures().map(isDescribed)).toEqual([true]);
});
