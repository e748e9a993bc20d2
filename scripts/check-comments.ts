// Checks comments and names of src and mocks. `node scripts/check-comments.ts PATH…` lists the
// problems of these files.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** How many of each may be left; the rules are in CONTRIBUTING.md. */
const LIMITS = { start: 5, name: 5, wide: 60 } as const;
/** Raise this towards 0.09 as comments are rewritten; never lower it. */
const MIN_REASONS = 0.087;
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

export function problemsIn(file: string, text: string): Problem[] {
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

/** Prints the problems of these files; without files, those of the project above its limits. */
function checkFiles(wanted: readonly string[]): void {
  const isProject = wanted.length === 0;
  const files = execFileSync("git", ["ls-files", "--", ...(isProject ? ["src", "mocks"] : wanted)])
    .toString()
    .split("\n")
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(file, "utf8") }));
  const problems = files.flatMap(({ file, text }) => problemsIn(file, text));
  for (const [kind, limit] of Object.entries(LIMITS)) {
    const ofKind = problems.filter((problem) => problem.kind === kind);
    if (ofKind.length <= (isProject ? limit : 0)) continue;
    process.exitCode = 1;
    for (const { place, text } of ofKind) console.log(`${kind}\t${place}\t${text}`);
    console.log(`${kind}: ${ofKind.length}, and at most ${limit} in the project\n`);
  }
  const comments = files.flatMap(({ text }) => commentsIn(text)).map(({ comment }) => comment);
  const isExplained = (comment: string) => REASON.test(comment) || SOURCE.test(comment);
  const share = comments.filter(isExplained).length / comments.length;
  const percent = (part: number) => `${(100 * part).toFixed(1)} %`;
  console.log(
    `${comments.length} comments: ${percent(share)} say why or name a source, at least ${percent(MIN_REASONS)} in the project`,
  );
  if (isProject && share < MIN_REASONS) process.exitCode = 1;
}

if (import.meta.main) checkFiles(process.argv.slice(2));
