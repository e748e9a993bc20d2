// The shapes of chains that exist, by their public formats; addresses and hashes are made up. Each value is worked out by hand from the format.
import {
  ALICE,
  ALICE_HAS,
  account,
  BOB,
  blocksWith,
  FEE,
  GWEI,
  hashOf,
  hex,
  MINER,
  plain,
  type Shape,
  sent,
  TIP,
} from "./shape.ts";

const spent = { [ALICE]: ALICE_HAS - 5n - FEE, [BOB]: 5n };
/** The gas of one blob. */
const BLOB_GAS = 131_072n;

const [MEMBER, STAKER, PAYER] = [account(20), account(21), account(22)];

/** 3.5 million times 10^12: above 2^53, and not a number that JavaScript has. */
const REWARDS = `[{"addr":"${MEMBER}","reward":100000000000000001},{"addr":"${STAKER}","reward":250000000000000003},{"addr":"${MEMBER}","reward":306213253695614752}]`;

export const shapes: Readonly<Record<string, Shape>> = {
  "OP Stack: a deposit mints coins and pays nothing, others pay for their data on the L1": {
    chainId: 10,
    blocks: blocksWith([
      sent("deposit", {
        transaction: {
          ...{ type: "0x7e", gasPrice: "0x0", gas: "0xf4240", mint: hex(1000n) },
          ...{ sourceHash: hashOf("source"), isSystemTx: false, depositReceiptVersion: "0x1" },
        },
        receipt: { effectiveGasPrice: "0x0", depositNonce: "0x0", gasUsed: "0xb44c" },
      }),
      // Since Jovian, blobGasUsed is the size of the data, which has no price.
      sent("data", {
        transaction: { nonce: "0x1" },
        receipt: { l1Fee: hex(777n), l1GasUsed: "0x640", blobGasUsed: "0x9c40" },
      }),
    ]),
    rewards: { fees: TIP, mining_reward: 0n },
    transactions: [
      { tx_status: "1", tx_fee: 0n, gas_price: 0n, gas_used: 46_156n },
      { tx_status: "1", tx_fee: FEE + 777n, gas_used: 21_000n },
    ],
    balances: { [ALICE]: ALICE_HAS + 1000n - 10n - FEE - 777n, [BOB]: 10n, [MINER]: TIP },
  },
  "Arbitrum: a deposit brings its value, and a frame of its own kind moves coins": {
    chainId: 42_161,
    blocks: blocksWith(
      [
        sent("start", {
          transaction: { type: "0x6a", from: account(0xa4b05), to: account(0xa4b05), value: "0x0" },
          receipt: { gasUsed: "0x0", effectiveGasPrice: hex(GWEI) },
          trace: {
            calls: [
              { type: "INVALID", from: ALICE, to: BOB, value: "0x3", gas: "0x0", gasUsed: "0x0" },
            ],
          },
        }),
        sent("deposit", {
          transaction: { type: "0x64", from: account(9), to: BOB, gasPrice: "0x0" },
          receipt: { gasUsed: "0x0", effectiveGasPrice: hex(GWEI) },
        }),
        sent("ticket", {
          transaction: {
            ...{ type: "0x69", from: account(9), value: "0x0", gasPrice: hex(GWEI) },
            ...{ depositValue: "0x32", requestId: hashOf("request"), nonce: "0x1" },
          },
          receipt: { gasUsed: "0x0" },
        }),
      ],
      { gasLimit: "0x4000000000000", difficulty: "0x1", l1BlockNumber: "0x1" },
    ),
    rewards: { fees: 0n, mining_reward: 0n },
    transactions: [
      { tx_status: "1", tx_fee: 0n },
      { tx_status: "1", tx_fee: 0n },
      { tx_status: "1", tx_fee: 0n },
    ],
    internal: [{ trace_type: null, value: 3n, gas_used: 0n }],
    balances: { [ALICE]: ALICE_HAS - 3n, [BOB]: 8n, [account(9)]: 50n },
    missing: [/block 1, traces\[0\]\.result\.calls\[0\]\.type: .*received "INVALID"/],
  },
  "BSC: the system's transaction has more gas than JavaScript can count": {
    chainId: 56,
    blocks: blocksWith(
      [
        sent("user"),
        sent("system", {
          transaction: {
            ...{ from: MINER, to: account(0x1000), value: hex(FEE), gasPrice: "0x0" },
            gas: "0x7fffffffffffffff",
          },
        }),
      ],
      { baseFeePerGas: "0x0", difficulty: "0x2" },
    ),
    rewards: { fees: FEE, mining_reward: 0n },
    transactions: [plain, { tx_status: "1", tx_fee: 0n, gas_price: 0n }],
    balances: { ...spent, [MINER]: 0n, [account(0x1000)]: FEE },
    missing: [
      /block 1, block\.transactions\[1\]\.gas: .*below 2\^53, received "0x7fffffffffffffff"/,
    ],
  },
  "Polygon: the state sync has neither a trace nor a receipt": {
    chainId: 137,
    blocks: blocksWith([
      sent("user"),
      sent("sync", {
        transaction: {
          from: account(0),
          to: account(0),
          value: "0x0",
          gasPrice: "0x0",
          gas: "0x0",
        },
        receipt: null,
        trace: null,
      }),
    ]),
    rewards: { fees: TIP, mining_reward: 0n },
    transactions: [plain, { tx_status: null, tx_fee: null, gas_used: null }],
    balances: { ...spent, [MINER]: TIP },
    missing: [/sync|receipts\[1\]/, /expected the trace of transaction 0x\w+, received none/],
  },
  "Celo: a token pays for the gas, and a frame used more than 2^63": {
    chainId: 42_220,
    blocks: blocksWith([
      sent("paid in a token", {
        transaction: { type: "0x7b", feeCurrency: account(30) },
        trace: {
          calls: [
            { type: "CALL", from: BOB, to: ALICE, value: "0x1", gasUsed: "0x8000000000000001" },
          ],
        },
      }),
    ]),
    rewards: { fees: 0n, mining_reward: 0n },
    transactions: [{ tx_status: "1", tx_fee: null, gas_price: 2n * GWEI, gas_used: 21_000n }],
    internal: [{ trace_type: "call", value: 1n, gas_used: null }],
    balances: { [ALICE]: ALICE_HAS - 4n, [BOB]: 4n, [MINER]: 0n },
    missing: [/traces\[0\]\.result\.calls\[0\]\.gasUsed: .*below 2\^53/],
  },
  "zkSync: types of its own, and calls in its own case": {
    chainId: 324,
    blocks: blocksWith(
      [
        sent("era", {
          transaction: { type: "0x71", l1BatchNumber: "0x5", gasPrice: hex(GWEI) },
          receipt: { l1BatchTxIndex: "0x0", l2ToL1Logs: [], root: hashOf("root") },
          trace: { type: "Call", calls: [{ type: "Call", from: ALICE, to: BOB, value: "0x0" }] },
        }),
        sent("priority", {
          transaction: { type: "0xff", gasPrice: hex(GWEI), nonce: "0x1" },
        }),
      ],
      { sealFields: [], l1BatchNumber: null },
    ),
    rewards: { fees: 0n, mining_reward: 0n },
    transactions: [
      { tx_status: "1", tx_fee: TIP },
      { tx_status: "1", tx_fee: TIP },
    ],
    internal: [{ trace_type: "call", value: 0n, gas_used: null }],
    balances: { [ALICE]: ALICE_HAS - 10n - 2n * TIP, [BOB]: 10n, [MINER]: 0n },
  },
  "clique: a difficulty, and no issuance": {
    chainId: 5,
    blocks: blocksWith([sent("user")], { difficulty: "0x2", nonce: "0x0000000000000000" }),
    rewards: { fees: TIP, mining_reward: 0n },
    transactions: [plain],
    balances: { ...spent, [MINER]: TIP },
  },
  "AuRa: a step and a signature in place of a nonce": {
    chainId: 100,
    blocks: blocksWith([sent("user")], {
      ...{ step: "0x148c6b", signature: "00", author: MINER, sealFields: [] },
      difficulty: hex(2n ** 128n - 1n),
    }),
    rewards: { fees: TIP, mining_reward: 0n },
    transactions: [plain],
    balances: { ...spent, [MINER]: TIP },
  },
  "IBFT: long extra data, and gas that is free": {
    chainId: 1337,
    blocks: blocksWith([sent("user", { transaction: { type: "0x0", gasPrice: "0x0" } })], {
      ...{ baseFeePerGas: undefined, difficulty: "0x1", extraData: `0x${"ab".repeat(300)}` },
    }),
    rewards: { fees: 0n, mining_reward: 0n },
    transactions: [{ tx_status: "1", tx_fee: 0n, gas_price: 0n }],
    balances: { [ALICE]: ALICE_HAS - 5n, [BOB]: 5n, [MINER]: 0n },
  },
  "mainnet under proof of work: an uncle, and receipts with a root in place of a status": {
    chainId: 1,
    blocks: blocksWith([sent("user", { receipt: { status: undefined, root: hashOf("root") } })], {
      baseFeePerGas: undefined,
      difficulty: "0x3ff800000",
      uncles: [hashOf("uncle")],
    }),
    // 5 coins, and a 32nd for the uncle.
    rewards: { fees: FEE, mining_reward: 5n * 10n ** 18n + (5n * 10n ** 18n) / 32n },
    transactions: [{ tx_status: null, tx_fee: FEE }],
    balances: { ...spent, [MINER]: FEE + 5n * 10n ** 18n + (5n * 10n ** 18n) / 32n },
  },
  "mainnet under proof of stake: withdrawals in gwei": {
    chainId: 1,
    blocks: blocksWith([sent("user")], {
      withdrawals: [{ index: "0x0", validatorIndex: "0x1", address: BOB, amount: "0x7" }],
    }),
    rewards: { fees: TIP, mining_reward: 0n },
    transactions: [plain],
    balances: { [ALICE]: ALICE_HAS - 5n - FEE, [BOB]: 5n + 7n * GWEI, [MINER]: TIP },
  },
  "Metadium: the header states fees and rewards, and another account pays the gas": {
    chainId: 11,
    blocks: blocksWith(
      [
        sent("delegated", {
          transaction: { type: "0x16", feePayer: PAYER, fv: "0x0", fr: "0x1", fs: "0x1" },
        }),
      ],
      {
        ...{ fees: hex(TIP), rewards: `0x${Buffer.from(REWARDS).toString("hex")}` },
        ...{ minerNodeId: "0x00", minerNodeSig: "0x00", difficulty: "0x1" },
      },
    ),
    rewards: { fees: TIP, mining_reward: 656_213_253_695_614_756n - TIP },
    transactions: [plain],
    balances: {
      ...{ [ALICE]: ALICE_HAS - 5n, [BOB]: 5n, [MINER]: 0n, [PAYER]: ALICE_HAS - FEE },
      ...{ [MEMBER]: 406_213_253_695_614_753n, [STAKER]: 250_000_000_000_000_003n },
    },
  },
  // go-metadium 1.1.x (go-ethereum 1.13): blobs, no withdrawals, 0x16 without yParity, PBFT headers.
  "Metadium since Camellia: blobs are burnt, a large contract is created, and headers have more fields":
    {
      chainId: 11,
      blocks: blocksWith(
        [
          sent("delegated", {
            transaction: {
              ...{ type: "0x16", feePayer: PAYER, fv: "0x0", fr: "0x1", fs: "0x1" },
              ...{ v: "0x1", r: "0x1", s: "0x1" },
            },
          }),
          sent("blobs", {
            transaction: {
              ...{ type: "0x3", nonce: "0x1", maxFeePerBlobGas: hex(3n), yParity: "0x0" },
              ...{
                maxFeePerGas: hex(2n * GWEI),
                blobVersionedHashes: [hashOf("one"), hashOf("two")],
              },
            },
            receipt: { blobGasUsed: hex(2n * BLOB_GAS), blobGasPrice: "0x2" },
          }),
          sent("large", {
            transaction: {
              ...{ nonce: "0x2", to: null, value: "0x0", gas: hex(100_000_000) },
              input: `0x${"60".repeat(250_000)}`,
            },
            receipt: { gasUsed: "0x5208", contractAddress: account(23) },
            trace: { type: "CREATE", to: account(23) },
          }),
        ],
        {
          ...{ fees: hex(3n * TIP), rewards: `0x${Buffer.from(REWARDS).toString("hex")}` },
          ...{ minerNodeId: "0x00", minerNodeSig: "0x00", difficulty: "0x1" },
          ...{ blobGasUsed: hex(2n * BLOB_GAS), excessBlobGas: "0x0", gasLimit: hex(105_000_000) },
          ...{ bftRound: "0x2", commitSeals: ["0x00", "0x01"], hash: hashOf("1") },
        },
      ),
      rewards: { fees: 3n * TIP, mining_reward: 656_213_253_695_614_756n - 3n * TIP },
      transactions: [plain, plain, plain],
      balances: {
        [ALICE]: ALICE_HAS - 10n - 2n * FEE - 4n * BLOB_GAS,
        ...{ [BOB]: 10n, [MINER]: 0n, [PAYER]: ALICE_HAS - FEE, [account(23)]: 0n },
        ...{ [MEMBER]: 406_213_253_695_614_753n, [STAKER]: 250_000_000_000_000_003n },
      },
    },
};

/** Who has coins before the first block. */
export const holders = [ALICE, PAYER];
