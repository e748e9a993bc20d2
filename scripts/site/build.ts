// Completes the site that TypeDoc makes: Run, Edit and the output of code, the navigation, and the
// index of the search.
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { build } from "vite";
import type { Chain } from "../../mocks/chain/chain.ts";
import * as mocks from "../../mocks/index.ts";
import { loadDemo } from "../../mocks/node.ts";
import { sitePages } from "../llms.ts";
import { packageFile } from "../package-file.ts";
import { completedPage } from "./html.ts";
import { type Block, runBlock } from "./run.ts";
import { type NavigationEntry, searchIndex } from "./search.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Blocks as they stand on a page; the first line of a program names its file. */
const FENCE = /^```(tsx?)\n([\s\S]*?)^```$/gm;
const FILE = /^\/\/ (\S+\.m?tsx?)\n/;
const IMPORT = /^import (type )?(?:\* as \w+|(\{[^}]*\})) from "([^"]+)";.*$/gm;

/** Why a block cannot run in a page; undefined if it can. */
function obstacle(language: string, code: string): string | undefined {
  if (language === "tsx") return "Needs React";
  if (!FILE.test(code)) return "Needs Node: run it on your machine";
  for (const [, type, names = "", from = ""] of code.matchAll(IMPORT)) {
    if (type || from === "mrc-explorer" || from === "mrc-explorer/mocks") continue;
    const imported = names.match(/\w+/g) ?? [];
    const isHere = (name: string) => name === "loadDemo" || name in mocks;
    if (from === "mrc-explorer/mocks/node" && imported.every(isHere)) continue;
    const isNode = from.startsWith("node:") || from.startsWith("mrc-explorer/mocks");
    return isNode ? `Needs Node: ${from}` : `Needs a package: ${from}`;
  }
  return undefined;
}

/** The names that code declares at its top. */
const declaredIn = (code: string): readonly string[] =>
  [
    ...code.matchAll(/^(?:export )?(?:const|let|class|function) (?:(\w+)|[{[]([^=]*)[}\]] =)/gm),
  ].flatMap(([, name, several = ""]) => name ?? several.match(/\w+/g) ?? []);

const withoutTypes = (code: string): string =>
  stripTypeScriptTypes(code)
    .replaceAll(/[ \t]+$/gm, "")
    .replaceAll(/^import (\{ *\} from )?"[^"]+";\n/gm, "");

interface SiteBlock extends Block {
  /** Why it cannot run. */
  readonly obstacle: string | undefined;
  /** As it stands on the page. */
  readonly source: string;
}

/** The blocks of a page, in their order. */
export function blocksOf(text: string): readonly SiteBlock[] {
  const files = new Map<string, { ran: string[]; missing: string[] }>();
  return [...text.matchAll(FENCE)].map(([, language = "", code = ""]): SiteBlock => {
    const file = FILE.exec(code)?.[1] ?? "";
    const { ran, missing } = files.get(file) ?? { ran: [], missing: [] };
    files.set(file, { ran, missing });
    const lacks = missing.find((name) => new RegExp(`\\b${name}\\b`).test(code));
    const reason =
      obstacle(language, code) ?? (lacks && `Continues a block that needs Node: ${lacks}`);
    if (reason !== undefined) {
      missing.push(...declaredIn(code));
      return { obstacle: reason, source: code, code: "", before: "" };
    }
    const block = {
      obstacle: undefined,
      source: code,
      code: withoutTypes(code),
      before: ran.join("\n"),
    };
    ran.push(block.code);
    return block;
  });
}

/** Loads the code for blocks with the first press of a button. */
const loader = (base: string) => `<script type="module">
document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.(".run > button");
  if (button) await (await import("${base}run/page.js")).press(button);
});
</script>`;

const barOf = (name: string, reason: string | undefined): string =>
  reason === undefined
    ? `<div class="run" data-block="${name}"><button type="button" name="run">Run</button><button type="button" name="edit">Edit</button></div>`
    : `<div class="run"><small>${reason}</small></div>`;

/** Adds a bar below each block of TypeScript. */
function withBars(html: string, bars: readonly string[], base: string): string {
  let index = 0;
  const changed = html.replaceAll(
    /<pre><code class="tsx?">[\s\S]*?<\/pre>/g,
    (pre) => pre + (bars[index++] ?? ""),
  );
  if (index !== bars.length) throw new Error(`the site has ${index} blocks of ${bars.length}`);
  return changed.replace("</body>", `${loader(base)}</body>`);
}

/** An entry that opens is no link: its own page is the first below it. */
function withOverview({ path, children, ...entry }: NavigationEntry): NavigationEntry {
  if (!children) return { ...entry, ...(path !== undefined && { path }) };
  const ownPage = path === undefined ? [] : [{ ...entry, text: "Overview", path }];
  return { ...entry, children: [...ownPage, ...children.map(withOverview)] };
}

const MODULE = 2;

/** Replaces the entries of the list of all pages, which the theme keeps compressed in a script. */
function rewriteNavigation(path: string): readonly NavigationEntry[] {
  const script = readFileSync(path, "utf8");
  const packed = /"(.*)"/.exec(script)?.[1] ?? "";
  const entries: readonly NavigationEntry[] = JSON.parse(
    inflateSync(Buffer.from(packed, "base64")).toString(),
  );
  const [guides, modules] = [false, true].map((isModule) =>
    entries.filter(({ kind }) => (kind === MODULE) === isModule),
  );
  const sections = [
    { text: "Guides" },
    ...(guides ?? []),
    { text: "Reference" },
    ...(modules ?? []),
  ];
  const text = JSON.stringify(sections.map(withOverview));
  writeFileSync(
    path,
    script.replace(packed, () => deflateSync(text).toString("base64")),
  );
  return modules ?? [];
}

/** Lines of a block's output that its page shows. */
const MAX_LINES = 6;

/** Returns the first lines that a block prints. A block that watches is stopped after its first line. */
async function outputOf(block: Block, chain: Chain): Promise<readonly string[]> {
  const lines: string[] = [];
  const stop = new AbortController();
  const isWatching = block.code.includes(".watch(");
  const print = (line: string) => {
    lines.push(...line.split("\n"));
    if (isWatching || lines.length > MAX_LINES) stop.abort();
  };
  const { error } = await runBlock(block, {
    ...{ print, loadChain: async () => chain.fork(), signal: stop.signal },
  });
  if (error !== undefined) throw new Error("a block of the site fails", { cause: error });
  return lines.length > MAX_LINES || isWatching ? [...lines.slice(0, MAX_LINES), "…"] : lines;
}

const isFollowedByOutput = (text: string, source: string): boolean =>
  /^```\s*```text\n/.test(text.slice(text.indexOf(source) + source.length));

/** Adds Run, Edit and the expected output to the blocks of a page, and writes the code that they run. */
async function addBlocks(site: string, path: string, file: string, chain: Chain): Promise<void> {
  const text = packageFile(path).read();
  const blocks = blocksOf(text);
  if (blocks.length === 0) return;
  const name = path.replace(/^docs\/|\.md$/g, "").replaceAll("/", "-");
  const runnable: Record<string, Block> = {};
  const bars: string[] = [];
  for (const [index, { obstacle, source, code, before }] of blocks.entries()) {
    const block = { code, before };
    bars.push(barOf(`${name} ${index}`, obstacle));
    if (obstacle !== undefined) continue;
    runnable[index] = block;
    const lines = isFollowedByOutput(text, source) ? [] : await outputOf(block, chain);
    if (lines.length > 0) bars.push(`${bars.pop()}<pre class="expected">${escaped(lines)}</pre>`);
  }
  writeFileSync(join(site, "run", `${name}.json`), JSON.stringify(runnable));
  const html = readFileSync(join(site, file), "utf8");
  writeFileSync(join(site, file), withBars(html, bars, file.includes("/") ? "../" : "./"));
}

const escaped = (lines: readonly string[]): string =>
  lines.join("\n").replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Completes a site that TypeDoc and `llms.ts` have made. */
export async function completeSite(site: string): Promise<void> {
  const folder = join(site, "run");
  mkdirSync(folder, { recursive: true });
  for (const file of globSync("**/*.html", { cwd: site }).map((name) => join(site, name)))
    writeFileSync(file, completedPage(readFileSync(file, "utf8")));
  const modules = rewriteNavigation(join(site, "assets/navigation.js"));
  writeFileSync(join(site, "assets/sections.json"), JSON.stringify(searchIndex(site, modules)));
  // The theme's own index is not used, and has a megabyte.
  writeFileSync(join(site, "assets/search.js"), "");
  cpSync(join(ROOT, "docs/card.png"), join(site, "card.png"));
  const chain = await loadDemo({ verified: true });
  for (const { path, file } of [{ path: "docs/home.md", file: "index.html" }, ...sitePages()])
    await addBlocks(site, path, file, chain);
  for (const name of ["blocks", "calls", "sources"])
    cpSync(join(ROOT, `mocks/demo/${name}.ndjson.gz`), join(folder, `${name}.ndjson.gz`));
  await build({
    ...{ configFile: false, logLevel: "warn", publicDir: false },
    build: {
      ...{ outDir: folder, emptyOutDir: false, target: "es2022", modulePreload: false },
      lib: {
        entry: join(import.meta.dirname, "page.ts"),
        formats: ["es"],
        fileName: () => "page.js",
      },
      minify: true,
    },
  });
}

if (import.meta.main) await completeSite(join(ROOT, "docs/api"));
