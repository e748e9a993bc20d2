// Runs creation code in a small EVM, to know the values that its constructor gave to immutables. The compiler's thread loads it when needed.
import { createCustomCommon, Hardfork, Mainnet } from "@ethereumjs/common";
import { EVM, EVMMockBlockchain, type EVMOpts, type Message, NobleBN254 } from "@ethereumjs/evm";
import { SimpleStateManager } from "@ethereumjs/statemanager";
import {
  Account,
  type Address,
  bytesToUnprefixedHex,
  createAddressFromString,
  hexToBytes,
} from "@ethereumjs/util";
import type { Constructed, Construction } from "../operations/verifier.ts";

/** Instructions whose value is not known here, and how many values they take. */
const unknownValues = {
  // The contract's address may have had coins before.
  BALANCE: [0x31, 1],
  GASPRICE: [0x3a, 0],
  BLOCKHASH: [0x40, 1],
  PREVRANDAO: [0x44, 0],
  SELFBALANCE: [0x47, 0],
  BLOBHASH: [0x49, 1],
  BLOBBASEFEE: [0x4a, 0],
} as const;

/** The last address that may be a precompile, whose result does not depend on a chain. */
const LAST_PRECOMPILE = 0x1ffn;

/** Asks for the remaining gas, which a call passes on: gas prices may have been different. */
const GAS = 0x5a;
const CALLS: readonly (number | undefined)[] = [0xf1, 0xf2, 0xf4, 0xfa];

/** The state of a chain with nothing but the contract under construction; it notes which other accounts are read. */
class EmptyState extends SimpleStateManager {
  readonly #known: Set<string>;
  readonly #note: (what: string) => void;

  constructor(known: readonly Address[], note: (what: string) => void) {
    super();
    this.#known = new Set(known.map(String));
    this.#note = note;
  }

  /** A contract is created at this address, so nothing was there before. */
  created(address: Address): void {
    this.#known.add(String(address));
  }

  override getAccount(address: Address) {
    this.#check(address);
    return super.getAccount(address);
  }

  override getCode(address: Address) {
    this.#check(address);
    return super.getCode(address);
  }

  override getCodeSize(address: Address) {
    this.#check(address);
    return super.getCodeSize(address);
  }

  #check(address: Address): void {
    const text = String(address);
    if (!this.#known.has(text) && BigInt(text) > LAST_PRECOMPILE) this.#note(`account ${text}`);
  }
}

/** An EVM whose `runCode` runs code that creates contracts, too: since Cancun that needs a set, which only `runCall` makes. */
class CreatingEvm extends EVM {
  /** Called with the address of each contract before it is created. */
  onCreate: (address: Address) => void = () => {};

  protected override runInterpreter(message: Message, options?: object) {
    message.createdAddresses ??= new Set();
    return super.runInterpreter(message, options);
  }

  protected override async _generateAddress(message: Message) {
    const address = await super._generateAddress(message);
    this.onCreate(address);
    return address;
  }
}

/** Runs a constructor as on chain, except for what other accounts hold. */
export async function runConstructor({
  address,
  code,
  chainId,
  from,
  origin,
  value,
  gasLimit,
  block,
}: Construction): Promise<Constructed> {
  const dependsOn = new Set<string>();
  const unknown: EVMOpts["customOpcodes"] = Object.entries(unknownValues).map(
    ([opcodeName, [opcode, inputs]]) => ({
      opcode,
      opcodeName,
      baseFee: 2,
      logicFunction: ({ stack }) => {
        dependsOn.add(opcodeName);
        stack.popN(inputs);
        stack.push(0n);
      },
    }),
  );
  const gas: NonNullable<EVMOpts["customOpcodes"]>[number] = {
    opcode: GAS,
    opcodeName: "GAS",
    baseFee: 2,
    logicFunction: ({ stack, interpreter, code: running, programCounter }) => {
      if (!CALLS.includes(running[programCounter])) dependsOn.add("GAS");
      stack.push(interpreter.getGasLeft());
    },
  };
  const [to, caller] = [address, from].map(createAddressFromString) as [Address, Address];
  const stateManager = new EmptyState([to], (what) => dependsOn.add(what));
  await stateManager.putAccount(to, new Account(1n, BigInt(value)));
  const evm = new CreatingEvm({
    bn254: new NobleBN254(),
    blockchain: new EVMMockBlockchain(),
    common: createCustomCommon({ chainId }, Mainnet, { hardfork: Hardfork.Prague }),
    customOpcodes: [...unknown, gas],
    stateManager,
    allowUnlimitedContractSize: true,
    allowUnlimitedInitCodeSize: true,
  });
  evm.onCreate = (created) => stateManager.created(created);
  const { returnValue, exceptionError } = await evm.runCode({
    code: hexToBytes(`0x${code}`),
    to,
    caller,
    origin: createAddressFromString(origin),
    value: BigInt(value),
    gasLimit: BigInt(gasLimit),
    block: {
      header: {
        number: BigInt(block.number),
        timestamp: BigInt(block.timestamp),
        coinbase: createAddressFromString(block.miner),
        gasLimit: BigInt(block.gasLimit),
        baseFeePerGas: BigInt(block.baseFeePerGas ?? 0),
        difficulty: 0n,
        prevRandao: new Uint8Array(32),
        getBlobGasPrice: () => undefined,
      },
    },
  });
  const runtime = exceptionError ? undefined : bytesToUnprefixedHex(returnValue);
  // Prices have changed since, so what runs out of gas here may have succeeded there.
  return { runtime, dependsOn: [...dependsOn] };
}
