// The compilers a verifier may use: those found when it started, and those found since.
import {
  type CompilerVersion,
  compareVersions,
  readVersion,
  sameRelease,
  sameVersion,
  writeVersion,
} from "./compiler-version.ts";

export interface Compiler {
  /** As known without loading the compiler. */
  readonly version: CompilerVersion;
  /** The path of its soljson file; in a browser its address. */
  readonly file: string;
}

export class Compilers {
  readonly #look: () => readonly Compiler[];
  readonly #advice: (version: CompilerVersion) => string;
  // The compilers' own versions, once loaded: a package's version has no commit, and may be wrong.
  readonly #own = new Map<string, CompilerVersion>();
  #found: readonly Compiler[];

  /** `look` finds those that are installed now. */
  constructor(look: () => readonly Compiler[], advice: (version: CompilerVersion) => string) {
    this.#look = look;
    this.#advice = advice;
    this.#found = look();
  }

  /** The available compilers, by their own versions where these are known. */
  get all(): readonly Compiler[] {
    return this.#found
      .map(({ file, version }) => ({ file, version: this.#own.get(file) ?? version }))
      .sort((one, other) => compareVersions(one.version, other.version));
  }

  /** Notes what a compiler calls itself once it is loaded. */
  noteVersion(file: string, version: CompilerVersion): void {
    this.#own.set(file, version);
  }

  // The compiler of a version, or else another build of its release. If neither is known, looks for
  // compilers again: one may have been installed meanwhile.
  find(requested: CompilerVersion): Compiler | undefined {
    const available = this.#match(requested);
    if (available !== undefined) return available;
    this.#found = this.#look();
    return this.#match(requested);
  }

  #match(requested: CompilerVersion): Compiler | undefined {
    const { all } = this;
    return (
      all.find(({ version }) => sameVersion(version, requested)) ??
      all.find(({ version }) => sameRelease(version, requested))
    );
  }

  /** Why a requested compiler cannot be used, and what to do. */
  missing(requested: string): string {
    const versions = this.all.map((compiler) => writeVersion(compiler.version));
    return [
      `No compiler ${JSON.stringify(requested.slice(0, 80))}`,
      this.#reason(requested),
      `available: ${versions.join(", ") || "none"}`,
    ].join("; ");
  }

  #reason(requested: string): string {
    if (/^vyper/i.test(requested)) return "Vyper is not supported: only Solidity is compiled here";
    const version = readVersion(requested);
    if (version === undefined)
      return "expected a version such as v0.8.20+commit.a1b79de6 or 0.8.20";
    const { release, commit } = version;
    const installed = this.all.find((compiler) => compiler.version.release === release)?.version;
    return commit !== null && installed?.commit
      ? `commit ${commit} is not one of ${release}: expected ${installed.commit}`
      : this.#advice(version);
  }
}
