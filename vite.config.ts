// Builds the page: one script for the chain, one for contracts, one for testing tools.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const from = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Replaces each file by its compressed form, so that the package is smaller and the server need not
 * compress.
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

/**
 * The modules of the tools for testing. All other modules that are loaded on demand are those of
 * contracts.
 */
const TOOLS =
  /page\/(views\/(requests?|faults|controls|api)\.tsx|(format\/fault-form|code\/request-code)\.ts)$/;

/** Vite would add a helper that preloads the imports of imports, of which there are none. */
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
    // Scripts are loaded when they are needed.
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
            { name: "contract", priority: 1 },
          ],
        },
      },
    },
  },
});
