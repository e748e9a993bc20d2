// The files of a verified source: one text, or the JSON of several files as compilers take it.

export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

export function filesOf(source: string, name: string): readonly SourceFile[] {
  const whole = [{ name, text: source }];
  if (!source.trimStart().startsWith("{")) return whole;
  try {
    // Explorers wrap the JSON in another pair of braces.
    const parsed: unknown = JSON.parse(source.replace(/^\s*\{(\{[\s\S]*\})\}\s*$/, "$1"));
    const sources: unknown = Object(parsed).sources ?? parsed;
    const files = Object.entries(Object(sources)).flatMap(([path, file]) => {
      const { content } = Object(file);
      return typeof content === "string" ? [{ name: path, text: content }] : [];
    });
    return files.length > 0 ? files : whole;
  } catch {
    return whole;
  }
}
