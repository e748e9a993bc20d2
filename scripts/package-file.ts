// A file of the package, by its path from the package's root: what the generating scripts read and write.
import { readFileSync, writeFileSync } from "node:fs";

export function packageFile(path: string) {
  const url = new URL(`../${path}`, import.meta.url);
  return {
    read: (): string => readFileSync(url, "utf8"),
    write: (text: string): void => writeFileSync(url, text),
  };
}
