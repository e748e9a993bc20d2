// Writes llms.txt (a list of all pages) and llms-full.txt (all pages as one text) into the site,
// for agents.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packageFile } from "./package-file.ts";

const SITE = "https://mrc-explorer.github.io/mrc-explorer";

/** The pages that lead to the others, in the order of the site's navigation. */
const doors = [
  ...["get-started.md", "use-the-client.md", "test-your-dapp.md", "run-an-explorer.md"],
  "project.md",
].map((name) => `docs/${name}`);

interface Page {
  readonly path: string;
  readonly title: string;
  readonly text: string;
  readonly children: readonly string[];
}

function pageAt(path: string): Page {
  const text = packageFile(path).read();
  const [, head = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const [, title = ""] = /^title: (.*)$/m.exec(head) ?? [];
  if (title === "") throw new Error(`${path} has no title in its front matter`);
  const children = [...head.matchAll(/^ {2}- (.*)$/gm)].map(([, child = ""]) =>
    join(dirname(path), child),
  );
  return { path, title, text: body.trim(), children };
}

/** Where the site shows a page: a file named after it, and after the page that leads to it. */
const fileOf = (...pages: readonly Page[]): string =>
  `documents/${pages.map(({ title }) => title.replaceAll(" ", "_")).join(".")}.html`;
const addressOf = (...pages: readonly Page[]): string => `${SITE}/${fileOf(...pages)}`;

/** Each page of the documentation, and the file of the site that shows it. */
export const sitePages = (): readonly { readonly path: string; readonly file: string }[] =>
  doors
    .map(pageAt)
    .flatMap((door) => [
      { path: door.path, file: fileOf(door) },
      ...door.children.map((child) => ({ path: child, file: fileOf(door, pageAt(child)) })),
    ]);

/** Returns the description of a page: the text after its link on the page that leads to it. */
function descriptionOf(door: Page, child: Page): string {
  const link = child.path.slice(`${dirname(door.path)}/`.length);
  const line = door.text.split("\n").find((one) => one.includes(`](${link})`)) ?? "";
  const text = line.split(`](${link})`)[1] ?? "";
  return text.replace(/^[:,]\s*/, "").replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1");
}

/** The two files by name. */
export function llmsFiles(): Readonly<Record<string, string>> {
  const sections = doors.map((path) => {
    const door = pageAt(path);
    return { door, children: door.children.map(pageAt) };
  });
  const { description } = JSON.parse(packageFile("package.json").read());
  const list = sections.flatMap(({ door, children }) => [
    `## ${door.title}`,
    [door, ...children]
      .map((page) => {
        if (page === door) return `- [${page.title}](${addressOf(page)})`;
        const about = descriptionOf(door, page);
        return `- [${page.title}](${addressOf(door, page)})${about && `: ${about}`}`;
      })
      .join("\n"),
  ]);
  const texts = sections
    .flatMap(({ door, children }) => [door, ...children])
    .map(({ text }) => text);
  return {
    "llms.txt": `${["# mrc-explorer", `> ${description}`, `All pages as one text: ${SITE}/llms-full.txt`, ...list].join("\n\n")}\n`,
    "llms-full.txt": `${texts.join("\n\n")}\n`,
  };
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, "../docs/api");
  // The site's own page of each title must be there, or a link is dead.
  for (const [name, text] of Object.entries(llmsFiles())) {
    for (const [, page = ""] of text.matchAll(/\/(documents\/[\w.,]+\.html)\)/g))
      readFileSync(join(folder, page));
    writeFileSync(join(folder, name), text);
  }
}
