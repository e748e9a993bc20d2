// The exported name of each model of the specification.
export const modelNames = {
  "2.2": "Transaction",
  "2.3": "SimpleTransaction",
  "2.4": "InternalTransaction",
  "2.5": "Mrc20Transfer",
  "2.6": "Mrc721Transfer",
  "2.7 combined list, MRC20 entry": "Mrc20Holding",
  "2.7 combined list, MRC721 entry": "Mrc721Holding",
  "2.7 single list entry": "TokenEntry",
  "2.8 inventory, per holder": "HolderToken",
  "2.8 inventory, per contract": "CollectionToken",
  "2.9 block reward": "BlockReward",
  "2.9 mined block": "MinedBlock",
  "2.10": "AbiEntry",
  "2.11": "VerifiedContract",
  "2.12": "EventLog",
} as const;

/** Fields that our records have after those of the specification (decisions S8 and S35). */
export const additions: Readonly<Record<string, readonly string[]>> = {
  "2.2": ["input"],
  "2.3": ["input"],
  "2.4": ["input"],
  "2.11": ["verify_level", "verify_uncovered"],
};
