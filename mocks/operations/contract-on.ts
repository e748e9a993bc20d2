// Reads a contract from a chain for the verifier: its code, and the code that created it.
import { eventTopic } from "../../src/contract/event-topic.ts";
import type { ChainReader, Listing } from "../chain/reader.ts";
import type { Address, ChainTransaction, Hex } from "../chain/records.ts";
import { pauseIfBusy } from "../message/event-loop.ts";
import { proxyIn } from "./proxy.ts";
import type { OnChainContract, ProxyContract } from "./verifier.ts";

/** Maps a list and drops undefined. Pauses, so that a long list does not block the service. */
async function collect<Entry, Value>(
  list: Listing<Entry>,
  pick: (entry: Entry) => Value | undefined,
): Promise<Value[]> {
  const values: Value[] = [];
  for (let index = 0; index < list.count; index++) {
    await pauseIfBusy();
    const entry = pick(list.at(index));
    if (entry !== undefined) values.push(entry);
  }
  return values;
}

/** A successful creation of a contract. */
export interface Creation {
  /** Creation code, followed by the constructor arguments. */
  readonly code: Hex;
  /** The account or contract that created it. */
  readonly creator: Address;
  readonly transaction: ChainTransaction;
}

/** Every successful creation of the address, oldest first. */
export async function creationsOf(chain: ChainReader, address: Address): Promise<Creation[]> {
  const byTransaction = await collect(chain.transactions(address, "contract", {}), (transaction) =>
    transaction.created === address && transaction.succeeded !== false
      ? { code: transaction.input, creator: transaction.from, transaction }
      : undefined,
  );
  // Searches the frames only if no transaction created the contract, because frames hold only
  // creations by other contracts.
  if (byTransaction.length > 0) return byTransaction;
  return collect(chain.frames(address, {}), (frame) =>
    frame.created === address && !frame.undone
      ? { code: frame.input, creator: frame.from, transaction: frame.transaction }
      : undefined,
  );
}

// https://eips.ethereum.org/EIPS/eip-1967
const topics = {
  implementation: eventTopic("Upgraded(address)"),
  beacon: eventTopic("BeaconUpgraded(address)"),
};

/** Returns the address in the second topic of the latest such event; null without an event. */
function announced(
  chain: ChainReader,
  address: Address,
  name: keyof typeof topics,
): Address | null {
  const logs = chain.logs({ address, topics: [topics[name]], operand: "and" });
  const topic = logs.count === 0 ? undefined : logs.at(logs.count - 1).topics[1];
  return topic === undefined ? null : `0x${topic.slice(-40)}`;
}

/** Returns the contract that a proxy forwards calls to; undefined if `address` is not a proxy. */
export function proxyOn(chain: ChainReader, address: Address): ProxyContract | undefined {
  const proxy = proxyIn(chain.code(address), (name) => {
    const target = announced(chain, address, name);
    return name === "beacon" && target !== null
      ? (announced(chain, target, "implementation") ?? target)
      : target;
  });
  return proxy && { ...proxy, verified: chain.verified(proxy.target) !== undefined };
}

export async function contractOn(chain: ChainReader, address: Address): Promise<OnChainContract> {
  const created = await creationsOf(chain, address);
  return {
    address,
    runtimeCode: chain.code(address),
    creationCodes: created.map(({ code }) => code),
    proxy: proxyOn(chain, address),
  };
}
