// The packages of test/environments: other people's tools that some tests run, installed by `npm
// run ci:install`.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Returns the folder of an environment, with a slash at its end. */
export const environmentFolder = (name: string): string =>
  join(ROOT, "test/environments", name, "/");

/** Returns whether a folder's packages are installed; if not, warns that tests are skipped. */
export function isInstalled(folder: string): boolean {
  const hasPackages = existsSync(join(folder, "node_modules"));
  if (!hasPackages)
    console.warn(
      `\n*** SKIPPED: tests with the packages of ${folder.replace(ROOT, "")}. To run them: npm run ci:install ***\n`,
    );
  return hasPackages;
}
