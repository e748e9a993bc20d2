// Editors show a description for every field of every record and option, and for the constructor of the client.
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile).config,
  ts.sys,
  root,
);
const program = ts.createProgram(
  ["index.ts", "proxy.ts"].map((name) => `${root}src/${name}`),
  { ...options, noEmit: true, incremental: false },
);
const checker = program.getTypeChecker();

const exported = program
  .getRootFileNames()
  .flatMap((name) => program.getSourceFile(name) ?? [])
  .flatMap((file) => checker.getSymbolAtLocation(file) ?? [])
  .flatMap((module) => checker.getExportsOfModule(module))
  .map((symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  );

const isOurs = ({ declarations = [] }: ts.Symbol) =>
  declarations.some((one) => one.getSourceFile().fileName.startsWith(`${root}src/`));

const isDescribed = (symbol: ts.Symbol | ts.Signature) =>
  ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim() !== "";

const isRecord = ({ declarations = [] }: ts.Symbol) =>
  declarations.some((one) => one.getSourceFile().fileName.startsWith(`${root}src/models/`));
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
