// What the generated client is asked, and what it must find.

/** What the client is asked. */
export interface Questions {
  readonly address: `0x${string}`;
  readonly token: `0x${string}`;
  readonly block: string;
}

/** What it must find. */
export interface Asked {
  readonly miner: string | undefined;
  readonly supply: string | null | undefined;
  readonly balances: readonly { readonly address: string; readonly balance: string }[] | undefined;
  readonly hashes: readonly string[] | undefined;
  /** The status in the envelope for a block that is not there. */
  readonly missing: string | undefined;
}
