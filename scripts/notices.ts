// Writes NOTICE.md: the licences of the packages that the build includes.
import { packageFile } from "./package-file.ts";

/** What tsup.config.ts and vite.config.ts bundle: ky (in CommonJS), what ox needs, a shim of tsup's own, all that the page needs, and the EVM that runs constructors. */
const bundled = {
  ky: "license",
  ox: "LICENSE",
  "@noble/hashes": "LICENSE",
  tsup: "LICENSE",
  preact: "LICENSE",
  zod: "LICENSE",
  "@noble/curves": "LICENSE",
  "@ethereumjs/evm": "LICENSE",
  "@ethereumjs/common": "LICENSE",
  "@ethereumjs/statemanager": "LICENSE",
  "@ethereumjs/util": "LICENSE",
  "@ethereumjs/binarytree": "LICENSE",
  // It has none of its own in its package, but names the same.
  "@ethereumjs/mpt": "../util/LICENSE",
  "@ethereumjs/rlp": "LICENSE",
  eventemitter3: "LICENSE",
  debug: "LICENSE",
  ms: "license.md",
  "lru-cache": "LICENSE.md",
} as const;

const sections = Object.entries(bundled).map(([name, file]) => {
  const text = packageFile(`node_modules/${name}/${file}`).read().trim();
  // Its own headings would look like packages.
  return `## ${name}\n\n${text.replaceAll(/^([ \t]+|#+ )/gm, "")}`;
});

export const notices = `# Notices

Parts of these packages are in the files of \`dist\`.

${sections.join("\n\n")}
`;

if (import.meta.main) packageFile("NOTICE.md").write(notices);
