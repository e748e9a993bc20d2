// The files of a verified source: one text, or the JSON of several files as compilers take it.
import { asObject } from "../../../src/models/json.ts";

export interface SourceText {
  readonly name: string;
  readonly text: string;
}

export function filesOf(source: string, name: string): readonly SourceText[] {
  const whole = [{ name, text: source }];
  if (!source.trimStart().startsWith("{")) return whole;
  try {
    // Explorers wrap the JSON in another pair of braces.
    const parsed: unknown = JSON.parse(source.replace(/^\s*\{(\{[\s\S]*\})\}\s*$/, "$1"));
    const sources: unknown = asObject(parsed).sources ?? parsed;
    const files = Object.entries(asObject(sources)).flatMap(([path, file]) => {
      const { content } = asObject(file);
      return typeof content === "string" ? [{ name: path, text: content }] : [];
    });
    return files.length > 0 ? files : whole;
  } catch {
    return whole;
  }
}

export interface SourceToken {
  /** A class of the style sheet; undefined for the rest. */
  readonly kind: "comment" | "string" | "word" | "digits" | undefined;
  readonly text: string;
}

const WORDS =
  "abstract|address|anonymous|as|assembly|bool|break|bytes\\d*|calldata|case|catch|constant|constructor|continue|contract|delete|do|else|emit|enum|error|event|external|fallback|false|for|from|function|if|immutable|import|indexed|interface|internal|is|let|library|mapping|memory|modifier|new|override|payable|pragma|private|public|pure|receive|return|returns|revert|require|solidity|storage|string|struct|super|switch|this|throw|true|try|type|u?int\\d*|unchecked|using|var|view|virtual|while";

const pattern = new RegExp(
  [
    "(\\/\\*[\\s\\S]*?(?:\\*\\/|$)|\\/\\/[^\\n]*)",
    "(\"(?:\\\\.|[^\"\\\\\\n])*\"?|'(?:\\\\.|[^'\\\\\\n])*'?)",
    `\\b(${WORDS})\\b`,
    "\\b(0x[\\da-fA-F_]+|\\d[\\d_.]*(?:e\\d+)?)\\b",
  ].join("|"),
  "g",
);

const kinds = [undefined, "comment", "string", "word", "digits"] as const;

/** Longer sources stay in one colour. */
const LONGEST = 200_000;

/** The tokens, which together are the source. */
export function highlight(source: string): readonly SourceToken[] {
  if (source.length > LONGEST) return [{ kind: undefined, text: source }];
  const tokens: SourceToken[] = [];
  let end = 0;
  for (const match of source.matchAll(pattern)) {
    if (match.index > end) tokens.push({ kind: undefined, text: source.slice(end, match.index) });
    const group = match.findIndex((part, index) => index > 0 && part !== undefined);
    tokens.push({ kind: kinds[group], text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < source.length) tokens.push({ kind: undefined, text: source.slice(end) });
  return tokens;
}
