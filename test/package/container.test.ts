// The commands of the Dockerfile, as the packed package runs them: no container can run here.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { packageFile } from "../../scripts/package-file.ts";
import { type Consumer, createConsumer, userEnv } from "./consumer.ts";

/** The instructions in order, with their arguments. */
const instructions = packageFile("Dockerfile")
  .read()
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)] as const);
const argumentsOf = (name: string) => instructions.find(([one]) => one === name)?.[1] ?? "";
const wordsOf = (text: string): string[] => JSON.parse(text.slice(text.indexOf("[")));

let project: Consumer;
beforeAll(() => {
  project = createConsumer();
});
afterAll(() => project?.remove());

const token = "container-token-0123456789";

/** Runs the entry point as `docker run IMAGE ...words` does, on a free port. */
async function start(...words: readonly string[]) {
  const [program = "", ...fixed] = wordsOf(argumentsOf("ENTRYPOINT"));
  const bin = join(project.folder, "node_modules/.bin", program);
  const child: ChildProcess = spawn(process.execPath, [bin, ...fixed, "--port", "0", ...words], {
    env: { ...userEnv, EXPLORER_ADMIN_TOKEN: token },
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  if (!child.stdout) throw new Error("the entry point has no output");
  for await (const line of createInterface(child.stdout)) {
    const port = line.match(/ready at http:\/\/\S+:(\d+)/)?.[1];
    if (port !== undefined) return { child, ended, port };
  }
  throw new Error("the entry point has not become ready");
}

const isHealthy = (port: string): boolean => {
  const [program, ...words] = wordsOf(argumentsOf("HEALTHCHECK"));
  expect(program).toBe("node");
  return project.node(words.map((word) => word.replace(":1717/", `:${port}/`))).code === 0;
};

/** The status of a request that names a host. */
const statusAt = (port: string, host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = { host: `${host}:${port}`, "api-key": "any" };
    get({ host: "127.0.0.1", port, path: "/v1/blocks/1", headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on("error", reject);
  });

test("it is made of a Node that the package supports, and gives up root before it runs", () => {
  expect(instructions.map(([name]) => name)).toEqual([
    ...["FROM", "ARG", "RUN", "USER", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT"],
  ]);
  expect(argumentsOf("FROM")).toMatch(/^node:24-/);
  expect(argumentsOf("RUN")).toMatch(/^npm install --global mrc-explorer@\$\{VERSION\}$/);
  expect(argumentsOf("USER")).toBe("node");
  expect(Number(argumentsOf("EXPOSE"))).toBeGreaterThan(1023);
  const help = project.bin("mrc-explorer", ["serve", "--help"]).stdout.replaceAll(/\s+/g, " ");
  expect(help).toContain(`(default: ${argumentsOf("EXPOSE")})`);
});

test("the entry point becomes healthy, serves the name of the service, and stops on SIGTERM", async () => {
  const { child, ended, port } = await start();
  expect(isHealthy(port)).toBe(true);
  expect(await statusAt(port, "explorer")).toBe(200);
  expect(await statusAt(port, "elsewhere.example")).toBe(403);
  const faults = `http://127.0.0.1:${port}/admin/faults`;
  expect((await fetch(faults, { headers: { "admin-token": token } })).status).toBe(200);
  expect((await fetch(faults)).status).toBe(401);
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(isHealthy(port)).toBe(false);
});
