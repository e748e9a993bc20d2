// Token contracts of a story: what they are called with, what they emit, and what they refuse.
import { concat, fromString, padRight, size } from "ox/Hex";
import type { TokenState } from "../chain/block-input.ts";
import { ZERO_ADDRESS, ZERO_HASH } from "../chain/constants.ts";
import type { Address, Hash, Hex } from "../chain/records.ts";
import { tokenEvents } from "./events.ts";
import { address, callData, word } from "./evm.ts";
import type { CallFrame, CallMessage, CreationMessage } from "./frame.ts";
import { refuse } from "./impossible.ts";
import type { GasOptions, Sent } from "./transaction.ts";

/** What a transaction of a token may say besides: how it pays, and that it fails. */
export interface TokenOptions extends GasOptions {
  /** The transaction fails with this error. */
  readonly fails?: string;
}

/** Sends a call from an account: what a token needs of the story it is in. */
export type Send = (from: Address, call: CallMessage, options: GasOptions) => Sent;

/** What a token says of itself. A field left out or null: the contract has no such function. */
export interface TokenMetadata {
  readonly name?: string | null;
  readonly symbol?: string | null;
  readonly decimals?: number | null;
}

/** The constructor of a token: what is known of it, and what it mints. */
export function tokenCreation(
  facts: Omit<TokenState, "address">,
  mints: readonly CallMessage["does"][] = [],
): CreationMessage {
  return {
    does: (frame) => {
      frame.change((ledger) => ledger.describe({ ...facts, address: frame.self }));
      for (const mint of mints) {
        mint?.(frame);
      }
    },
  };
}

const isSelf = (frame: CallFrame, token: Address): void => {
  if (frame.self !== token) {
    refuse(
      `this is a call of ${frame.ledger.label(token)}, not of ${frame.ledger.label(frame.self)}`,
    );
  }
};

function moveAmount(frame: CallFrame, from: Address, to: Address, amount: bigint): void {
  frame.change((ledger) => ledger.moveToken(frame.self, from, to, amount));
  frame.emit([tokenEvents.transfer, from, to], word(amount));
}

function moveId(frame: CallFrame, from: Address, to: Address, id: bigint): void {
  frame.change((ledger) => ledger.moveNft(frame.self, from, to, id));
  frame.emit([tokenEvents.transfer, from, to, id]);
}

/** Mints MRC20 tokens in a constructor. */
export const minting =
  (to: Address, amount: bigint) =>
  (frame: CallFrame): void =>
    moveAmount(frame, ZERO_ADDRESS, address(to), amount);

/** A token contract: where it is, and the transaction that made it. */
abstract class TokenContract {
  readonly address: Address;
  /** Who deployed it, and mints. */
  readonly owner: Address;
  /** The transaction that deployed it; null for one that was there before the story. */
  readonly deployment: Sent | null;
  protected readonly send: Send;

  constructor(address: Address, owner: Address, deployment: Sent | null, send: Send) {
    this.address = address;
    this.owner = owner;
    this.deployment = deployment;
    this.send = send;
  }

  /** The hash of the transaction that deployed it. */
  get hash(): Hash {
    return this.deployment?.hash ?? ZERO_HASH;
  }

  protected by(from: Address, call: CallMessage, { fails, ...gas }: TokenOptions = {}): Sent {
    return this.send(from, fails === undefined ? call : { ...call, fails }, gas);
  }

  protected calling(input: Hex, does: (frame: CallFrame) => void): CallMessage {
    return {
      to: this.address,
      input,
      does: (frame) => {
        isSelf(frame, this.address);
        does(frame);
      },
    };
  }
}

/** An MRC20 token of a story. Amounts are in its smallest unit. */
export class Mrc20Contract extends TokenContract {
  /** Its calls, for use inside another contract: `frame.call(gold.calls.transfer(bob, 5n))`. The caller pays. */
  readonly calls = {
    transfer: (to: Address, amount: bigint): CallMessage =>
      this.calling(callData("transfer(address,uint256)", to, amount), (frame) =>
        moveAmount(frame, frame.caller, address(to), amount),
      ),
    approve: (spender: Address, amount: bigint): CallMessage =>
      this.calling(callData("approve(address,uint256)", spender, amount), (frame) =>
        this.#allow(frame, frame.caller, address(spender), amount),
      ),
    transferFrom: (from: Address, to: Address, amount: bigint): CallMessage =>
      this.calling(callData("transferFrom(address,address,uint256)", from, to, amount), (frame) => {
        const [owner, spender] = [address(from), frame.caller];
        // As the first token libraries did, the rest is announced: what is left can be read from events.
        frame.change((ledger) => ledger.spend(this.address, owner, spender, amount));
        moveAmount(frame, owner, address(to), amount);
        frame.emit(
          [tokenEvents.approval, owner, spender],
          word(frame.ledger.allowance(this.address, owner, spender)),
        );
      }),
    mint: (to: Address, amount: bigint): CallMessage =>
      this.calling(callData("mint(address,uint256)", to, amount), (frame) =>
        moveAmount(frame, ZERO_ADDRESS, address(to), amount),
      ),
    burn: (amount: bigint): CallMessage =>
      this.calling(callData("burn(uint256)", amount), (frame) =>
        moveAmount(frame, frame.caller, ZERO_ADDRESS, amount),
      ),
  };

  /** Moves tokens of their holder. */
  transfer(from: Address, to: Address, amount: bigint, options?: TokenOptions): Sent {
    return this.by(from, this.calls.transfer(to, amount), options);
  }

  /** Lets a spender take up to `amount` with {@link transferFrom}. */
  approve(owner: Address, spender: Address, amount: bigint, options?: TokenOptions): Sent {
    return this.by(owner, this.calls.approve(spender, amount), options);
  }

  /** A spender moves what it was approved for. */
  transferFrom(
    spender: Address,
    from: Address,
    to: Address,
    amount: bigint,
    options?: TokenOptions,
  ): Sent {
    return this.by(spender, this.calls.transferFrom(from, to, amount), options);
  }

  /** New supply, minted by whoever deployed the token. */
  mint(to: Address, amount: bigint, options?: TokenOptions): Sent {
    return this.by(this.owner, this.calls.mint(to, amount), options);
  }

  /** Destroys tokens of their holder. */
  burn(holder: Address, amount: bigint, options?: TokenOptions): Sent {
    return this.by(holder, this.calls.burn(amount), options);
  }

  #allow(frame: CallFrame, owner: Address, spender: Address, amount: bigint): void {
    frame.change((ledger) => ledger.allow(this.address, owner, spender, amount));
    frame.emit([tokenEvents.approval, owner, spender], word(amount));
  }
}

/** An MRC721 collection of a story. */
export class Mrc721Contract extends TokenContract {
  /** Its calls, for use inside another contract. */
  readonly calls = {
    transferFrom: (from: Address, to: Address, id: bigint): CallMessage =>
      this.calling(callData("transferFrom(address,address,uint256)", from, to, id), (frame) => {
        const { caller } = frame;
        const owner = address(from);
        frame.change((ledger) => {
          if (
            ledger.owner(this.address, id) === owner &&
            !ledger.mayMove(this.address, id, caller)
          ) {
            refuse(
              `${ledger.label(caller)} may not move token ${id} of ${ledger.label(this.address)}: ${ledger.label(owner)} owns it and did not approve`,
            );
          }
        });
        moveId(frame, owner, address(to), id);
      }),
    approve: (operator: Address, id: bigint): CallMessage =>
      this.calling(callData("approve(address,uint256)", operator, id), (frame) => {
        const { caller } = frame;
        frame.change((ledger) => {
          if (ledger.owner(this.address, id) !== caller) {
            refuse(
              `${ledger.label(caller)} does not own token ${id} of ${ledger.label(this.address)}, so it cannot approve anybody for it`,
            );
          }
          ledger.approve(this.address, id, address(operator));
        });
        frame.emit([tokenEvents.approval, caller, operator, id]);
      }),
    setApprovalForAll: (operator: Address, approved: boolean): CallMessage =>
      this.calling(callData("setApprovalForAll(address,bool)", operator, approved), (frame) => {
        const { caller } = frame;
        frame.change((ledger) =>
          ledger.approveAll(this.address, caller, address(operator), approved),
        );
        frame.emit([tokenEvents.approvalForAll, caller, operator], word(approved));
      }),
    mint: (to: Address, id: bigint, uri?: string): CallMessage =>
      this.calling(callData("mint(address,uint256)", to, id), (frame) => {
        moveId(frame, ZERO_ADDRESS, address(to), id);
        if (uri !== undefined) {
          frame.change((ledger) => ledger.setUri(this.address, id, uri));
        }
      }),
    burn: (id: bigint): CallMessage =>
      this.calling(callData("burn(uint256)", id), (frame) =>
        moveId(frame, frame.caller, ZERO_ADDRESS, id),
      ),
  };

  /** The owner gives a token away. */
  transfer(from: Address, to: Address, id: bigint, options?: TokenOptions): Sent {
    return this.by(from, this.calls.transferFrom(from, to, id), options);
  }

  /** Whom the owner approved moves a token. */
  transferFrom(
    mover: Address,
    from: Address,
    to: Address,
    id: bigint,
    options?: TokenOptions,
  ): Sent {
    return this.by(mover, this.calls.transferFrom(from, to, id), options);
  }

  approve(owner: Address, operator: Address, id: bigint, options?: TokenOptions): Sent {
    return this.by(owner, this.calls.approve(operator, id), options);
  }

  /** Lets an operator move all of an owner's tokens, or no longer. */
  setApprovalForAll(
    owner: Address,
    operator: Address,
    approved: boolean,
    options?: TokenOptions,
  ): Sent {
    return this.by(owner, this.calls.setApprovalForAll(operator, approved), options);
  }

  /** A new token, minted by whoever deployed the collection. Ids have up to 256 bits. */
  mint(to: Address, id: bigint, options: TokenOptions & { readonly uri?: string } = {}): Sent {
    const { uri, ...rest } = options;
    return this.by(this.owner, this.calls.mint(to, id, uri), rest);
  }

  burn(owner: Address, id: bigint, options?: TokenOptions): Sent {
    return this.by(owner, this.calls.burn(id), options);
  }
}

/** A constructor's arguments, (string,string), as the ABI has them. */
export function metadataArguments({ name, symbol }: TokenMetadata): Hex {
  const tail = (text: string): Hex => {
    const bytes = fromString(text);
    return concat(word(size(bytes)), padRight(bytes, Math.ceil(size(bytes) / 32) * 32));
  };
  const [first, second] = [tail(name ?? ""), tail(symbol ?? "")];
  return concat(word(64), word(64 + size(first)), first, second);
}
