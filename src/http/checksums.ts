// Refuses addresses whose checksum is wrong (R23): a mistyped address has no transactions and a balance of 0, which looks right.
import type { ErrorDetails } from "../errors/base.ts";
import { ParameterError } from "../errors/index.ts";
import { hasChecksum } from "../models/hex.ts";
import type { Issue } from "../models/mismatch.ts";
import type { Address } from "../models/primitives.ts";

/** An address among parameters. */
interface FoundAddress {
  readonly path: Issue["path"];
  readonly address: Address;
}

/** The addresses in mixed case among parameters, also as topics. */
export function checksummedIn(value: unknown, path: Issue["path"] = []): FoundAddress[] {
  if (typeof value === "string") {
    const address = value.replace(/^0x0{24}(?=.{40}$)/, "0x");
    return hasChecksum(address) ? [{ path, address }] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    typeof one === "string" && one.length !== 42 && one.length !== 66
      ? []
      : checksummedIn(one, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

/** What is wrong with an address, and the right spelling of its digits. */
export const wrongChecksum = (path: Issue["path"], received: string, right: string): Issue => ({
  path,
  expected: `an address with a right checksum: ${right}, if no digit is mistyped`,
  received,
});

/** Throws a {@link ParameterError} that names each address whose checksum is wrong, and the right one. */
export async function checkChecksums(
  summary: string,
  found: readonly FoundAddress[],
  details: ErrorDetails,
): Promise<void> {
  const { checksumAddress } = await import("../models/keccak.ts");
  const issues = found.flatMap(({ path, address }) => {
    const right = checksumAddress(address);
    return right === address ? [] : [wrongChecksum(path, address, right)];
  });
  if (issues.length) throw new ParameterError(summary, issues, details);
}
