// A random history of a node: every kind of transaction and contract that following has to cope with, reverts, reorganisations and resets.
import { numberToHex, parseEther, sidecarsToVersionedHashes, toHex } from "viem";
import { mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { randomNumbers } from "../../../mocks/chain/random.ts";
import type { Address, Hex } from "../../../mocks/chain/records.ts";
import type { TestNode } from "../../support/test-node.ts";
import { deploy, type OddContract, send } from "../odd-contracts.ts";

export type Node = Pick<TestNode, "ask">;

/** Never sends anything. */
const STRANGER: Address = "0x00000000000000000000000000000000deadbee5";
/** Its coins come from transactions alone. */
export const SAVER: Address = "0x00000000000000000000000000000000000b0b00";
/** Its coins come from transactions alone, and go as values and fees of transactions with blobs (EIP-4844). */
const blobber = privateKeyToAccount(toHex(0xb10bn, { size: 32 }));
export const BLOBBER = blobber.address.toLowerCase() as Address;
const IDS = 8n;

export interface World {
  readonly coins: readonly OddContract[];
  readonly arts: readonly OddContract[];
  readonly mischief: OddContract;
  readonly all: Readonly<Record<string, OddContract>>;
}

export class RandomHistory {
  readonly #node: Node;
  readonly #seed: number;
  #drawn = 0;
  #snapshots: { readonly id: unknown; readonly world: World }[] = [];
  #accounts: readonly Address[] = [];
  #chainId = 0;
  world!: World;
  /** By name of what happened, how often. */
  readonly done = new Map<string, number>();

  constructor(node: Node, seed: number) {
    this.#node = node;
    this.#seed = seed;
  }

  /** Whose state is compared. */
  get people(): readonly Address[] {
    return [...this.#accounts, STRANGER, SAVER, BLOBBER];
  }

  get ids(): readonly bigint[] {
    return Array.from({ length: Number(IDS) }, (_, id) => BigInt(id));
  }

  #random(): number {
    return randomNumbers(this.#seed, this.#drawn++);
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[this.#below(values.length)] as Value;
  }

  /** Deploys the contracts. */
  async begin(): Promise<void> {
    const node = this.#node;
    this.#chainId = Number(await node.ask("eth_chainId"));
    const accounts = (await node.ask("eth_accounts")) as Address[];
    this.#accounts = accounts.slice(0, 5).map((one) => one.toLowerCase() as Address);
    const [boss] = this.#accounts as [Address];
    const coin = await deploy(node, boss, "Coin");
    const second = await deploy(node, boss, "CoinV2");
    const beacon = await deploy(node, boss, "Beacon", [coin.address]);
    const proxied = await deploy(node, boss, "Upgradeable", [coin.address], "CoinV2");
    const all = {
      ...{ coin, second, beacon, proxied },
      rebasing: await deploy(node, boss, "Rebasing"),
      growing: await deploy(node, boss, "Growing"),
      silent: await deploy(node, boss, "Silent"),
      unindexed: await deploy(node, boss, "Unindexed"),
      beaconed: await deploy(node, boss, "Beaconed", [beacon.address], "CoinV2"),
      art: await deploy(node, boss, "Art"),
      batch: await deploy(node, boss, "Batch"),
      multi: await deploy(node, boss, "Multi"),
      mischief: await deploy(node, boss, "Mischief"),
    };
    const { rebasing, growing, silent, unindexed, beaconed, art, batch, mischief } = all;
    const coins = [coin, rebasing, growing, silent, unindexed, proxied, beaconed];
    this.world = { coins, arts: [art, batch], mischief, all };
    for (const one of coins) await one.run(boss, "mint", boss, 1000n);
    await art.run(boss, "mint", boss, 0n);
    await batch.run(boss, "mintMany", boss, 1n, IDS - 1n);
  }

  async step(): Promise<void> {
    const acts = this.#acts();
    let at = this.#random() * acts.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, name, act] of acts) {
      at -= weight;
      if (at > 0) continue;
      // A failure is history, too.
      const result = await act().catch(() => "refused");
      const label = result === "refused" ? `${name} (refused by the node)` : name;
      this.done.set(label, (this.done.get(label) ?? 0) + 1);
      return;
    }
  }

  #acts(): readonly (readonly [number, string, () => Promise<unknown>])[] {
    const { coins, arts, mischief, all } = this.world;
    const { rebasing, silent, proxied, beacon, batch, multi } = all as Record<
      string,
      OddContract
    > & {
      [Name in "rebasing" | "silent" | "proxied" | "beacon" | "batch" | "multi"]: OddContract;
    };
    const from = this.#pick(this.#accounts);
    const other = this.#pick(this.people);
    const amount = BigInt(1 + this.#below(400));
    const id = BigInt(this.#below(Number(IDS)));
    const value = `0x${amount.toString(16)}`;
    const coin = this.#pick(coins);
    const art = this.#pick(arts);
    const implementation = this.#pick([all.coin, all.second]) as OddContract;
    const odd = (name: string, ...args: unknown[]) =>
      send(this.#node, { from, to: mischief.address, value, data: mischief.data(name, ...args) });
    const [boss] = this.#accounts as [Address];
    return [
      [8, "coins", () => send(this.#node, { from, to: this.#pick([SAVER, other]), value })],
      [2, "deployment", () => deploy(this.#node, from, this.#pick(["Coin", "Art", "Mischief"]))],
      [1, "failed deployment", () => send(this.#node, { from, data: "0x60006000fd" })],
      [6, "mint", () => coin.run(from, "mint", other, amount)],
      [6, "transfer", () => coin.run(from, "transfer", other, amount)],
      [2, "rebase", () => rebasing.run(from, "rebase", amount)],
      [2, "silent mint", () => silent.run(from, "silentMint", other, amount)],
      [1, "silent burn", () => silent.run(from, "silentBurn", other)],
      [
        2,
        "upgrade",
        () => proxied.runAs("Upgradeable").run(boss, "upgrade", implementation.address),
      ],
      [1, "beacon", () => beacon.run(boss, "upgrade", implementation.address)],
      [4, "id transfer", () => art.run(from, "transferFrom", from, other, id)],
      [2, "id mint", () => art.run(from, "mint", other, id)],
      [1, "id vanishes", () => art.run(from, "vanish", id)],
      [1, "id taken", () => art.run(from, "take", other, id)],
      [1, "reveal", () => art.run(from, "reveal", this.#pick(["ipfs://a/", ""]))],
      [1, "ERC-2309", () => batch.run(from, "mintMany", other, 100n + amount * 10n, 1n + id)],
      [1, "ERC-1155", () => multi.run(from, "mint", other, id, amount)],
      [2, "revert", () => odd("fail")],
      [
        1,
        "out of gas",
        () =>
          send(this.#node, {
            from,
            to: mischief.address,
            data: mischief.data("waste"),
            gas: "0x20000",
          }),
      ],
      [3, "coins through a contract", () => odd("pass", other)],
      [3, "inner failure", () => odd("tryFail", other)],
      [2, "creations", () => odd("create", BigInt(this.#below(1_000_000)))],
      [2, "creation and end", () => odd("createAndEnd", other)],
      [1, "precompile", () => mischief.run(from, "hash", "0x1234")],
      [1, "delegatecall", () => odd("delegate", mischief.address)],
      [1, "EIP-7702", () => this.#delegate(this.#pick([all.coin?.address, undefined]))],
      [1, "EIP-4844", () => this.#sendBlobs(1 + this.#below(3))],
      [3, "several in a block", () => this.#several(2 + this.#below(4))],
      [2, "empty blocks", () => this.#mine(1 + this.#below(3))],
      [1, "snapshot", async () => this.#save()],
      [1, "going back", () => this.#goBack()],
      [0.5, "reorganisation", () => this.#node.ask("anvil_reorg", 1 + this.#below(2), [])],
      [0.1, "reset", () => this.reset()],
    ];
  }

  async #mine(count: number): Promise<void> {
    for (let mined = 0; mined < count; mined += 1) await this.#node.ask("evm_mine");
  }

  /** Mines transactions with events in one block. */
  async #several(count: number): Promise<void> {
    const node = this.#node;
    await node.ask("evm_setAutomine", false);
    try {
      for (let sent = 0; sent < count; sent += 1) {
        const coin = this.#pick(this.world.coins);
        const data = coin.data("mint", this.#pick(this.people), BigInt(1 + sent));
        const from = this.#accounts[sent % this.#accounts.length];
        await node.ask("eth_sendTransaction", { from, to: coin.address, data, gas: "0x100000" });
      }
    } finally {
      await node.ask("evm_mine");
      await node.ask("evm_setAutomine", true);
    }
  }

  async #save(): Promise<void> {
    this.#snapshots.push({ id: await this.#node.ask("evm_snapshot"), world: this.world });
  }

  async #goBack(): Promise<void> {
    const last = this.#snapshots.pop();
    if (last === undefined) return;
    await this.#node.ask("evm_revert", last.id);
    this.world = last.world;
  }

  /** Starts over: anvil_reset, or hardhat_reset. */
  async reset(): Promise<void> {
    await this.#node.ask("hardhat_reset").catch(() => this.#node.ask("anvil_reset"));
    this.#snapshots = [];
    await this.begin();
  }

  /** Whether the node has the accounts of the usual mnemonic, whose keys are known. */
  #signer(): PrivateKeyAccount | undefined {
    const key = mnemonicToAccount(MNEMONIC, { addressIndex: 3 }).getHdKey().privateKey;
    const account = privateKeyToAccount(toHex(key ?? new Uint8Array()));
    const known = this.#accounts.includes(account.address.toLowerCase() as Address);
    return known ? account : undefined;
  }

  /** An account runs the code of a contract from now on, or no longer. */
  async #delegate(to: Address | undefined): Promise<void> {
    const account = this.#signer();
    if (account === undefined) throw new Error("no key");
    const nonce = Number(
      await this.#node.ask("eth_getTransactionCount", account.address, "latest"),
    );
    const authorization = await account.signAuthorization({
      contractAddress: to ?? `0x${"0".repeat(40)}`,
      chainId: this.#chainId,
      nonce: nonce + 1,
    });
    const raw = await account.signTransaction({
      ...{ type: "eip7702", chainId: this.#chainId, nonce, to: SAVER, value: 1n },
      ...{ gas: 200_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n },
      authorizationList: [authorization],
    });
    await this.#sendRaw(raw);
  }

  /** Sends coins with blobs. */
  async #sendBlobs(count: number): Promise<void> {
    const node = this.#node;
    const [boss] = this.#accounts;
    await send(node, { from: boss, to: BLOBBER, value: numberToHex(parseEther("1")) });
    const nonce = Number(await node.ask("eth_getTransactionCount", BLOBBER, "latest"));
    const sidecars = Array.from({ length: count }, () => EMPTY_BLOB);
    const raw = await blobber.signTransaction({
      ...{ type: "eip4844", chainId: this.#chainId, nonce, to: SAVER, value: 1n },
      ...{ gas: 100_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n },
      ...{ maxFeePerBlobGas: 10n ** 10n, sidecars },
      blobVersionedHashes: sidecarsToVersionedHashes({ sidecars }),
    });
    await this.#sendRaw(raw);
  }

  async #sendRaw(raw: Hex): Promise<void> {
    const hash = (await this.#node.ask("eth_sendRawTransaction", raw)) as Hex;
    while ((await this.#node.ask("eth_getTransactionReceipt", hash)) === null);
  }
}

/** Commitment and proof of zeros are the point at infinity, so that no setup of KZG is needed. */
const INFINITY = `0xc0${"00".repeat(47)}` as const;
const EMPTY_BLOB = {
  blob: `0x${"00".repeat(131_072)}`,
  commitment: INFINITY,
  proof: INFINITY,
} as const;

const MNEMONIC = "test test test test test test test test test test test junk";
