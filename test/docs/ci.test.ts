// The CI files in docs/ci.md: they are valid YAML, and fit the image and the tests.
import { expect, test } from "vitest";
import { parse } from "yaml";
import { packageFile } from "../../scripts/package-file.ts";

const page = packageFile("docs/ci.md").read();
const dockerfile = packageFile("Dockerfile").read();

const files = [...page.matchAll(/^```yaml\n# (\S+)\n([\s\S]*?)^```$/gm)].map(
  ([, name = "", text = ""]) => ({ name, text, content: parse(text, { strict: true }) }),
);

/** Every value below a name, wherever it stands. */
function valuesOf(content: unknown, name: string): unknown[] {
  if (typeof content !== "object" || content === null) return [];
  return Object.entries(content).flatMap(([key, value]) => [
    ...(key === name ? [value] : []),
    ...valuesOf(value, name),
  ]);
}

test("no job that runs code of dependencies may publish", () => {
  const { jobs, permissions } = parse(packageFile(".github/workflows/release.yml").read());
  expect(permissions).toEqual({ contents: "read" });
  const { publish, ...others } = jobs;
  for (const job of Object.values(others)) expect(valuesOf(job, "id-token")).toEqual([]);
  expect(valuesOf(others.build, "permissions")).toEqual([]);
  expect(publish).toMatchObject({ needs: "build", environment: "npm" });
  expect(valuesOf(publish, "uses").join()).not.toContain("checkout");
  expect(valuesOf(publish, "run").join()).not.toMatch(/npm (ci|install|run|pack)|npx/);
  expect(valuesOf(publish, "run")[0]).toContain("npm publish --ignore-scripts");
});

test("the page shows the Dockerfile as it is", () => {
  expect(page).toContain(`\`\`\`dockerfile\n${dockerfile}\`\`\``);
});

test("it has a file for each CI", () => {
  expect(files.map(({ name }) => name)).toEqual([
    ".github/workflows/tests.yml",
    ".github/workflows/tests.yml",
    ".gitlab-ci.yml",
    "compose.yaml",
  ]);
  expect(page.match(/^```yaml$/gm)).toHaveLength(files.length);
});

test.each(files)(
  "$name gives tests the address, a key and the token of the service",
  ({ content }) => {
    const [url, ...others] = valuesOf(content, "EXPLORER_BASE_URL");
    expect(others).toEqual([]);
    const { hostname, port } = new URL(String(url));
    expect(port).toBe("1717");
    expect(valuesOf(content, "EXPLORER_API_KEY")).toEqual(["any"]);
    expect(new Set(valuesOf(content, "EXPLORER_ADMIN_TOKEN"))).toEqual(new Set(["only-for-tests"]));
    // A service is reached by its name, which the entry point accepts, and otherwise by localhost
    // with a mapped port.
    const { services = {} } = { ...content, ...content.test, ...content.jobs?.test };
    const names = Array.isArray(services)
      ? services.map(({ alias }: { readonly alias: string }) => alias)
      : Object.keys(services);
    if (hostname !== "localhost") expect(names).toContain(hostname);
    for (const ports of valuesOf(content, "ports")) expect(ports).toEqual(["1717:1717"]);
    if (names.length > 0) expect(names).toContain("explorer");
    else expect(valuesOf(content, "run")).toContain("npx --yes mrc-explorer serve --admin &");
  },
);

test("where a service names its command, it is that of the image", () => {
  const entryPoint: string[] = JSON.parse(dockerfile.match(/^ENTRYPOINT (.*)$/m)?.[1] ?? "[]");
  expect(entryPoint).toContain("--allowed-host");
  const commands = files.flatMap(({ content }) => valuesOf(content, "entrypoint"));
  expect(commands).toEqual([["npx", "--yes", ...entryPoint]]);
});
