// Builds the page: one script for the frame and Home, one with the other views, one style sheet; each as it is and compressed.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const from = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Leaves `page.js.br` and `page.js.gz` beside `page.js`, so that the server has nothing to compress. */
const compressed: Plugin = {
  name: "compressed",
  writeBundle({ dir = "" }) {
    const names = readdirSync(dir).filter((name) => ![".br", ".gz"].includes(extname(name)));
    for (const path of names.map((name) => join(dir, name))) {
      const bytes = readFileSync(path);
      writeFileSync(`${path}.br`, brotliCompressSync(bytes));
      writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    }
  },
};

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
    // Nothing is imported by more than one script.
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        assetFileNames: "[name]-[hash][extname]",
        entryFileNames: "[name]-[hash].js",
        chunkFileNames: "[name]-[hash].js",
        codeSplitting: { groups: [{ name: "page", tags: ["$initial"] }, { name: "views" }] },
      },
    },
  },
});
