// Builds the chain that a recipe describes, with the calls of the builder.
import type * as z from "zod/mini";
import { eventTopic } from "../../src/contract/event-topic.ts";
import { isAddress, isHex } from "../../src/models/hex.ts";
import { didYouMean } from "../../src/models/suggest.ts";
import type { Address, Hash } from "../chain/records.ts";
import { validOptions } from "../input/options.ts";
import { buildChain } from "./build-chain.ts";
import type { ChainBuilder } from "./builder.ts";
import { addressOfName, ImpossibleError, refuse, word } from "./evm.ts";
import type { CallMessage } from "./frame.ts";
import { type Recipe, type RecipeTransaction, recipeSchema } from "./recipe-schema.ts";
import { atOnce } from "./reorganisation.ts";
import { Mrc20Contract, type Mrc721Contract } from "./tokens.ts";

export interface RecipeResult {
  /** The addresses of accounts and contracts by their names in the recipe. */
  readonly accounts: Readonly<Record<string, Address>>;
  /** The hashes of the transactions, in the order of the recipe. */
  readonly hashes: readonly Hash[];
}

type Effects = Pick<Extract<RecipeTransaction, { send: "call" }>, "logs" | "calls">;
/** A call that a contract makes. The schema has no type for it, because calls are nested. */
type InnerCall = Omit<CallMessage, "to" | "does"> & Effects & { readonly to: string };
type TokenTransaction = Extract<RecipeTransaction, { readonly token: string }>;

/** Sends the transactions of a recipe, and resolves its names to addresses. */
class RecipeRun {
  readonly addresses = new Map<string, Address>([["miner", addressOfName("miner")]]);
  readonly #tokens = new Map<Address, Mrc20Contract | Mrc721Contract>();
  readonly #builder: ChainBuilder;

  constructor(builder: ChainBuilder) {
    this.#builder = builder;
  }

  addressOf(name: string): Address {
    if (isAddress(name)) return name.toLowerCase() as Address;
    const hint = didYouMean(name, this.addresses.keys());
    return this.addresses.get(name) ?? refuse(`no account or contract has the name ${name}${hint}`);
  }

  addAccount(account: NonNullable<CheckedRecipe["accounts"]>[number]): void {
    const { name, balance = 0n } = account;
    const address = account.address ?? this.#builder.account(name === undefined ? {} : { name });
    this.#name(name, address);
    if (balance !== 0n) this.#builder.fund(address, balance);
  }

  send(transaction: RecipeTransaction): Hash {
    const from = this.addressOf(transaction.from);
    const builder = this.#builder;
    switch (transaction.send) {
      case "coins": {
        const { send, from: _, to, value, ...options } = transaction;
        return builder.transfer(from, this.addressOf(to), value, options).hash;
      }
      case "call": {
        const { send, from: _, to, value, input, fails, logs, calls, ...gas } = transaction;
        return builder.call(from, this.#callOf({ to, value, input, fails, logs, calls }), gas).hash;
      }
      case "contract": {
        const { send, from: _, as, logs, calls, ...rest } = transaction;
        const { code, initCode, constructorArguments, address, value, fails, ...gas } = rest;
        const creation = { code, initCode, constructorArguments, address, value, fails };
        const does = this.#does({ logs, calls });
        const deployed = builder.deploy(from, { ...creation, does }, gas);
        this.#name(as, deployed.address);
        return deployed.hash;
      }
      case "mrc20": {
        const { send, from: _, as, holders = [], ...options } = transaction;
        const balances = holders.map(
          ({ holder, amount }) => [this.addressOf(holder), amount] as const,
        );
        return this.#addToken(as, builder.deployMRC20(from, { ...options, holders: balances }));
      }
      case "mrc721": {
        const { send, from: _, as, ...options } = transaction;
        return this.#addToken(as, builder.deployMRC721(from, options));
      }
      default:
        return this.#sendToken(from, transaction);
    }
  }

  #name(name: string | undefined, address: Address): void {
    if (name !== undefined) this.addresses.set(name, address);
  }

  #addToken(name: string | undefined, token: Mrc20Contract | Mrc721Contract): Hash {
    this.#name(name, token.address);
    this.#tokens.set(token.address, token);
    return token.hash;
  }

  /**
   * Returns a token of the recipe, or a token that the chain already had. For the latter, the sender
   * becomes the minter.
   */
  #tokenAt(name: string, sender: Address): Mrc20Contract | Mrc721Contract {
    const address = this.addressOf(name);
    const token = this.#tokens.get(address);
    if (token !== undefined) return token;
    return this.#builder.chain.token(address)?.standard === "mrc721"
      ? this.#builder.mrc721(address, sender)
      : this.#builder.mrc20(address, sender);
  }

  #sendToken(from: Address, transaction: TokenTransaction): Hash {
    const { send, from: _, token: name, value, ...rest } = transaction;
    const token = this.#tokenAt(name, from);
    if (!("to" in rest)) return token.burn(from, value, rest).hash;
    const { to, uri, ...options } = { uri: undefined, ...rest };
    const receiver = this.addressOf(to);
    if (send === "transfer") return token.transfer(from, receiver, value, options).hash;
    if (send === "approve") return token.approve(from, receiver, value, options).hash;
    if (token.owner !== from)
      refuse(`${from} cannot mint ${name}: only its deployer ${token.owner} can`);
    if (uri === undefined) return token.mint(receiver, value, options).hash;
    if (token instanceof Mrc20Contract) return refuse(`${name} is an MRC20 token, without URIs`);
    return token.mint(receiver, value, { ...options, uri }).hash;
  }

  #callOf({ to, logs, calls, ...call }: InnerCall): CallMessage {
    return { ...call, to: this.addressOf(to), does: this.#does({ logs, calls }) };
  }

  /**
   * Returns undefined for a call without effects, because an account without code cannot have
   * effects.
   */
  #does({ logs = [], calls = [] }: Effects): CallMessage["does"] {
    if (logs.length + calls.length === 0) return undefined;
    return (frame) => {
      for (const { topics, data } of logs)
        frame.emit(
          topics.map((topic) => this.#topicOf(topic)),
          data,
        );
      for (const call of calls) frame.call(this.#callOf(call as InnerCall));
    };
  }

  #topicOf(text: string): Hash {
    if (isHex(text)) return word(text);
    if (/^\d+$/.test(text)) return word(BigInt(text));
    return text.endsWith(")") ? eventTopic(text) : word(this.addressOf(text));
  }
}

/** Runs a step of a recipe, and says in its error which step it is. */
function inStep<Value>(step: string, run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ImpossibleError || error instanceof TypeError)) throw error;
    throw new ImpossibleError(`${step}: ${error.message}`);
  }
}

/** A recipe after its check: its amounts are bigints. */
type CheckedRecipe = z.output<typeof recipeSchema>;

/** Checks a recipe. Throws an {@link ImpossibleError} that names each wrong field. */
export function checkRecipe(caller: string, recipe: Recipe): CheckedRecipe {
  try {
    return validOptions(caller, recipeSchema, recipe);
  } catch (error) {
    throw error instanceof TypeError ? new ImpossibleError(error.message) : error;
  }
}

/**
 * Builds a recipe, and yields after each transaction, so that a server can answer requests
 * meanwhile. Run the generator to its end.
 */
export function* buildInSteps(
  builder: ChainBuilder,
  { accounts = [], blocks = [], verified = [] }: CheckedRecipe,
): Generator<void, RecipeResult> {
  const run = new RecipeRun(builder);
  const hashes: Hash[] = [];
  for (const account of accounts) run.addAccount(account);
  for (const [
    at,
    { transactions = [], count = 1, wait = 0, miner, ...header },
  ] of blocks.entries()) {
    for (const [nth, transaction] of transactions.entries()) {
      hashes.push(inStep(`blocks.${at}.transactions.${nth}`, () => run.send(transaction)));
      yield;
    }
    inStep(`blocks.${at}`, () => {
      builder.wait(wait);
      const address = miner === undefined ? miner : run.addressOf(miner);
      builder.mine(count, { ...header, miner: address });
    });
    yield;
  }
  for (const [at, { address, ...source }] of verified.entries())
    inStep(`verified.${at}`, () =>
      builder.verify(run.addressOf(address), source as Parameters<ChainBuilder["verify"]>[1]),
    );
  return { accounts: Object.fromEntries(run.addresses), hashes };
}

/**
 * Builds a new chain from a recipe: the state of a chain as JSON, which tests in any language can
 * write.
 *
 * @throws {@link ImpossibleError} for a recipe that is not valid, or a step that no chain allows
 * @example
 * ```ts
 * const mock = createExplorer({
 *   chain: buildRecipe({
 *     accounts: [{ name: "alice", balance: "1000" }, { name: "bob" }],
 *     blocks: [{ transactions: [{ send: "coins", from: "alice", to: "bob", value: "1" }] }],
 *     chain: { freeGas: true },
 *   }),
 * });
 * ```
 */
export function buildRecipe(recipe: Recipe): ChainBuilder {
  const checked = checkRecipe("buildRecipe", recipe);
  const builder = buildChain(checked.chain);
  atOnce(buildInSteps(builder, checked));
  return builder;
}
