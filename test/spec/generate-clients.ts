// The clients that others' tools generate from openapi.json, in a project of their own.
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../../", import.meta.url));
const document = join(root, "openapi.json");
const run = promisify(execFile);

export interface GeneratedClients {
  /** The file of this name. */
  file(name: string): string;
  /** Runs a program of node_modules/.bin in the project, and gives what it printed; throws if it fails. */
  bin(name: string, words: readonly string[]): Promise<string>;
  remove(): void;
}

const compilerOptions = {
  target: "es2023",
  module: "esnext",
  moduleResolution: "bundler",
  strict: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: ["node"],
};

/** orval calls one address, which is generated into its client. */
const orvalConfig = (baseUrl: string) => ({
  client: {
    input: document,
    output: {
      target: "orval/client.ts",
      mode: "split",
      client: "fetch",
      baseUrl,
      mock: { generators: [{ type: "msw", useExamples: true }] },
    },
  },
  zod: { input: document, output: { target: "orval/zod.ts", client: "zod" } },
});

/** Generates all clients, for a service at `baseUrl`. */
export async function generateClients(baseUrl: string): Promise<GeneratedClients> {
  const folder = mkdtempSync(join(tmpdir(), "mrc-explorer-generated-"));
  const file = (name: string) => join(folder, name);
  symlinkSync(join(root, "node_modules"), file("node_modules"));
  cpSync(fileURLToPath(new URL("clients", import.meta.url)), folder, { recursive: true });
  const write = (name: string, value: unknown) => writeFileSync(file(name), JSON.stringify(value));
  write("package.json", { private: true, type: "module" });
  write("tsconfig.json", { compilerOptions, include: ["**/*.ts"] });
  writeFileSync(
    file("orval.config.mjs"),
    `export default ${JSON.stringify(orvalConfig(baseUrl))};`,
  );

  const bin = async (name: string, words: readonly string[]) => {
    const program = join(root, "node_modules/.bin", name);
    const env = { ...process.env, NO_COLOR: "1", REDOCLY_TELEMETRY: "off" };
    try {
      const { stdout, stderr } = await run(process.execPath, [program, ...words], {
        cwd: folder,
        env,
      });
      return stdout + stderr;
    } catch (error) {
      const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
      throw new Error(`${name} failed:\n${stdout}${stderr}`, { cause: error });
    }
  };
  const plugins = ["@hey-api/typescript", "@hey-api/client-fetch", "@hey-api/sdk", "zod"];
  await Promise.all([
    bin("openapi-typescript", [document, "-o", "openapi-typescript/types.ts"]),
    bin("openapi-ts", ["-i", document, "-o", "hey-api", "-p", ...plugins, "--no-log-file"]),
    bin("orval", ["--config", "orval.config.mjs"]),
  ]);
  return { file, bin, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
