// The index of the site's search: each section of each page with its text, and each exported name.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sitePages } from "../llms.ts";
import { packageFile } from "../package-file.ts";
import { HEADING, textOf } from "./html.ts";

export interface Section {
  readonly page: string;
  /** Empty for the beginning of a page. */
  readonly heading: string;
  readonly url: string;
  readonly text: string;
  /** Words of a page's front matter that its text does not have. */
  readonly keywords?: string;
}

const frontMatter = (path: string, name: string): string =>
  new RegExp(`^${name}: (.*)$`, "m").exec(packageFile(path).read())?.[1] ?? "";

/** Returns the sections of a page: its beginning, and one for each heading. */
function sectionsOf(path: string, file: string, html: string): Section[] {
  const [, content = ""] =
    /<div class="col-content"[^>]*>([\s\S]*?)<div class="col-sidebar"/.exec(html) ?? [];
  const page = frontMatter(path, "title");
  const headings = [...content.matchAll(HEADING)].filter(([, level]) => level !== "1");
  const [first] = headings;
  const beginning = {
    ...{
      page,
      heading: "",
      url: file,
      text: textOf(content.slice(content.indexOf("</h1>") + 5, first?.index)),
    },
    keywords: frontMatter(path, "keywords"),
  };
  return [
    beginning,
    ...headings.map(({ index, 0: whole, 2: id, 3: heading = "" }, position) => ({
      ...{ page, heading: textOf(heading), url: `${file}#${id}` },
      text: textOf(content.slice(index + whole.length, headings[position + 1]?.index)),
    })),
  ];
}

export interface NavigationEntry {
  readonly text: string;
  readonly path?: string;
  readonly kind?: number;
  readonly children?: readonly NavigationEntry[];
}

/** Returns the exported names below a module. */
const namesIn = ({ text, path, children = [] }: NavigationEntry, module: string): Section[] => [
  ...(path === undefined
    ? []
    : [{ page: text, heading: "", url: path, text: `Exported by ${module}` }]),
  ...children.flatMap((child) => namesIn(child, module)),
];

/** The index of a site whose reference has these modules. */
export const searchIndex = (
  site: string,
  modules: readonly NavigationEntry[],
): { readonly guides: readonly Section[]; readonly reference: readonly Section[] } => ({
  guides: sitePages().flatMap(({ path, file }) =>
    sectionsOf(path, file, readFileSync(join(site, file), "utf8")),
  ),
  reference: modules.flatMap((module) => namesIn(module, module.text)),
});
