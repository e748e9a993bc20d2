// Builds the pages. `tsconfigPaths` resolves the package to this repository; remove it in your own
// project.
import { fileURLToPath } from "node:url";
import { msw } from "msw/vite";
import { defineConfig } from "vite";

const from = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: from("."),
  plugins: [msw({ mode: "worker-only" })],
  resolve: { tsconfigPaths: true },
  build: {
    outDir: from("./dist"),
    emptyOutDir: true,
    target: "es2022",
    rollupOptions: { input: [from("./index.html"), from("./live.html")] },
  },
});
