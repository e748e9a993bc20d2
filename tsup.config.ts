// How the package is built: every entry point as ESM and CommonJS with types. The page has a
// configuration of its own, `vite.config.ts`.
import { writeFile } from "node:fs/promises";
import { defineConfig, type Options } from "tsup";
import { parseAst } from "vite";

type Plugin = NonNullable<Options["plugins"]>[number];

/** Initialisers that bundlers keep, because they cannot tell that running them has no effect. */
const isComputed = /^(Call|New|Object|Array|Class|Member|TaggedTemplate)/;

/**
 * Turns every constant of a module into the result of a call that is marked as pure, so that
 * bundlers drop unused constants. Otherwise a helper of three lines costs all schemas.
 */
const pureConstants: Plugin = {
  name: "pure-constants",
  renderChunk(code) {
    const constants = parseAst(code).body.flatMap((statement) =>
      statement.type === "VariableDeclaration" ? statement.declarations : [],
    );
    let marked = code;
    for (const { id, init } of constants.reverse()) {
      if (id.type !== "Identifier" || !init || !isComputed.test(init.type)) continue;
      const value = code.slice(init.start, init.end);
      // In a function a class no longer gets the name of its constant.
      const named = value.replace(/^class(?= extends| \{)/, `class ${id.name}`);
      marked = `${marked.slice(0, init.start)}/* @__PURE__ */ (() => (${named}))()${marked.slice(init.end)}`;
    }
    return { code: marked, map: null };
  },
};

const library: Options = {
  target: "es2022",
  treeshake: true,
  splitting: true,
  // Several builds run at once into one folder; `npm run build` empties it before.
  clean: false,
  removeNodeProtocol: false,
  // Peers are the consumer's copy, or none at all; what is Node's own stays so in the entries that need it.
  external: [/^msw(\/|$)/, "solc", /^node:/],
  entry: {
    index: "src/index.ts",
    tanstack: "src/tanstack.ts",
    proxy: "src/proxy.ts",
    "mocks/index": "mocks/index.ts",
    "mocks/node": "mocks/node.ts",
    "mocks/msw": "mocks/msw.ts",
    "mocks/browser": "mocks/browser.ts",
  },
  platform: "neutral",
  shims: true,
};

/**
 * Replaces `import()` of our own files by `require` in CommonJS, because jest has no `import()` by
 * default.
 */
const requireFiles: Plugin = {
  name: "require-files",
  renderChunk(code) {
    const required = code.replaceAll(
      /\bimport\(("\.[^"]+")\)/g,
      "Promise.resolve().then(() => require($1))",
    );
    return { code: required, map: null };
  },
};

/** The programs of the package: what they bundle is in NOTICE.md. */
export const programs: readonly Options[] = [
  {
    ...library,
    name: "ESM",
    entry: {
      ...library.entry,
      // Not in the package: they only get files of their own.
      helpers: "src/helpers.ts",
      unfinished: "src/errors/unfinished.ts",
      cli: "mocks/cli/main.ts",
    },
    format: ["esm"],
    plugins: [pureConstants],
  },
  // ky is ESM only, and jest as it comes requires no ESM: CommonJS brings its own ky.
  {
    ...library,
    name: "CommonJS",
    format: ["cjs"],
    noExternal: ["ky"],
    plugins: [requireFiles],
    // Without comments, which the ES modules have.
    esbuildOptions(options) {
      options.minifyWhitespace = true;
    },
  },
  // For pages without a bundler, which would request each file.
  {
    ...library,
    name: "one file",
    entry: { browser: "mocks/standalone.ts" },
    platform: "browser",
    format: ["esm"],
    noExternal: [/^/],
    minify: true,
    splitting: false,
    // Its types are those of the two that it is made of.
    async onSuccess() {
      const parts = ['* from "./index.js"', '* from "./mocks/index.js"'];
      const lines = [...parts, 'type { VerificationLevel } from "./index.js"'];
      await writeFile("dist/browser.d.ts", lines.map((line) => `export ${line};\n`).join(""));
    },
  },
];

export default defineConfig([
  ...programs,
  {
    ...library,
    name: "types",
    format: ["esm", "cjs"],
    // No default `lib` has `Symbol.asyncDispose`, so a project without `@types/node` gets it from
    // here.
    dts: { only: true, banner: '/// <reference lib="esnext.disposable" />' },
  },
]);
