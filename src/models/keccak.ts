// What Keccak is for: the checksums of addresses (EIP-55), and the topics of events. Clients load it with the first address in mixed case.
import { keccak256 } from "ox/Hash";
import type { Address, Hash } from "./primitives.ts";

const keccakOf = (text: string): Hash => keccak256(new TextEncoder().encode(text), { as: "Hex" });

/**
 * The address in upper and lower case letters that are its checksum (EIP-55).
 *
 * @example
 * checksumAddress("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"); // "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
 */
export function checksumAddress(address: Address): Address {
  const digits = address.slice(2).toLowerCase();
  const hash = keccakOf(digits).slice(2);
  const cased = Array.from(digits, (digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join("")}`;
}

/**
 * The topic of an event: the hash of its name with the types of its parameters.
 *
 * @example
 * const topic_0 = eventTopic("Transfer(address,address,uint256)");
 * const { count } = await explorer.eventLogs.list({ address: token, topic_0, limit: 1 });
 */
export const eventTopic = (event: string): Hash => keccakOf(event);
