// CONTRIBUTING.md and docs/architecture.md name paths and commands that exist, and every recipe
// counts its files.
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { packageFile } from "../../scripts/package-file.ts";

const root = new URL("../../", import.meta.url);
const contributing = packageFile("CONTRIBUTING.md").read();

/**
 * Returns the paths in a text. `<name>` stands for a new file, and `npm run docs` makes
 * `docs/api`.
 */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w./-])(?:src|mocks|test|scripts|docs|examples)\/[\w./-]*[\w<]/g)]
    .map(([path]) => path)
    .filter((path) => !path.includes("<") && path !== "docs/api");

describe.each(["CONTRIBUTING.md", "docs/architecture.md"])("%s", (name) => {
  const page = packageFile(name).read();

  test("names files and folders that exist", () => {
    const paths = [...new Set(pathsIn(page))];
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !existsSync(fileURLToPath(new URL(path, root))))).toEqual([]);
  });

  test("names npm scripts that exist", () => {
    const { scripts } = JSON.parse(packageFile("package.json").read());
    const used = [...page.matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
      ([, run, short]) => run ?? short,
    );
    expect(used.filter((script) => scripts[script ?? ""] === undefined)).toEqual([]);
  });
});

test("every action of a workflow is pinned by commit, and no secret publishes", () => {
  const folder = new URL(".github/workflows/", root);
  for (const name of readdirSync(folder)) {
    const workflow = packageFile(`.github/workflows/${name}`).read();
    const used = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action = ""]) => action);
    expect(used.length, name).toBeGreaterThan(0);
    expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
    expect(workflow).not.toMatch(/secrets\.NPM/);
  }
});

interface Job {
  readonly environment?: string | { readonly name: string };
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

test("a job that may publish runs in an environment, and none of the repository's code", () => {
  const files = readdirSync(new URL(".github/workflows/", root));
  const workflows = files.map((name) => parse(packageFile(`.github/workflows/${name}`).read()));
  expect(workflows.map(({ permissions }) => permissions)).toEqual(
    files.map(() => ({ contents: "read" })),
  );
  const jobs: readonly Job[] = workflows.flatMap(({ jobs }) => Object.values<Job>(jobs));
  const publishing = jobs.filter(({ permissions }) => permissions?.["id-token"] === "write");
  expect(publishing).toHaveLength(2);
  for (const { environment, steps } of publishing) {
    expect(environment).toBeDefined();
    const used = steps.flatMap(({ uses = "", run = "" }) => [uses, run]).join("\n");
    expect(used).not.toMatch(/checkout|changesets|npm (ci|install|run|pack)/);
  }
});

describe("a recipe of CONTRIBUTING.md", () => {
  const recipes = [...contributing.matchAll(/^### (.+) \((\d+) files?\)\n([\s\S]*?)(?=^##)/gm)].map(
    ([, title = "", count, text = ""]) => ({
      title,
      count: Number(count),
      files: [...text.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = ""]) => file),
    }),
  );

  test("is there for common changes", () => {
    expect(recipes.length).toBeGreaterThan(5);
  });

  test.each(recipes)("$title takes $count files", ({ count, files }) => {
    expect(new Set(files).size).toBe(count);
  });
});
