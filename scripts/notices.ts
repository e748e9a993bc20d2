// Writes NOTICE.md: the licences of the packages that the build brings along.
import { packageFile } from "./package-file.ts";

/** What tsup.config.ts bundles: ky (in CommonJS), what ox needs, a shim of tsup's own, and all that the page needs. */
const bundled = {
  ky: "license",
  ox: "LICENSE",
  "@noble/hashes": "LICENSE",
  tsup: "LICENSE",
  preact: "LICENSE",
  zod: "LICENSE",
  viem: "LICENSE",
  abitype: "LICENSE",
  isows: "LICENSE",
  "@noble/curves": "LICENSE",
} as const;

const sections = Object.entries(bundled).map(([name, file]) => {
  const text = packageFile(`node_modules/${name}/${file}`).read().trim();
  return `## ${name}\n\n${text.replaceAll(/^[ \t]+/gm, "")}`;
});

export const notices = `# Notices

Parts of these packages are in the files of \`dist\`.

${sections.join("\n\n")}
`;

if (import.meta.main) packageFile("NOTICE.md").write(notices);
