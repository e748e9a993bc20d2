// A server that a real npx started ends with it, although npx forwards no signals.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../support/project.ts";

const main = new URL("../../mocks/cli/main.ts", import.meta.url);
const folder = temporaryFolder("npx");

test("a server ends when the npx that started it is ended", async () => {
  const bin = join(folder, "node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "name": "app", "version": "1.0.0" }');
  const program = `#!/usr/bin/env node\nconsole.log(process.pid); import(${JSON.stringify(fileURLToPath(main))});\n`;
  writeFileSync(join(folder, "served.mjs"), program, { mode: 0o755 });
  symlinkSync("../../served.mjs", join(bin, "served"));
  const npx = spawn("npx", ["--no-install", "served", "serve", "--port", "0"], { cwd: folder });
  let out = "";
  npx.stdout.on("data", (chunk) => {
    out += chunk;
  });
  await vi.waitFor(() => expect(out).toContain("is ready"), { timeout: 30_000 });
  const server = Number.parseInt(out, 10);
  const ended = once(npx, "exit");
  npx.kill("SIGTERM");
  await ended;
  await vi.waitFor(() => expect(() => process.kill(server, 0)).toThrow("ESRCH"), 5000);
}, 60_000);
