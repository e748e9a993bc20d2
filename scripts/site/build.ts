// Completes the site that TypeDoc makes: Run and Edit on blocks of code, and the files that they
// load.
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { deflateSync, gzipSync, inflateSync } from "node:zlib";
import { build } from "vite";
import * as mocks from "../../mocks/index.ts";
import { Chain, loadDemo } from "../../mocks/node.ts";
import { sitePages } from "../llms.ts";
import { packageFile } from "../package-file.ts";
import { type ChainParts, packedChain } from "./demo-chain.ts";
import type { Block } from "./run.ts";

/** Returns the parts of the demo chain. */
export async function demoParts(): Promise<ChainParts> {
  const inputs: mocks.BlockInput[] = [];
  const lists: Record<string, unknown[]> = {};
  const { append, applyHeadState } = Chain.prototype;
  Chain.prototype.append = function (input, ...more) {
    inputs.push(input);
    append.call(this, input, ...more);
  };
  Chain.prototype.applyHeadState = function (state) {
    const stateLists = Object.entries(state).map(
      ([name, list]) => [name, [...(list ?? [])]] as const,
    );
    for (const [name, list] of stateLists) lists[name] = [...(lists[name] ?? []), ...list];
    applyHeadState.call(this, Object.fromEntries(stateLists));
  };
  try {
    const { chainId } = await loadDemo({ verified: true });
    return { chainId, inputs, state: lists };
  } finally {
    Object.assign(Chain.prototype, { append, applyHeadState });
  }
}

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

/** A page with a bar below each block of TypeScript. */
function withBars(html: string, page: string, blocks: readonly SiteBlock[], base: string): string {
  let index = 0;
  const changed = html.replaceAll(/<pre><code class="tsx?">[\s\S]*?<\/pre>/g, (pre) => {
    const bar = barOf(`${page} ${index}`, blocks[index]?.obstacle);
    index++;
    return pre + bar;
  });
  if (index !== blocks.length)
    throw new Error(`${page}: the site has ${index} blocks of ${blocks.length}`);
  return changed.replace("</body>", `${loader(base)}</body>`);
}

/**
 * Adds landmarks with names, and removes links within buttons. TypeDoc's theme fails both rules of
 * accessibility.
 */
const withLandmarks = (html: string): string =>
  html
    .replace('<div class="col-content">', '<div class="col-content" role="main">')
    .replace(
      '<div class="col-sidebar">',
      '<div class="col-sidebar" role="complementary" aria-label="Pages">',
    )
    .replace('<nav id="tsd-sidebar-links"', '$& aria-label="Elsewhere"')
    .replace('<nav class="tsd-navigation">', '<nav class="tsd-navigation" aria-label="All pages">')
    .replaceAll(/<summary[\s\S]*?<\/summary>/g, (summary) =>
      summary.replaceAll(/<a [^>]*class="tsd-anchor-icon">[\s\S]*?<\/a>/g, ""),
    )
    // The corner of a table is no header.
    .replaceAll("<th></th>", "<td></td>")
    // The theme's list of a page leaves out the text of headings that are code.
    .replaceAll(/<li><a href="#_[^"]*"><span><\/span><\/a><\/li>/g, "");

/** The page with headings that skip no level: the theme chooses levels by their size. */
function withLevels(html: string): string {
  let level = 0;
  return html.replaceAll(/<(\/?)h([1-6])(?=[ >])/g, (_, end: string, given: string) => {
    if (end === "") level = Math.min(Number(given), level + 1);
    return `<${end}h${level}`;
  });
}

interface NavigationEntry {
  readonly text: string;
  readonly path?: string;
  readonly kind?: number;
  readonly children?: readonly NavigationEntry[];
}

/** An entry that opens is no link: its own page is the first below it. */
function withOverview({ path, children, ...entry }: NavigationEntry): NavigationEntry {
  if (!children) return { ...entry, ...(path !== undefined && { path }) };
  const ownPage = path === undefined ? [] : [{ ...entry, text: "Overview", path }];
  return { ...entry, children: [...ownPage, ...children.map(withOverview)] };
}

/** The list of all pages, which the theme keeps compressed and shows by a script. */
function withOverviews(script: string): string {
  const packed = /"(.*)"/.exec(script)?.[1] ?? "";
  const entries: NavigationEntry[] = JSON.parse(
    inflateSync(Buffer.from(packed, "base64")).toString(),
  );
  const text = JSON.stringify(entries.map(withOverview));
  return script.replace(packed, () => deflateSync(text).toString("base64"));
}

/** Adds landmarks, Run and Edit to a site that TypeDoc and `llms.ts` have made. */
export async function addRuns(site: string): Promise<void> {
  for (const file of globSync("**/*.html", { cwd: site }).map((name) => join(site, name)))
    writeFileSync(file, withLevels(withLandmarks(readFileSync(file, "utf8"))));
  const navigation = join(site, "assets/navigation.js");
  writeFileSync(navigation, withOverviews(readFileSync(navigation, "utf8")));
  const folder = join(site, "run");
  mkdirSync(folder, { recursive: true });
  for (const { path, file } of [{ path: "docs/home.md", file: "index.html" }, ...sitePages()]) {
    const blocks = blocksOf(packageFile(path).read());
    if (blocks.length === 0) continue;
    const name = path.replace(/^docs\/|\.md$/g, "").replaceAll("/", "-");
    const shown = blocks.flatMap(({ obstacle: reason, code, before }, index) =>
      reason === undefined ? [[`${index}`, { code, before }] as const] : [],
    );
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(Object.fromEntries(shown)));
    const html = readFileSync(join(site, file), "utf8");
    const base = file.includes("/") ? "../" : "./";
    writeFileSync(join(site, file), withBars(html, name, blocks, base));
  }
  for (const [name, value] of Object.entries(packedChain(await demoParts())))
    writeFileSync(join(folder, `${name}.json.gz`), gzipSync(JSON.stringify(value), { level: 9 }));
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

if (import.meta.main) await addRuns(join(import.meta.dirname, "../../docs/api"));
