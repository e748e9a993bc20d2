// What the addresses of an answer are called: by their token, or by their verified source.
import type { ChainReader } from "../chain/reader.ts";
import type { Address } from "../chain/records.ts";
import { cutName } from "./format.ts";
import type { AddressNameWire } from "./records.ts";

function nameOf(chain: ChainReader, address: Address): AddressNameWire | undefined {
  const token = chain.token(address);
  const name = token?.name || token?.symbol;
  if (name) return { address, name: cutName(name), kind: "token" };
  const contract = chain.verified(address);
  return contract && { address, name: cutName(contract.contractName), kind: "contract" };
}

/** The names of those that have one, each address once. */
export const namesOf = (
  chain: ChainReader,
  addresses: Iterable<Address | null | undefined>,
): AddressNameWire[] =>
  [...new Set(addresses)].flatMap((address) => (address && nameOf(chain, address)) ?? []);
