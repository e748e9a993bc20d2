// The packages of test/environments: tools of other people that some tests run, installed by `npm run ci:install`.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Returns the folder of an environment, with a slash at its end. */
export const environmentFolder = (name: string): string =>
  join(ROOT, "test/environments", name, "/");

/** Returns whether `npm run ci:install` has been run for a folder; if not, warns that its tests are skipped. */
export function isInstalled(folder: string): boolean {
  const hasPackages = existsSync(join(folder, "node_modules"));
  if (!hasPackages)
    console.warn(
      `\n*** SKIPPED: tests with the packages of ${folder.replace(ROOT, "")}. To run them: npm run ci:install ***\n`,
    );
  return hasPackages;
}
