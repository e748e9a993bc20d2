// Names the addresses whose checksum is wrong, and the right ones; loaded with the first address in mixed case.
import type { ErrorDetails } from "../errors/base.ts";
import { ParameterError } from "../errors/index.ts";
import { checksumAddress } from "../models/keccak.ts";
import type { Issue } from "../models/mismatch.ts";
import type { Address } from "../models/primitives.ts";

/** An address among parameters. */
export interface FoundAddress {
  readonly path: Issue["path"];
  readonly address: Address;
}

/** What is wrong with an address, and the right spelling of its digits. */
export const wrongChecksum = (path: Issue["path"], received: string, right: string): Issue => ({
  path,
  expected: `an address with a right checksum: ${right}, if no digit is mistyped`,
  received,
});

/** Throws a {@link ParameterError} that names each address whose checksum is wrong, and the right one. */
export function checkChecksums(
  summary: string,
  found: readonly FoundAddress[],
  details: ErrorDetails,
): void {
  const issues = found.flatMap(({ path, address }) => {
    const right = checksumAddress(address);
    return right === address ? [] : [wrongChecksum(path, address, right)];
  });
  if (issues.length) throw new ParameterError(summary, issues, details);
}
