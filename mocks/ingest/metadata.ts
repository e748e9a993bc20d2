// Finds where a compiler left a contract's metadata: the content address it writes behind the runtime code.
import * as Base58 from "ox/Base58";
import type { Hex } from "../chain/records.ts";

/** The CBOR text keys under which a compiler stores a content address, with the length of the bytes that follow. */
const MARKS = [
  ["ipfs", "6469706673" + "5822", 34],
  ["bzzr1", "65627a7a7231" + "5820", 32],
  ["bzzr0", "65627a7a7230" + "5820", 32],
] as const;

/** `ipfs://Qm…`, `bzzr1://…`, `bzzr0://…`; empty where the code has no metadata. */
export function metadataAddress(code: Hex): string {
  // The last two bytes count the bytes of the metadata before them.
  const length = Number.parseInt(code.slice(-4), 16);
  const tail = code.slice(Math.max(2, code.length - 4 - 2 * length), -4);
  for (const [scheme, mark, bytes] of MARKS) {
    const at = tail.indexOf(mark);
    const content = tail.slice(at + mark.length, at + mark.length + 2 * bytes);
    if (at < 0 || content.length < 2 * bytes) continue;
    return `${scheme}://${scheme === "ipfs" ? Base58.fromHex(`0x${content}`) : content}`;
  }
  return "";
}
