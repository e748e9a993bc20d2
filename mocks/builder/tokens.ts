// The token contracts of a chain builder: their functions, events and rules.

import { ZERO_ADDRESS, ZERO_HASH } from "../chain/hex.ts";
import type { Address, Hash, TokenState } from "../chain/records.ts";
import { address, callData, refuse, tokenEvents, word } from "./evm.ts";
import type { CallFrame, CallMessage, CreationMessage } from "./frame.ts";
import { checked } from "./schemas.ts";
import type { GasOptions, SentTransaction } from "./transaction.ts";

export interface TokenOptions extends GasOptions {
  /** The transaction fails with this error. */
  readonly fails?: string | undefined;
}

export type SendCall = (from: Address, call: CallMessage, options: GasOptions) => SentTransaction;

/** The creation of a token: its metadata, and what its constructor mints. */
export const tokenCreation = (
  metadata: Omit<TokenState, "address">,
  mints: readonly (readonly [Address, bigint])[],
): CreationMessage => ({
  does(frame) {
    frame.change((ledger) => ledger.setToken({ ...metadata, address: frame.self }));
    for (const [to, amount] of mints) moveAmount(frame, ZERO_ADDRESS, address(to), amount);
  },
});

function moveAmount(frame: CallFrame, from: Address, to: Address, amount: bigint): void {
  frame.change((ledger) => ledger.moveToken(frame.self, from, to, amount));
  frame.emit([tokenEvents.transfer, from, to], word(amount));
}

function moveId(frame: CallFrame, from: Address, to: Address, id: bigint): void {
  frame.change((ledger) => ledger.moveNft(frame.self, from, to, id));
  frame.emit([tokenEvents.transfer, from, to, id]);
}

/** A token contract, and the transaction that deployed it. */
abstract class TokenContract {
  readonly address: Address;
  /** The deployer, who mints. */
  readonly owner: Address;
  /** The transaction that deployed the contract; null if the builder did not deploy the contract. */
  readonly deployment: SentTransaction | null;
  protected readonly send: SendCall;

  constructor(
    address: Address,
    owner: Address,
    deployment: SentTransaction | null,
    send: SendCall,
  ) {
    this.address = address;
    this.owner = owner;
    this.deployment = deployment;
    this.send = send;
  }

  /** The hash of the deployment; zero if the builder did not deploy the contract. */
  get hash(): Hash {
    return this.deployment?.hash ?? ZERO_HASH;
  }

  protected sendCall(
    from: Address,
    call: CallMessage,
    options: TokenOptions = {},
  ): SentTransaction {
    const { fails, ...gas } = checked("a token's transaction", "tokenCall", options);
    return this.send(from, { ...call, fails }, gas);
  }

  protected callMessage(
    signature: string,
    values: Parameters<typeof callData>[1][],
    does: (frame: CallFrame) => void,
  ): CallMessage {
    return {
      to: this.address,
      input: callData(signature, ...values),
      does: (frame) => {
        const { ledger, self } = frame;
        if (self !== this.address)
          refuse(`this call is for ${ledger.label(this.address)}, not for ${ledger.label(self)}`);
        does(frame);
      },
    };
  }
}

/** An MRC20 token. Amounts are in its smallest unit. */
export class Mrc20Contract extends TokenContract {
  /** Its functions, to call from another contract: `frame.call(gold.calls.transfer(bob, 5n))`. */
  readonly calls = {
    transfer: (to: Address, amount: bigint): CallMessage =>
      this.callMessage("transfer(address,uint256)", [to, amount], (frame) =>
        moveAmount(frame, frame.caller, address(to), amount),
      ),
    approve: (spender: Address, amount: bigint): CallMessage =>
      this.callMessage("approve(address,uint256)", [spender, amount], (frame) => {
        const [owner, taker] = [frame.caller, address(spender)];
        frame.change((ledger) => ledger.allow(this.address, owner, taker, amount));
        frame.emit([tokenEvents.approval, owner, taker], word(amount));
      }),
    transferFrom: (from: Address, to: Address, amount: bigint): CallMessage =>
      this.callMessage("transferFrom(address,address,uint256)", [from, to, amount], (frame) => {
        const [owner, spender] = [address(from), frame.caller];
        const { ledger } = frame;
        frame.change((state) => state.spend(this.address, owner, spender, amount));
        moveAmount(frame, owner, address(to), amount);
        // Emits the new allowance, as OpenZeppelin did before version 5, so that allowances can be
        // derived from events alone.
        const allowance = word(ledger.allowance(this.address, owner, spender));
        frame.emit([tokenEvents.approval, owner, spender], allowance);
      }),
    mint: (to: Address, amount: bigint): CallMessage =>
      this.callMessage("mint(address,uint256)", [to, amount], (frame) =>
        moveAmount(frame, ZERO_ADDRESS, address(to), amount),
      ),
    burn: (amount: bigint): CallMessage =>
      this.callMessage("burn(uint256)", [amount], (frame) =>
        moveAmount(frame, frame.caller, ZERO_ADDRESS, amount),
      ),
  };

  transfer(from: Address, to: Address, amount: bigint, options?: TokenOptions): SentTransaction {
    return this.sendCall(from, this.calls.transfer(to, amount), options);
  }

  /** Lets a spender take up to `amount` with {@link transferFrom}. */
  approve(
    owner: Address,
    spender: Address,
    amount: bigint,
    options?: TokenOptions,
  ): SentTransaction {
    return this.sendCall(owner, this.calls.approve(spender, amount), options);
  }

  /** An approved spender transfers an amount. */
  transferFrom(
    spender: Address,
    from: Address,
    to: Address,
    amount: bigint,
    options?: TokenOptions,
  ): SentTransaction {
    return this.sendCall(spender, this.calls.transferFrom(from, to, amount), options);
  }

  mint(to: Address, amount: bigint, options?: TokenOptions): SentTransaction {
    return this.sendCall(this.owner, this.calls.mint(to, amount), options);
  }

  burn(holder: Address, amount: bigint, options?: TokenOptions): SentTransaction {
    return this.sendCall(holder, this.calls.burn(amount), options);
  }
}

/** An MRC721 collection. */
export class Mrc721Contract extends TokenContract {
  /** Its functions, to call from another contract. */
  readonly calls = {
    transferFrom: (from: Address, to: Address, id: bigint): CallMessage =>
      this.callMessage("transferFrom(address,address,uint256)", [from, to, id], (frame) => {
        const { caller } = frame;
        const owner = address(from);
        frame.change((ledger) => {
          if (
            ledger.owner(this.address, id) === owner &&
            !ledger.mayMove(this.address, id, caller)
          ) {
            refuse(
              `${ledger.label(caller)} may not move token ${id} of ${ledger.label(this.address)}: ${ledger.label(owner)} owns it and has not approved this account`,
            );
          }
        });
        moveId(frame, owner, address(to), id);
      }),
    approve: (operator: Address, id: bigint): CallMessage =>
      this.callMessage("approve(address,uint256)", [operator, id], (frame) => {
        const { caller } = frame;
        frame.change((ledger) => {
          if (ledger.owner(this.address, id) !== caller) {
            refuse(
              `${ledger.label(caller)} does not own token ${id} of ${ledger.label(this.address)}, so it cannot approve an account for it`,
            );
          }
          ledger.approve(this.address, id, address(operator));
        });
        frame.emit([tokenEvents.approval, caller, operator, id]);
      }),
    setApprovalForAll: (operator: Address, approved: boolean): CallMessage =>
      this.callMessage("setApprovalForAll(address,bool)", [operator, approved], (frame) => {
        const { caller } = frame;
        frame.change((ledger) =>
          ledger.approveAll(this.address, caller, address(operator), approved),
        );
        frame.emit([tokenEvents.approvalForAll, caller, operator], word(approved));
      }),
    mint: (to: Address, id: bigint, uri?: string): CallMessage =>
      this.callMessage("mint(address,uint256)", [to, id], (frame) => {
        moveId(frame, ZERO_ADDRESS, address(to), id);
        if (uri !== undefined) {
          frame.change((ledger) => ledger.setUri(this.address, id, uri));
        }
      }),
    burn: (id: bigint): CallMessage =>
      this.callMessage("burn(uint256)", [id], (frame) =>
        moveId(frame, frame.caller, ZERO_ADDRESS, id),
      ),
  };

  transfer(from: Address, to: Address, id: bigint, options?: TokenOptions): SentTransaction {
    return this.sendCall(from, this.calls.transferFrom(from, to, id), options);
  }

  /** An approved account transfers a token. */
  transferFrom(
    mover: Address,
    from: Address,
    to: Address,
    id: bigint,
    options?: TokenOptions,
  ): SentTransaction {
    return this.sendCall(mover, this.calls.transferFrom(from, to, id), options);
  }

  approve(owner: Address, operator: Address, id: bigint, options?: TokenOptions): SentTransaction {
    return this.sendCall(owner, this.calls.approve(operator, id), options);
  }

  /** Allows or forbids an operator to move all of an owner's tokens. */
  setApprovalForAll(
    owner: Address,
    operator: Address,
    approved: boolean,
    options?: TokenOptions,
  ): SentTransaction {
    return this.sendCall(owner, this.calls.setApprovalForAll(operator, approved), options);
  }

  /** The deployer mints a token. Ids have up to 256 bits. */
  mint(
    to: Address,
    id: bigint,
    options: TokenOptions & { readonly uri?: string } = {},
  ): SentTransaction {
    const { uri, ...rest } = checked("mint", "mint", options);
    return this.sendCall(this.owner, this.calls.mint(to, id, uri), rest);
  }

  burn(owner: Address, id: bigint, options?: TokenOptions): SentTransaction {
    return this.sendCall(owner, this.calls.burn(id), options);
  }
}
