// The errors of nodes and gateways, in their own words and with their own codes, and what they mean.
import type { FailureKind } from "../../../mocks/follow/rpc/errors.ts";

export type ErrorLine = readonly [code: number | undefined, message: string, kind: FailureKind];

/** By who returns them. The same code means different things: the words decide. */
export const errors: Readonly<Record<string, readonly ErrorLine[]>> = {
  // https://github.com/ethereum/go-ethereum: core/error.go, core/vm/errors.go, rpc/errors.go, eth/api_backend.go, eth/tracers/api.go
  geth: [
    [3, "execution reverted", "reverted"],
    [3, "execution reverted: rate limit of this token", "reverted"],
    [3, "execution reverted: request timed out", "reverted"],
    [-32000, "execution reverted", "reverted"],
    [-32000, "invalid opcode: INVALID", "reverted"],
    [-32000, "out of gas", "reverted"],
    [
      -32000,
      "insufficient funds for gas * price + value: address 0x5e (supplied gas 1)",
      "reverted",
    ],
    [-32000, "insufficient funds for transfer", "reverted"],
    [-32000, "intrinsic gas too low: have 21000, want 21064", "reverted"],
    [-32000, "stack underflow (0 <=> 1)", "reverted"],
    [-32000, "missing trie node 5c8f (path ) state 0x5c8f is not available", "unavailable"],
    [-32000, "header not found", "unavailable"],
    [-32000, "block #17 not found", "unavailable"],
    [-32000, "historical state 0xab is not available", "unavailable"],
    [-32000, "required historical state unavailable (reexec=128)", "unavailable"],
    [-32000, "state histories haven't been fully indexed yet", "unavailable"],
    [4444, "pruned history unavailable", "unavailable"],
    [-32601, "the method trace_block does not exist/is not available", "unsupported"],
    [-32000, "execution aborted (timeout = 5s)", "transient"],
    [-32000, "execution timeout", "transient"],
    [-32002, "request timed out", "transient"],
    [-32003, "response too large", "transient"],
    [-32000, "genesis is not traceable", "transient"],
    [-32603, "method handler crashed", "transient"],
  ],
  // https://github.com/erigontech/erigon: turbo/jsonrpc
  erigon: [
    [-32000, "block not found: 17", "unavailable"],
    [-32000, "old data not available due to pruning", "unavailable"],
    [-32000, "history has been pruned for this block", "unavailable"],
    [-32601, "the method debug_foo does not exist/is not available", "unsupported"],
  ],
  // https://github.com/NethermindEth/nethermind: Nethermind.JsonRpc/ErrorType.cs
  nethermind: [
    [-32015, "VM execution error.", "reverted"],
    [-32002, "No state available for block 1000 (0xf3e1...04ab)", "unavailable"],
    [-32001, "block 1000 could not be found", "unavailable"],
    [-39001, "Unknown block", "unavailable"],
    [-32000, "Block 17 was not found", "unavailable"],
    [-32016, "Timeout expired", "transient"],
    [-32017, "Timeout", "transient"],
    [-32601, "Method trace_foo is not supported", "unsupported"],
    [
      -32600,
      "The method 'trace_block' is found but the namespace 'trace' is disabled",
      "unsupported",
    ],
    [-32005, "Batch size limit exceeded", "overload"],
  ],
  // https://github.com/hyperledger/besu: RpcErrorType.java
  besu: [
    [-32604, "Method not enabled", "unsupported"],
    [-32000, "World state unavailable", "unavailable"],
    [-32000, "Block not found", "unavailable"],
    [-32000, "Parent block not found", "unavailable"],
    [-32000, "Execution reverted", "reverted"],
    [-32603, "Timeout expired", "transient"],
    [-32603, "Internal error", "transient"],
    [-32000, "Transaction processing could not be completed due to an exception", "reverted"],
  ],
  // https://github.com/paradigmxyz/reth: crates/rpc/rpc-eth-types/src/error
  reth: [
    [-32000, "state at block #1000 is pruned", "unavailable"],
    [-32001, "block not found: hash 0x12", "unavailable"],
    [-32000, "header not found", "unavailable"],
    [-32000, "EVM error: InvalidJump", "reverted"],
    [-32003, "out of gas: gas required exceeds: 30000000", "reverted"],
    [-32603, "request timed out", "transient"],
    [-32601, "Method not found", "unsupported"],
  ],
  // https://github.com/openethereum/openethereum: crates/rpc/src/v1/helpers/errors.rs
  OpenEthereum: [
    [-32015, "VM execution error.", "reverted"],
    [-32016, "The execution failed due to an exception.", "reverted"],
    [
      -32000,
      "This request is not implemented yet. Please create an issue on Github repo.",
      "unsupported",
    ],
    [
      -32000,
      "This request is not supported because your node is running with state pruning. Run with --pruning=archive.",
      "unavailable",
    ],
    [-32070, "Method deprecated", "unsupported"],
    [-32017, "Database error.", "transient"],
  ],
  // https://github.com/foundry-rs/foundry: crates/anvil
  anvil: [
    [-32003, "EVM error InvalidFEOpcode", "reverted"],
    [-32003, "Insufficient funds for gas * price + value", "reverted"],
    [-32003, "Out of gas: gas required exceeds allowance: 1", "reverted"],
    [-32601, "Method not found", "unsupported"],
    [-32602, "BlockOutOfRangeError: block height is 3 but requested was 9", "unavailable"],
  ],
  // https://github.com/NomicFoundation/hardhat
  Hardhat: [
    [-32000, "Sender doesn't have enough funds to send tx. The max upfront cost is: 9", "reverted"],
    [
      -32603,
      "Error: VM Exception while processing transaction: reverted with reason string 'no'",
      "reverted",
    ],
    [-32000, "Received invalid block tag 5. Latest block number is 3", "unavailable"],
    [-32601, "Method trace_block is not supported", "unsupported"],
    [
      -32603,
      "Hardhat currently only supports the default tracer, so no tracer parameter should be passed.",
      "unsupported",
    ],
  ],
  // https://github.com/ethereum-optimism/infra: proxyd/backend.go, proxyd/rewriter.go. Its codes count down from -32000.
  proxyd: [
    [-32601, "rpc method is not whitelisted", "unsupported"],
    [-32001, "rpc method is not whitelisted", "unsupported"],
    [-32010, "backend offline", "transient"],
    [-32011, "no backend is currently healthy to serve traffic", "transient"],
    [-32012, "backend is over capacity", "overload"],
    [-32013, "backend returned an invalid response", "transient"],
    [-32015, "gateway timeout", "transient"],
    [-32016, "over rate limit", "overload"],
    [-32017, "sender is over rate limit", "overload"],
    [-32018, "backend is currently not healthy to serve traffic", "transient"],
    [-32020, "backend response too large", "transient"],
    [-32023, "context canceled", "transient"],
    [-32024, "too many requests", "overload"],
    [-32000, "block is out of range", "unavailable"],
  ],
  // https://www.alchemy.com/docs/reference/error-reference
  Alchemy: [
    [429, "Your app has exceeded its compute units per second capacity", "overload"],
    [
      429,
      "Monthly capacity limit exceeded. Visit https://dashboard.example/settings/billing to upgrade",
      "overload",
    ],
    [-32600, "trace_block is not available on the Free tier - upgrade for access", "unsupported"],
    [-32600, "eth_getBlockReceipts is not available on the Free tier", "unsupported"],
    [-32600, "Unsupported method: trace_block on ETH_MAINNET", "unsupported"],
    [-32603, "Internal error", "transient"],
  ],
  // https://docs.metamask.io/services/reference, https://eips.ethereum.org/EIPS/eip-1474
  Infura: [
    [-32005, "daily request count exceeded, request rate limited", "overload"],
    [-32005, "project ID request rate exceeded", "overload"],
    [-32004, "This method is not supported", "unsupported"],
    [-32001, "Resource not found", "unavailable"],
    [-32002, "Resource unavailable", "transient"],
    [-32000, "project ID does not have access to archive state", "unavailable"],
    [-32601, "The method debug_traceBlockByNumber does not exist/is not available", "unsupported"],
  ],
  // https://www.quicknode.com/docs/ethereum/error-references
  QuickNode: [
    [
      -32007,
      "50/second request limit reached - reduce calls per second or upgrade your account",
      "overload",
    ],
    [-32601, "method is not available on your plan", "unsupported"],
    [-32612, "custom trace not found in allowed custom traces", "transient"],
    [
      -32000,
      "The requests per second (RPS) of your requests are higher than your plan allows.",
      "overload",
    ],
  ],
  // https://www.ankr.com/docs, https://github.com/erpc/erpc: architecture/evm/error_normalizer.go
  "Ankr and other gateways": [
    [-32053, "API key has exceeded its rate limit", "overload"],
    [-32000, "Too many requests, reason: call rate limit exhausted, retry in 10s", "overload"],
    [-32090, "Archive data is not available for this plan", "unavailable"],
    [-32075, "API key disabled, reason: method eth_getBlockReceipts is not allowed", "unsupported"],
    [35, "method is not available on freetier, please upgrade to paid tier", "unsupported"],
    [-32603, "trace_block is not included in your current plan", "unsupported"],
    [-32000, "node is under too much load", "overload"],
    [-32000, "No server available", "transient"],
    [-32603, "upstream timeout", "transient"],
  ],
  "nobody known": [
    [undefined, "something went wrong", "transient"],
    [-32602, "invalid argument 0", "unsupported"],
    [-32015, "", "transient"],
    [-32001, "", "unavailable"],
    [-32601, "", "unsupported"],
    [-32005, "", "overload"],
    [3, "", "reverted"],
  ],
};
