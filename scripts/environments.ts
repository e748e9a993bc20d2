// Generates the table of docs/environments.md: where the package is tested, with the versions in the
// lock files. A test must have the words of its row, so that no row outlives its test.
import { packageFile } from "./package-file.ts";

const folders = {
  ".": "",
  consumers: "test/environments/consumers/",
  edge: "test/environments/edge/",
  next: "test/environments/next/",
  recipes: "examples/recipes/",
};

/** Environment, folder and names of its packages, ways to an explorer, clients, test. */
const rows = `
node | . node msw | setupExplorer | fetch | test/package/msw.test.ts
msw 2 | consumers msw-2 msw-2.0 | setupExplorer | fetch | test/package/msw.test.ts
jsdom | consumers jsdom axios | setupExplorer, mock.fetch | axios, fetch, ExplorerClient | test/package/dom.test.ts
happy-dom | consumers happy-dom axios | setupExplorer, mock.fetch | axios, fetch, ExplorerClient | test/package/dom.test.ts
jest-fixed-jsdom | consumers jest-fixed-jsdom jest | setupExplorer | fetch | test/package/dom.test.ts
@happy-dom/jest-environment | consumers @happy-dom/jest-environment jest | mock.fetch | ExplorerClient | test/package/environments.test.ts
@edge-runtime/jest-environment | consumers @edge-runtime/jest-environment jest | mock.fetch | ExplorerClient | test/package/environments.test.ts
Bun | consumers bun | mock.fetch, a port | ExplorerClient | test/package/runtimes.test.ts
Deno | consumers deno | mock.fetch, a port | ExplorerClient | test/package/runtimes.test.ts
workerd | edge miniflare | a port, the proxy | ExplorerClient | test/package/edge-runtimes.nightly.test.ts
Metro | edge metro | a port | ExplorerClient | test/package/edge-runtimes.nightly.test.ts
Next | next next | a port, the proxy | ExplorerClient, @tanstack/react-query | test/package/next.nightly.test.ts
Chromium | . playwright | one file, without a bundler | ExplorerClient | test/package/one-file.test.ts
Express | recipes express | the proxy | ExplorerClient | test/examples/recipes.long.test.ts
Hono | recipes hono | the proxy | ExplorerClient | test/examples/recipes.long.test.ts
SvelteKit | recipes @sveltejs/kit | the proxy | ExplorerClient | test/examples/recipes.long.test.ts
Vite | . vite | Vite's own proxy | ExplorerClient | test/examples/recipes.long.test.ts
`;

/** Returns the version of a package that a folder's lock file installs. */
function versionOf(folder: keyof typeof folders, name: string): string {
  const { packages } = JSON.parse(packageFile(`${folders[folder]}package-lock.json`).read());
  const { version } = packages[`node_modules/${name}`] ?? {};
  if (version === undefined) throw new Error(`${folder} does not install ${name}`);
  return `${name.replace(/^msw-.*/, "msw")} ${version}`;
}

/** Returns the cells of each environment. Throws if a test does not have the words of its row. */
export const environmentCells = (): readonly (readonly string[])[] =>
  rows
    .trim()
    .split("\n")
    .map((row) => {
      const [environment = "", installed = "", ways = "", clients = "", test = ""] =
        row.split(" | ");
      const text = packageFile(test).read();
      const missing = [environment, ...clients.split(", ")].find((word) => !text.includes(word));
      if (missing) throw new Error(`${test} does not have ${missing}`);
      const [folder, ...packages] = installed.split(" ");
      const versions = packages.map((name) => versionOf(folder as keyof typeof folders, name));
      return [environment, versions.join(", "), ways, clients, `\`${test}\``];
    });
