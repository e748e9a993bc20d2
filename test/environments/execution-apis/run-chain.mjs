// Runs the chain of ethereum/execution-apis in an EVM, and writes down what a node returns of its blocks.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createBlockFromRLP } from "@ethereumjs/block";
import { createCommonFromGethGenesis, parseGethGenesisState } from "@ethereumjs/common";
import { RLP } from "@ethereumjs/rlp";
import { bytesToHex, createAddressFromString } from "@ethereumjs/util";
import { createVM, runBlock } from "@ethereumjs/vm";

const hex = (value) => `0x${BigInt(value).toString(16)}`;

/** What callTracer says of each call, as the EVM makes them. */
function tracing(vm) {
  const open = [];
  let root;
  vm.evm.events.on("beforeMessage", (message) => {
    const isCreation = message.to === undefined;
    const kind = message.delegatecall ? "DELEGATECALL" : message.isStatic ? "STATICCALL" : "CALL";
    const frame = {
      type: isCreation ? (message.salt ? "CREATE2" : "CREATE") : kind,
      from: message.caller.toString(),
      to: message.to?.toString(),
      value: hex(message.value),
      gas: hex(message.gasLimit),
      input: bytesToHex(message.data),
      calls: [],
    };
    if (open.length > 0) open.at(-1).calls.push(frame);
    else root = frame;
    open.push(frame);
  });
  vm.evm.events.on("afterMessage", ({ createdAddress, execResult }) => {
    const frame = open.pop();
    frame.gasUsed = hex(execResult.executionGasUsed);
    frame.output = bytesToHex(execResult.returnValue);
    frame.to ??= createdAddress?.toString();
    if (execResult.exceptionError) frame.error = execResult.exceptionError.error;
  });
  return () => root;
}

/** A transaction as eth_getBlockByNumber returns it. */
const transactionOf = (tx, block, index, price) => ({
  ...tx.toJSON(),
  ...{
    hash: bytesToHex(tx.hash()),
    from: tx.getSenderAddress().toString(),
    to: tx.to?.toString() ?? null,
  },
  ...{
    type: hex(tx.type),
    gas: hex(tx.gasLimit),
    input: bytesToHex(tx.data),
    value: hex(tx.value),
  },
  ...{ nonce: hex(tx.nonce), transactionIndex: hex(index), blockHash: bytesToHex(block.hash()) },
  ...{ blockNumber: hex(block.header.number), gasPrice: hex(price) },
});

/** The price per unit of gas. */
function priceOf(tx, base = 0n) {
  if (tx.maxFeePerGas === undefined) return tx.gasPrice;
  const wanted = base + tx.maxPriorityFeePerGas;
  if (wanted > tx.maxFeePerGas) return tx.maxFeePerGas;
  return wanted;
}

/** The blocks and the calls of a chain folder, from `genesis.json` and `chain.rlp`. */
export async function runChain(folder) {
  const genesis = JSON.parse(readFileSync(join(folder, "genesis.json"), "utf8"));
  // A transaction of blobs wants the means to check them, though blocks hold none.
  const customCrypto = { kzg: {} };
  const common = createCommonFromGethGenesis(genesis, { chain: "execution-apis", customCrypto });
  const vm = await createVM({ common, setHardfork: true });
  await vm.stateManager.generateCanonicalGenesis(parseGethGenesisState(genesis));
  const traceOf = tracing(vm);
  let root = await vm.stateManager.getStateRoot();
  const parts = [];
  for (let rest = new Uint8Array(readFileSync(join(folder, "chain.rlp"))); rest.length > 0; ) {
    const { data, remainder } = RLP.decode(rest, true);
    parts.push(data);
    rest = remainder;
  }
  const first = JSON.parse(
    readFileSync(join(folder, "eth_getBlockByNumber/get-genesis.io"), "utf8").split("<< ")[1],
  );
  const blocks = [{ block: first.result, receipts: [], traces: [] }];
  for (const part of parts) {
    const block = createBlockFromRLP(RLP.encode(part), { common, setHardfork: true });
    const { number, baseFeePerGas } = block.header;
    const traces = [];
    const note = () => traces.push(traceOf());
    vm.events.on("afterTx", note);
    // The roots of receipts and state, the bloom and the gas are the block's own, or this throws.
    const { results, receipts } = await runBlock(vm, {
      block,
      root,
      skipHeaderValidation: true,
      skipBlockValidation: true,
    });
    vm.events.removeListener("afterTx", note);
    root = block.header.stateRoot;
    const hash = bytesToHex(block.hash());
    const prices = block.transactions.map((tx) => priceOf(tx, baseFeePerGas));
    let logIndex = 0;
    blocks.push({
      block: {
        ...block.header.toJSON(),
        ...{
          hash,
          miner: block.header.coinbase.toString(),
          timestamp: hex(block.header.timestamp),
        },
        uncles: block.uncleHeaders.map((uncle) => bytesToHex(uncle.hash())),
        withdrawals: block.withdrawals?.map((one) => one.toJSON()),
        transactions: block.transactions.map((tx, index) =>
          transactionOf(tx, block, index, prices[index]),
        ),
      },
      receipts: block.transactions.map((tx, index) => ({
        ...{
          transactionHash: bytesToHex(tx.hash()),
          transactionIndex: hex(index),
          blockHash: hash,
          blockNumber: hex(number),
        },
        ...("status" in receipts[index]
          ? { status: hex(receipts[index].status) }
          : { root: bytesToHex(receipts[index].stateRoot) }),
        ...{
          type: hex(tx.type),
          effectiveGasPrice: hex(prices[index]),
          gasUsed: hex(results[index].totalGasSpent),
        },
        cumulativeGasUsed: hex(receipts[index].cumulativeBlockGasUsed),
        contractAddress: results[index].createdAddress?.toString() ?? null,
        logs: receipts[index].logs.map(([address, topics, data]) => ({
          ...{
            address: bytesToHex(address),
            topics: topics.map((one) => bytesToHex(one)),
            data: bytesToHex(data),
          },
          ...{ logIndex: hex(logIndex++), transactionIndex: hex(index) },
        })),
        ...(tx.type === 3 && {
          blobGasUsed: hex(results[index].blobGasUsed),
          blobGasPrice: hex(block.header.getBlobGasPrice()),
        }),
      })),
      traces: traces.map((result, index) => ({
        txHash: bytesToHex(block.transactions[index].hash()),
        result,
      })),
    });
  }
  const calls = Object.entries(genesis.alloc).flatMap(([name, { balance, code }]) => {
    const address = `0x${name.replace(/^0x/, "")}`;
    return [
      { method: "eth_getBalance", params: [address, "0x0"], result: hex(balance) },
      { method: "eth_getCode", params: [address, "0x0"], result: code ?? "0x" },
    ];
  });
  const head = hex(parts.length);
  for (const { result } of blocks.flatMap(({ traces }) => traces))
    for (const address of [result?.to].filter(Boolean)) {
      const code = await vm.stateManager.getCode(createAddressFromString(address));
      calls.push({ method: "eth_getCode", params: [address, head], result: bytesToHex(code) });
    }
  return { chainId: Number(common.chainId()), blocks, calls };
}
