// Refuses addresses with a wrong checksum (R23): a mistyped address has no transactions and a
// balance of 0, which looks right. Loaded with the first address in mixed case.
import type { ErrorDetails } from "../errors/base.ts";
import { ParameterError } from "../errors/index.ts";
import { hasChecksum } from "../models/hex.ts";
import { checksumAddress } from "../models/keccak.ts";
import type { Issue } from "../models/mismatch.ts";

/** Describes an address whose mixed case is not the checksum of its digits (EIP-55). */
export const wrongChecksum = (path: Issue["path"], received: string, right: string): Issue => ({
  path,
  expected: `an address with a valid checksum, such as ${right}`,
  received,
  problem: `invalid checksum in ${received}; did you mean ${right}? Compare all digits: one may be mistyped`,
});

/** Finds wrong checksums anywhere in parameters, also in addresses that are padded to topics. */
function* wrongIn(value: unknown, path: Issue["path"] = []): Generator<Issue> {
  if (typeof value === "string") {
    const address = value.replace(/^0x0{24}(?=.{40}$)/, "0x");
    const right = hasChecksum(address) ? checksumAddress(address) : address;
    if (right !== address) yield wrongChecksum(path, address, right);
  } else if (typeof value === "object" && value !== null)
    for (const [name, one] of Object.entries(value))
      yield* wrongIn(one, [...path, Array.isArray(value) ? Number(name) : name]);
}

/** Throws a {@link ParameterError} that names each wrong checksum and the right one. */
export function checkChecksums(summary: string, parameters: unknown, details: ErrorDetails): void {
  const issues = [...wrongIn(parameters)];
  if (issues.length) throw new ParameterError(summary, issues, details);
}
