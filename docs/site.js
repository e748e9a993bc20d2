// The site's menu and search, in place of what TypeDoc's script does.
const menu = document.getElementById("tsd-nav-container");

/** Moves a page's link out of the element that opens the pages below it, so that keyboards reach both. */
function separateLinks() {
  for (const link of menu.querySelectorAll("summary > a")) {
    const { parentElement: summary } = link;
    summary.setAttribute("aria-label", `Pages of ${link.textContent}`);
    summary.parentElement.before(link);
  }
}

// TypeDoc fills the menu once its data has arrived.
new MutationObserver(separateLinks).observe(menu, { childList: true });

const field = document.getElementById("tsd-search-input");
const list = document.getElementById("tsd-search-results");
const status = document.getElementById("tsd-search-status");
const { base } = document.documentElement.dataset;

const STOP_WORDS = new Set(
  "a all an and are as at be by can do does every for from get how i in is it its me my of on or that the this through to use what when where with you".split(
    " ",
  ),
);

/** Reduces a word to a stem, so that "pagination" finds "paginate" and "pages". */
const stem = (word) =>
  word.length < 4 ? word : word.replace(/(ations?|ating|ate[sd]?|ings?|ers?|e[sd]|s|e)$/, "");
const wordsOf = (text) => text.toLowerCase().match(/[a-z0-9_.]*[a-z0-9_]/g) ?? [];
const stemsOf = (text) => wordsOf(text).map(stem);

let loading;
const loadIndex = () => {
  loading ??= fetch(`${base}assets/sections.json`)
    .then((response) => response.json())
    .then(({ guides, reference }) => ({
      guides: guides.map((section) => ({
        ...section,
        names: stemsOf(`${section.page} ${section.keywords ?? ""}`),
        headings: stemsOf(section.heading),
        stems: stemsOf(section.text),
      })),
      reference,
    }));
  return loading;
};

const countOf = (stems, term) => stems.filter((one) => one.startsWith(term)).length;

/** Returns sections with their scores: a word weighs more if few sections have it, and in headings. */
function rankGuides(guides, terms) {
  const weights = terms.map((term) => {
    const having = guides.filter(({ stems, headings, names }) =>
      [...names, ...headings, ...stems].some((one) => one.startsWith(term)),
    );
    return Math.log(1 + guides.length / (1 + having.length));
  });
  return guides.map((section) => {
    let matched = 0;
    let score = 0;
    for (const [index, term] of terms.entries()) {
      const hits =
        (section.heading === "" ? 8 : 2) * Math.min(1, countOf(section.names, term)) +
        4 * Math.min(1, countOf(section.headings, term)) +
        Math.min(3, Math.log2(1 + countOf(section.stems, term)));
      if (hits > 0) matched++;
      score += hits * weights[index];
    }
    return { section, score: score * (matched / terms.length) ** 2 };
  });
}

/** Returns exported names that begin with the query, or contain it. */
const rankNames = (reference, query) =>
  reference.flatMap((section) => {
    const name = section.page.toLowerCase();
    if (!name.includes(query)) return [];
    return [{ section, score: name === query ? 100 : name.startsWith(query) ? 12 : 3 }];
  });

/** Appends text with its matching words marked. */
function appendMarked(element, text, terms) {
  for (const part of text.split(/([a-z0-9_.]*[a-z0-9_])/i)) {
    const isMatch = terms.some((term) => stem(part.toLowerCase()).startsWith(term));
    element.append(
      isMatch ? Object.assign(document.createElement("mark"), { textContent: part }) : part,
    );
  }
}

/** Returns the part of a text around its first matching word. */
function snippetOf(text, terms) {
  const words = text.split(" ");
  const at = words.findIndex((word) => terms.some((term) => stemsOf(word)[0]?.startsWith(term)));
  const start = Math.max(0, at - 6);
  const end = start + 24;
  return `${start > 0 ? "… " : ""}${words.slice(start, end).join(" ")}${end < words.length ? " …" : ""}`;
}

function resultOf({ section }, index, terms) {
  const item = document.createElement("li");
  Object.assign(item, { id: `search-result-${index}`, role: "option", ariaSelected: "false" });
  const link = document.createElement("a");
  Object.assign(link, { href: base + section.url, tabIndex: -1 });
  const title = document.createElement("strong");
  appendMarked(
    title,
    section.heading ? `${section.page} › ${section.heading}` : section.page,
    terms,
  );
  const snippet = document.createElement("span");
  appendMarked(snippet, snippetOf(section.text, terms), terms);
  link.append(title, snippet);
  item.append(link);
  return item;
}

async function search() {
  const query = field.value.trim().toLowerCase();
  const { guides, reference } = await loadIndex();
  if (query !== field.value.trim().toLowerCase()) return;
  const words = wordsOf(query);
  const meaningful = words.filter((word) => !STOP_WORDS.has(word));
  const terms = (meaningful.length > 0 ? meaningful : words).map(stem);
  const perPage = new Map();
  const results = [
    ...rankGuides(guides, terms),
    ...(words.length === 1 ? rankNames(reference, query) : []),
  ]
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .filter(({ section }) => {
      const count = (perPage.get(section.page) ?? 0) + 1;
      perPage.set(section.page, count);
      return count <= 2;
    })
    .slice(0, 10);
  list.replaceChildren(...results.map((result, index) => resultOf(result, index, terms)));
  status.textContent =
    query !== "" && results.length === 0 ? `Nothing found for "${field.value}"` : "";
}

status.textContent = "";

// Before TypeDoc's own listener, which searches names only.
document.addEventListener(
  "input",
  (event) => {
    if (event.target !== field) return;
    event.stopImmediatePropagation();
    void search();
  },
  true,
);
