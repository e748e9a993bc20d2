// The size of each helper in a page that imports nothing else, bundled by four bundlers from the
// packed package.
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Consumer, createConsumer, hasTools } from "./consumer.ts";

/** Bytes, minified and compressed. */
const limit = 1550;
const helpers = [
  ...["recordKey", "formatTokenAmount", "sameAddress", "topicsOf", "limits"],
  ...["isExplorerError", "ParameterError", "RateLimitError", "ResponseValidationError"],
];

/** A program that bundles `<name>.mjs` for each helper, and prints the code of each as JSON. */
const bundlers = {
  esbuild: `import { build } from "esbuild";
    const { outputFiles } = await build({ entryPoints, bundle: true, minify: true, format: "esm", outdir: "out", write: false });
    print(outputFiles.map(({ text }) => text));`,
  rollup: `import { transform } from "esbuild";
    import { rollup } from "rollup";
    import { nodeResolve } from "@rollup/plugin-node-resolve";
    print(await Promise.all(entryPoints.map(async (input) => {
      const bundle = await rollup({ input, plugins: [nodeResolve({ browser: true })] });
      const { output: [{ code }] } = await bundle.generate({ format: "es", inlineDynamicImports: true });
      return (await transform(code, { minify: true })).code;
    })));`,
  vite: `import { build } from "vite";
    const codes = [];
    for (const input of entryPoints) {
      const { output } = await build({ configFile: false, logLevel: "error", build: {
        write: false, modulePreload: { polyfill: false }, target: "es2022",
        rolldownOptions: { input, preserveEntrySignatures: "strict" } } });
      codes.push(output.find(({ isEntry }) => isEntry).code);
    }
    print(codes);`,
  webpack: `import { readFileSync } from "node:fs";
    import webpack from "webpack";
    const entry = Object.fromEntries(names.map((name) => [name, "./" + name + ".mjs"]));
    webpack({ mode: "production", devtool: false, target: ["web", "es2022"], entry, experiments: { outputModule: true },
      output: { path: process.cwd() + "/out", filename: "[name].webpack.js", module: true, library: { type: "module" } } },
      (error, stats) => {
        if (error || stats.hasErrors()) throw error ?? new Error(stats.toString());
        print(names.map((name) => readFileSync("out/" + name + ".webpack.js", "utf8")));
      });`,
};

let project: Consumer;
beforeAll(() => {
  const rollupPackages = ["rollup=rollup-4", "@rollup/plugin-node-resolve"];
  project = createConsumer(["esbuild", "vite", "webpack", ...rollupPackages], [], "npm init");
  for (const name of helpers)
    project.write(`${name}.mjs`, `export { ${name} } from "mrc-explorer";`);
});
afterAll(() => project?.remove());

test.skipIf(!hasTools).each(Object.entries(bundlers))("%s", (bundler, program) => {
  project.write(
    `${bundler}.build.mjs`,
    `const names = ${JSON.stringify(helpers)};
     const entryPoints = names.map((name) => name + ".mjs");
     const print = (codes) => console.log(JSON.stringify(codes));
     ${program}`,
  );
  const ran = project.node([`${bundler}.build.mjs`]);
  expect(ran).toMatchObject({ code: 0 });
  const codes = JSON.parse(ran.stdout) as string[];
  const sizes = codes.map((code, index) => [helpers[index], gzipSync(code).length] as const);
  expect(sizes).toHaveLength(helpers.length);
  for (const [name, size] of sizes) expect(size, `${name} by ${bundler}`).toBeGreaterThan(50);
  expect(sizes.filter(([, size]) => size > limit)).toEqual([]);
});
