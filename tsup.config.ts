// How the package is built: every entry point as ESM and CommonJS with types, the command line as an ESM program, and the page.
import { defineConfig, type Options } from "tsup";

type Plugin = NonNullable<Options["plugins"]>[number];

const common: Options = {
  target: "es2022",
  sourcemap: true,
  treeshake: true,
  splitting: true,
  // Both builds run at once into one folder; `npm run build` empties it before.
  clean: false,
  removeNodeProtocol: false,
  // Peers are the consumer's copy, or none at all; what is Node's own stays so in the entries that need it.
  external: [/^msw(\/|$)/, "solc", /^node:/],
};

const library: Options = {
  ...common,
  entry: {
    index: "src/index.ts",
    "mocks/index": "mocks/index.ts",
    "mocks/node": "mocks/node.ts",
    "mocks/msw": "mocks/msw.ts",
    "mocks/browser": "mocks/browser.ts",
  },
  platform: "neutral",
  shims: true,
};

/** Loads our own files with `require` where CommonJS would import them: jest as it comes has no `import()`. */
const requireFiles: Plugin = {
  name: "require-files",
  renderChunk(code, { map }) {
    const required = code.replaceAll(
      /\bimport\(("\.[^"]+")\)/g,
      "Promise.resolve().then(() => require($1))",
    );
    return { code: required, map: map ?? null };
  },
};

/** The page that a served explorer has at `/`: a program of its own, with all it needs. */
export const page: Options = {
  name: "page",
  entry: { page: "mocks/page/main.tsx" },
  outDir: "dist/page",
  publicDir: "mocks/page/public",
  platform: "browser",
  target: "es2022",
  format: ["esm"],
  minify: true,
  splitting: true,
  clean: false,
  noExternal: [/./],
};

export default defineConfig([
  { ...library, name: "ESM", format: ["esm"] },
  // ky is ESM only, and jest as it comes requires no ESM: CommonJS brings its own ky.
  {
    ...library,
    name: "CommonJS",
    format: ["cjs"],
    noExternal: ["ky"],
    plugins: [requireFiles],
  },
  { ...library, name: "types", format: ["esm", "cjs"], dts: { only: true } },
  // The thread of a compiler loads it when it is needed.
  {
    ...common,
    name: "EVM",
    entry: { "mocks/run-constructor": "mocks/verification/run-constructor.ts" },
    platform: "node",
    format: ["esm"],
    minify: true,
    splitting: false,
    sourcemap: false,
  },
  {
    ...common,
    name: "command line",
    entry: { cli: "src/cli/main.ts" },
    platform: "node",
    format: ["esm"],
  },
  page,
]);
