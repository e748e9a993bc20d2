// The releases in npm's packages of solc, and how to get a compiler that is not installed.
import { type CompilerVersion, isSince, readVersion } from "./compiler-version.ts";

/** Packages that hold another release than their version says, and the corrected ones. */
const misnamed: Readonly<Record<string, string>> = {
  "0.8.1": "0.8.0",
  "0.8.7": "0.7.5",
  "0.8.7-fixed": "0.8.7",
  "0.8.14-fixed": "0.8.14",
  "0.8.23-fixed": "0.8.23",
};

/** The first release with a standard JSON interface. */
const OLDEST = "0.4.11";

/** Releases from 0.4.11 on that no package on npm holds. */
const notOnNpm = ["0.4.12", "0.8.1"];

// The compiler in the package `solc` of this version; undefined where the text is not a version.
export const versionInPackage = (packageVersion: string): CompilerVersion | undefined =>
  readVersion(misnamed[packageVersion] ?? packageVersion);

// The package that holds a release, as every package manager takes it:
// `solc-0.8.16@npm:solc@0.8.16`.
function packageOf(release: string): string {
  const corrected = `${release}-fixed`;
  return `solc-${release}@npm:solc@${misnamed[corrected] === release ? corrected : release}`;
}

/** The package on npm to install for a compiler, or why there is none. */
export type ReleaseSource = { readonly package: string } | { readonly reason: string };

export const tooOld = (version: CompilerVersion): string | undefined =>
  isSince(version, OLDEST)
    ? undefined
    : `it is too old: compilers before ${OLDEST} have no standard JSON interface`;

export function releaseSourceOf(version: CompilerVersion): ReleaseSource {
  const { release, preview } = version;
  const reason = tooOld(version);
  if (reason !== undefined) return { reason };
  if (preview === null && !notOnNpm.includes(release)) return { package: packageOf(release) };
  return {
    reason: `npm does not have ${preview === null ? "it" : "nightly builds"}: put the soljson file from https://binaries.soliditylang.org/bin/ into a folder, and pass that with --solc DIR`,
  };
}

/** How an operator gets a compiler: the command, or why there is none. */
export function installAdvice(version: CompilerVersion): string {
  const source = releaseSourceOf(version);
  return "package" in source ? `install it with: npm i -D ${source.package}` : source.reason;
}
