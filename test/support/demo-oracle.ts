// The truth about the demo chain, as its node told it by other methods than those of the recording.
import type { Address, Hash } from "../../mocks/chain/records.ts";
import { DEMO, readZipped } from "./chains.ts";

export interface DemoOracle {
  readonly head: number;
  readonly nativeBalances: Readonly<Record<Address, string>>;
  readonly transactions: readonly {
    readonly hash: Hash;
    readonly block: number;
    readonly index: number;
    readonly from: Address;
    readonly to: Address | null;
    readonly created: Address | null;
    readonly status: string;
  }[];
  readonly miners: readonly Address[];
  readonly logs: Readonly<
    Record<Address, { readonly all: string[]; readonly transfers: string[] }>
  >;
}

export function readDemoOracle(): DemoOracle {
  return JSON.parse(readZipped(DEMO, "oracle.json.gz"));
}
