// Colours Solidity: comments, texts, keywords and numbers.

export interface SourceToken {
  /** Class of the style sheet; undefined for all other text. */
  readonly kind: "comment" | "string" | "word" | "digits" | undefined;
  readonly text: string;
}

const WORDS =
  "abstract|address|anonymous|as|assembly|bool|break|bytes\\d*|calldata|case|catch|constant|constructor|continue|contract|delete|do|else|emit|enum|error|event|external|fallback|false|for|from|function|if|immutable|import|indexed|interface|internal|is|let|library|mapping|memory|modifier|new|override|payable|pragma|private|public|pure|receive|return|returns|revert|require|solidity|storage|string|struct|super|switch|this|throw|true|try|type|u?int\\d*|unchecked|using|var|view|virtual|while";

const pattern = new RegExp(
  String.raw`(\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*)|("(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|\b(${WORDS})\b|\b(0x[\da-fA-F_]+|\d[\d_.]*(?:e\d+)?)\b`,
  "g",
);

const kinds = [undefined, "comment", "string", "word", "digits"] as const;

/** Longer sources are not coloured, because every token is an element. */
const LONGEST = 200_000;

/** Splits a source into tokens. Joined, they are the source. */
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
