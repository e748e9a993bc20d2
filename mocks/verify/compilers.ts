// The compilers that a verifier may use. It looks for new ones when a version is missing.
import {
  type CompilerVersion,
  compareVersions,
  readVersion,
  sameVersion,
  writeVersion,
} from "./compiler-version.ts";

export interface Compiler {
  /** Version in the package or file name, which the loaded compiler may correct. */
  readonly version: CompilerVersion;
  /** The path of its soljson file; in a browser its address. */
  readonly file: string;
}

export class Compilers {
  readonly #look: () => readonly Compiler[];
  readonly #advice: (version: CompilerVersion) => string;
  /** Versions that loaded compilers report. A package's version has no commit and may be wrong. */
  readonly #own = new Map<string, CompilerVersion>();
  #found: readonly Compiler[];

  /** `look` finds the installed compilers. `advice` says how to install a missing one. */
  constructor(look: () => readonly Compiler[], advice: (version: CompilerVersion) => string) {
    this.#look = look;
    this.#advice = advice;
    this.#found = look();
  }

  /** The available compilers, the oldest first. */
  get all(): readonly Compiler[] {
    return this.#found
      .map(({ file, version }) => ({ file, version: this.#own.get(file) ?? version }))
      .sort((one, other) => compareVersions(one.version, other.version));
  }

  /** Notes the version that a loaded compiler reports. */
  noteVersion(file: string, version: CompilerVersion): void {
    this.#own.set(file, version);
  }

  /** Finds the compiler of a version. Looks again for one that was installed meanwhile. */
  find(requested: CompilerVersion): Compiler | undefined {
    const match = () => this.all.find(({ version }) => sameVersion(version, requested));
    const available = match();
    if (available !== undefined) return available;
    this.#found = this.#look();
    return match();
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
