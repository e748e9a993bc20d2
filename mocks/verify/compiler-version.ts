// Compiler versions in the forms in use, such as "0.8.20" and "v0.8.20+commit.a1b79de6".

export interface CompilerVersion {
  /** "0.8.20". */
  readonly release: string;
  /** "nightly.2023.4.1"; null for a release. */
  readonly preview: string | null;
  /** "a1b79de6"; null if it is unknown. */
  readonly commit: string | null;
}

const VERSION_PATTERN =
  /^v?(\d{1,3}\.\d{1,3}\.\d{1,3})(?:-([\w.]{1,40}))?(?:\+commit\.([0-9a-f]{8,40})(?:\.[\w.+]{1,40})?)?$/i;

/** Returns undefined if the text is not a version. */
export function readVersion(text: string): CompilerVersion | undefined {
  const [, release, preview = null, commit = null] = VERSION_PATTERN.exec(text.trim()) ?? [];
  if (release === undefined) return undefined;
  return { release, preview, commit: commit?.toLowerCase() ?? null };
}

export function writeVersion({ release, preview, commit }: CompilerVersion): string {
  return `v${release}${preview === null ? "" : `-${preview}`}${commit === null ? "" : `+commit.${commit}`}`;
}

/** Whether two versions may be the same compiler. Ignores a commit that only one of them has. */
export function sameVersion(left: CompilerVersion, right: CompilerVersion): boolean {
  const [a, b] = [left.commit, right.commit];
  return (
    left.release === right.release &&
    left.preview === right.preview &&
    (a === null || b === null || a.startsWith(b) || b.startsWith(a))
  );
}

export function compareVersions(left: CompilerVersion, right: CompilerVersion): number {
  return left.release.localeCompare(right.release, "en", { numeric: true });
}

export function isSince(version: CompilerVersion, release: string): boolean {
  return compareVersions(version, { release, preview: null, commit: null }) >= 0;
}
