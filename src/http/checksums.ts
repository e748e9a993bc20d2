// Refuses addresses with an invalid checksum (R23), because a mistyped address looks like an unused
// one: no transactions, and a balance of 0. Loaded with the first address in mixed case.
import type { ErrorDetails } from "../errors/base.ts";
import { ParameterError } from "../errors/index.ts";
import { hasChecksum } from "../models/hex.ts";
import { checksumAddress } from "../models/keccak.ts";
import type { Issue } from "../models/mismatch.ts";

/** Describes an address whose mixed case is not its checksum (EIP-55). */
export const wrongChecksum = (path: Issue["path"], received: string, right: string): Issue => ({
  path,
  expected: `an address with a valid checksum, such as ${right}`,
  received,
  problem: `invalid checksum in ${received}; did you mean ${right}? Compare all digits: one may be mistyped`,
});

/** Finds invalid checksums anywhere in parameters, even in addresses that are padded to topics. */
function* wrongIn(value: unknown, path: Issue["path"] = []): Generator<Issue> {
  if (typeof value === "string") {
    const address = value.replace(/^0x0{24}(?=.{40}$)/, "0x");
    const right = hasChecksum(address) ? checksumAddress(address) : address;
    if (right !== address) yield wrongChecksum(path, address, right);
  } else if (typeof value === "object" && value !== null)
    for (const [name, part] of Object.entries(value))
      yield* wrongIn(part, [...path, Array.isArray(value) ? Number(name) : name]);
}

/** Throws a {@link ParameterError} that names each invalid checksum and the valid one. */
export function checkChecksums(summary: string, parameters: unknown, details: ErrorDetails): void {
  const issues = [...wrongIn(parameters)];
  if (issues.length) throw new ParameterError(summary, issues, details);
}
