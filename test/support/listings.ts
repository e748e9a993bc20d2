// All records of a listing, for tests that compare whole lists.
import type { Listing } from "../../mocks/chain/reader.ts";

export function items<T>(listing: Listing<T>): T[] {
  return Array.from({ length: listing.count }, (_, index) => listing.at(index));
}
