// Changes the pages of the site where TypeDoc has no option: landmarks, headings, anchors, and the
// card for links.

const SITE = "https://mrc-explorer.github.io/mrc-explorer/";

/** Removes tags, and the icon that links to a heading. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<a [^>]*class="tsd-anchor-icon"[\s\S]*?<\/a>/g, "")
    .replaceAll(/<\/?(?:a|b|code|em|i|span|strong)\b[^>]*>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim();

export const HEADING = /<h([1-6])\b[^>]*\bid="([^"]+)"[^>]*>([\s\S]*?)<\/h\1>/g;

/** Names the landmarks and removes links within buttons, because TypeDoc's theme fails both rules. */
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
    // The keyboard must reach a table that scrolls.
    .replaceAll("<table>", '<table tabindex="0">');

/** Lets no heading skip a level, because the theme chooses levels by their size. */
function withLevels(html: string): string {
  let level = 0;
  return html.replaceAll(/<(\/?)h([1-6])(?=[ >])/g, (_, end: string, size: string) => {
    if (end === "") level = Math.min(Number(size), level + 1);
    return `<${end}h${level}`;
  });
}

/** Restores code in "On this page", which the theme drops from its entries. */
function withWholeContents(html: string): string {
  const names = new Map([...html.matchAll(HEADING)].map(([, , id, text = ""]) => [id, text]));
  return html.replaceAll(/<a href="#([^"]+)"><span>[^<]*<\/span><\/a>/g, (link, id: string) => {
    const name = textOf(names.get(id) ?? "");
    const escaped = name.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    return name === "" ? link : `<a href="#${id}"><span>${escaped}</span></a>`;
  });
}

/** Gives each error code and each reason of a ListError an anchor: `#not_found`, `#offset_ignored`. */
const withErrorAnchors = (html: string): string =>
  html.replaceAll(
    /<tr>\s*<td><code>([A-Z][A-Z_]+)<\/code><\/td>/g,
    (_, code: string) => `<tr id="${code.toLowerCase()}"><td><code>${code}</code></td>`,
  );

/** Adds the title, description and picture that other sites show for a link to the page. */
function withCard(html: string): string {
  const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? "mrc-explorer";
  const description = "A typed client for MRC block explorers, and a mock explorer for your tests.";
  const tags = Object.entries({
    "og:title": title,
    "og:description": description,
    "og:type": "website",
    "og:image": `${SITE}card.png`,
    "twitter:card": "summary_large_image",
  }).map(([name, content]) => `<meta property="${name}" content="${content}"/>`);
  return html.replace("</head>", `${tags.join("")}</head>`);
}

export const completedPage = (html: string): string =>
  [withLandmarks, withLevels, withWholeContents, withErrorAnchors, withCard].reduce(
    (page, change) => change(page),
    html,
  );
