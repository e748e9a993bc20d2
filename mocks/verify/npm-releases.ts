// The releases that npm's packages of solc contain, and how to install a missing compiler.
import { type CompilerVersion, isSince, readVersion } from "./compiler-version.ts";

/** Releases in packages whose version names another release, and in the corrected packages. */
const misnamed: Readonly<Record<string, string>> = {
  "0.8.1": "0.8.0",
  "0.8.7": "0.7.5",
  "0.8.7-fixed": "0.8.7",
  "0.8.14-fixed": "0.8.14",
  "0.8.23-fixed": "0.8.23",
};

/** The first release with a standard JSON interface. */
const OLDEST = "0.4.11";

/** Releases since 0.4.11 that are not on npm. */
const notOnNpm = ["0.4.12", "0.8.1"];

/** Returns the release in a package of solc; undefined if the text is not a version. */
export const versionInPackage = (packageVersion: string): CompilerVersion | undefined =>
  readVersion(misnamed[packageVersion] ?? packageVersion);

/** Names the package of a release for every package manager: `solc-0.8.16@npm:solc@0.8.16`. */
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

/** Says how to install a compiler, or why npm does not have it. */
export function installAdvice(version: CompilerVersion): string {
  const source = releaseSourceOf(version);
  return "package" in source ? `install it with: npm i -D ${source.package}` : source.reason;
}
