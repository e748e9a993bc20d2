// Checks comments and names of src and mocks: `node scripts/check-comments.ts [PATH...]` lists what a reader stumbles over.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** How many of each may be left; the rules are in CONTRIBUTING.md. */
const LIMITS = { start: 5, name: 5, wide: 60 } as const;
const MIN_REASONS = 0.09;
const MAX_COLUMNS = 110;

const COMMENT = /\/\*\*([\s\S]*?)\*\/|(?:^|[^:"'`])\/\/ ?([^\n]*)/g;
const DIRECTIVE = /^(biome|@|#)/;
/** Beginnings that hide the noun of a comment: a free relative, or a preposition before its subject. */
const HIDDEN_NOUN =
  /^(What(ever)? |Who(ever|se)? |Whom |Of |By |From |Among |Besides? |Those |The same|That of|Such |Neither |Nor )/;
const REASON =
  /\b(because|since|so that|otherwise|instead|or else|would|must not|to avoid|in case)\b/i;
const SOURCE = /https?:|EIP-\d|#\d{2,}|RFC ?\d/;
const VARIABLE = /\b(?:const|let)\s+(?:\{[^}]*\}|\[[^\]]*\]|(\w+))/g;
/** Words of grammar, which do not say what a variable holds. */
const GRAMMAR = new Set(
  `one ones given found known own asked told made kept taken seen said read here there other others
   what some none all rest same thing it got had due gone`.split(/\s+/),
);

type Kind = keyof typeof LIMITS;

interface Problem {
  readonly kind: Kind;
  readonly place: string;
  readonly text: string;
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split("\n").length;

function commentsIn(text: string): { readonly line: number; readonly comment: string }[] {
  return [...text.matchAll(COMMENT)].flatMap(({ index, 1: block, 2: line }) => {
    const comment = (block ?? line ?? "").replaceAll(/^\s*\* ?/gm, "").trim();
    if (comment === "" || DIRECTIVE.test(comment)) return [];
    return [{ line: lineAt(text, index), comment }];
  });
}

function problemsIn(file: string, text: string): Problem[] {
  const problem = (kind: Kind, line: number, what: string): Problem => ({
    kind,
    place: `${file}:${line}`,
    text: what.slice(0, 100),
  });
  return [
    ...commentsIn(text)
      .filter(({ comment }) => HIDDEN_NOUN.test(comment))
      .map(({ line, comment }) => problem("start", line, comment.split("\n")[0] ?? "")),
    ...[...text.matchAll(VARIABLE)].flatMap(({ index, 1: name }) =>
      name !== undefined && GRAMMAR.has(name) ? [problem("name", lineAt(text, index), name)] : [],
    ),
    ...text.split("\n").flatMap((row, index) => {
      const isWide = row.length > MAX_COLUMNS && /^\s*(\/\/|\*|\/\*\*)/.test(row);
      return isWide ? [problem("wide", index + 1, `${row.length} columns`)] : [];
    }),
  ];
}

const wanted = process.argv.slice(2);
const paths = wanted.length > 0 ? wanted : ["src", "mocks"];
const files = execFileSync("git", ["ls-files", "--", ...paths], { encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

const problems = files.flatMap(({ file, text }) => problemsIn(file, text));
const comments = files.flatMap(({ text }) => commentsIn(text)).map(({ comment }) => comment);
const withReason = comments.filter((comment) => REASON.test(comment) || SOURCE.test(comment));

let isOver = false;
for (const [kind, limit] of Object.entries(LIMITS)) {
  const ofKind = problems.filter((problem) => problem.kind === kind);
  if (ofKind.length <= (wanted.length > 0 ? 0 : limit)) continue;
  isOver = true;
  for (const { place, text } of ofKind) console.log(`${kind}\t${place}\t${text}`);
  console.log(`${kind}: ${ofKind.length}, and at most ${limit} in the project\n`);
}
const share = withReason.length / comments.length;
console.log(
  `${comments.length} comments, ${(100 * share).toFixed(1)} % say why or name a source (at least ${100 * MIN_REASONS} % in the project)`,
);
if (isOver || (wanted.length === 0 && share < MIN_REASONS)) process.exitCode = 1;
