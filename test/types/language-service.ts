// The editor in tests: quick info and diagnostics of small programs, by the TypeScript language service.
import { resolve } from "node:path";
import ts from "typescript";

const root = resolve(import.meta.dirname, "../..");
const file = resolve(root, "test/types/program.ts");

/** Every program starts like this. */
const PREAMBLE = `import { ExplorerClient, isExplorerError } from "mrc-explorer";
declare const explorer: ExplorerClient;
const address = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const hash = "0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b";
`;

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(resolve(root, "tsconfig.json"), ts.sys.readFile).config,
  ts.sys,
  root,
);

let text = "";
let version = 0;
const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [file],
  getScriptVersion: (path) => (path === file ? `${version}` : "0"),
  getScriptSnapshot: (path) => {
    const content = path === file ? text : ts.sys.readFile(path);
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
  },
  getCurrentDirectory: () => root,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (path) => path === file || ts.sys.fileExists(path),
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
});

function open(program: string): void {
  text = PREAMBLE + program;
  version++;
}

/** The errors of a program, as the editor shows them. */
export function errorsOf(program: string): string[] {
  open(program);
  return [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)].map(
    ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"),
  );
}
