// Finds addresses with a checksum, which may be wrong (R23): a mistyped address has no transactions and a balance of 0, which looks right.
import { hasChecksum } from "../models/hex.ts";
import type { Issue } from "../models/mismatch.ts";
import type { FoundAddress } from "./wrong-checksums.ts";

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

/** Loads the code that looks at checksums. */
export const loadCheck = () => import("./wrong-checksums.ts");
