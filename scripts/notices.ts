// Writes NOTICE.md: the licences of the packages that the build includes, each text once.
import { packageFile } from "./package-file.ts";

/**
 * Packages that tsup.config.ts and vite.config.ts bundle, with their licence files: ky (in
 * CommonJS), the packages of the page, a shim of tsup, and the EVM that runs constructors.
 */
const bundled = {
  ky: "license",
  ox: "LICENSE",
  "@noble/hashes": "LICENSE",
  tsup: "LICENSE",
  preact: "LICENSE",
  zod: "LICENSE",
  "@modelcontextprotocol/server": "LICENSE",
  "@modelcontextprotocol/core": "LICENSE",
} as const;

/** Tells the lines with the copyright holders, which differ between copies of the same licence. */
const isCopyright = (line: string) => /^Copyright \(c\)/i.test(line);

/** Splits a licence into its copyright holders and its text, without headings and indentation. */
function partsOf(file: string): { readonly holders: readonly string[]; readonly text: string } {
  const lines = packageFile(`node_modules/${file}`)
    .read()
    .split("\n")
    // Headings of its own would look like packages.
    .map((line) => line.replace(/^([ \t]+|#+ )/, "").trimEnd());
  const text = lines
    .filter((line) => !isCopyright(line))
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  return { holders: lines.filter(isCopyright), text };
}

/** Licences whose words are the same, with the packages that have them. */
const licences = new Map<string, { text: string; packages: string[] }>();
for (const [name, file] of Object.entries(bundled)) {
  const { holders, text } = partsOf(`${name}/${file}`);
  const words = text
    .replace(/^(\(?the )?mit license\b( \(mit\)|\))?/i, "")
    .replaceAll(/\W+/g, " ")
    .trim();
  const licence = licences.get(words) ?? { text, packages: [] };
  licences.set(words, licence);
  licence.packages.push(`## ${[name, ...holders].join("\n\n")}`);
}

const sections = [...licences.values()].map(
  ({ packages, text }) => `${packages.join("\n\n")}\n\n${text}`,
);

export const notices = `# Notices

Parts of these packages are in the files of \`dist\`. A licence follows the packages that have it.

${sections.join("\n\n")}
`;

if (import.meta.main) packageFile("NOTICE.md").write(notices);
