// What the errors of real nodes mean, in their own words.
import { expect, test } from "vitest";
import { kindOf } from "../../../mocks/follow/rpc/post.ts";

test.each([
  // geth, erigon
  [3, "execution reverted", "reverted"],
  [3, "execution reverted: rate limit of this token", "reverted"],
  [-32000, "invalid opcode: INVALID", "reverted"],
  [-32000, "out of gas", "reverted"],
  [-32000, "insufficient funds for gas * price + value: address 0x5e (supplied gas 1)", "reverted"],
  [-32000, "insufficient funds for transfer", "reverted"],
  [-32000, "stack underflow (0 <=> 1)", "reverted"],
  [-32000, "missing trie node 5c8f (path ) state 0x5c8f is not available", "unavailable"],
  [-32000, "header not found", "unavailable"],
  [-32000, "historical state 0xab is not available", "unavailable"],
  [-32601, "the method trace_block does not exist/is not available", "unsupported"],
  [-32000, "execution aborted (timeout = 5s)", "transient"],
  [-32002, "request timed out", "transient"],
  [-32003, "response too large", "transient"],
  [-32000, "required historical state unavailable (reexec=128)", "unavailable"],
  [4444, "pruned history unavailable", "unavailable"],
  [-32000, "execution timeout", "transient"],
  // besu, nethermind, reth
  [-32604, "Method not enabled", "unsupported"],
  [-32000, "World state unavailable", "unavailable"],
  [-39001, "Unknown block", "unavailable"],
  [-32002, "No state available for block 1000 (0xf3e1...04ab)", "unavailable"],
  [-32001, "block 1000 could not be found", "unavailable"],
  [-32000, "state at block #1000 is pruned", "unavailable"],
  [-32603, "Timeout expired", "transient"],
  [-32000, "Execution reverted", "reverted"],
  [-32015, "VM execution error.", "reverted"],
  // anvil
  [-32003, "EVM error InvalidFEOpcode", "reverted"],
  [-32003, "Insufficient funds for gas * price + value", "reverted"],
  [-32601, "Method not found", "unsupported"],
  [-32602, "BlockOutOfRangeError: block height is 3 but requested was 9", "unavailable"],
  // Hardhat
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
  // providers
  [-32005, "daily request count exceeded, request rate limited", "overload"],
  [-32600, "trace_block is not available on the Free tier - upgrade for access", "unsupported"],
  [-32004, "This method is not supported", "unsupported"],
  [-32601, "The method debug_traceBlockByNumber does not exist/is not available", "unsupported"],
  [-32000, "project ID does not have access to archive state", "unavailable"],
  [-32603, "Internal error", "transient"],
  [429, "Your app has exceeded its compute units per second capacity", "overload"],
  [undefined, "something went wrong", "transient"],
  [-32602, "invalid argument 0", "unsupported"],
] as const)("%s %s: %s", (code, message, kind) => {
  expect(kindOf({ code, message })).toBe(kind);
});
