// Builds the page. `tsconfigPaths` is there because the package is this repository; a project that installed it needs none.
import { fileURLToPath } from "node:url";
import { msw } from "msw/vite";
import { defineConfig } from "vite";

const from = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: from("."),
  plugins: [msw({ mode: "worker-only" })],
  resolve: { tsconfigPaths: true },
  build: { outDir: from("./dist"), emptyOutDir: true, target: "es2022" },
});
