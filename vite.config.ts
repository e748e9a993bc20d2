// Builds the page: one script for the frame and Home, one for the other views, one for testing
// tools, and one style sheet; all compressed.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const from = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Replaces `page.js` by `page.js.br`, so that the server compresses nothing and the package is
 * smaller.
 */
const compressed: Plugin = {
  name: "compressed",
  writeBundle({ dir = "" }) {
    const endings = [".html", ".js", ".css", ".svg"];
    const names = readdirSync(dir).filter((name) => endings.includes(extname(name)));
    for (const path of names.map((name) => join(dir, name))) {
      writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
      if (extname(path) !== ".html") rmSync(path);
    }
  },
};

/** The views of who tests a program, and what only they need: who looks at a transaction does without. */
const TOOLS =
  /page\/(views\/(requests?|faults|controls|api)\.tsx|(format\/fault-form|code\/(postman|request-code))\.ts)$/;

/** Vite would send with the first file what preloads imports of imports, of which there are none. */
const plainImports: Plugin = {
  name: "plain-imports",
  enforce: "pre",
  load: (id) =>
    id === "\0vite/preload-helper.js"
      ? "export const __vitePreload = (load) => load();"
      : undefined,
};

export default defineConfig({
  root: from("mocks/page"),
  base: "/page/",
  plugins: [plainImports, compressed],
  build: {
    outDir: from("dist/page"),
    emptyOutDir: true,
    target: "es2022",
    cssCodeSplit: false,
    // Each script is loaded when it is needed.
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        assetFileNames: "[name]-[hash][extname]",
        entryFileNames: "[name]-[hash].js",
        chunkFileNames: "[name]-[hash].js",
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: "page", tags: ["$initial"], priority: 3 },
            { name: "tools", test: TOOLS, priority: 2 },
            { name: "views", priority: 1 },
          ],
        },
      },
    },
  },
});
