// SPDX-License-Identifier: MIT
// Every way to fail; a line that fails says for which function of Vault, or which contract: "fails: name".
pragma solidity ^0.8.28;

error Closed();

library Numbers {
  error TooLarge(uint256 value, uint256 limit);

  function checked(uint256 value) external pure returns (uint256) {
    require(value < 10, "the library says no"); // fails: libraryText
    return value;
  }

  function limited(uint256 value) internal pure returns (uint256) {
    if (value > 10) revert TooLarge(value, 10); // fails: libraryError
    return value;
  }
}

contract Till {
  error Empty(string currency);

  function open(string calldata currency) external pure {
    revert Empty(currency); // fails: twoDeep
  }
}

contract Bank {
  error NoCredit(address who, uint256 has, uint256 wants);

  Till public till = new Till();

  function lend(uint256 amount) external view {
    revert NoCredit(address(this), 3, amount); // fails: nested, caughtAndAfter, ignored, rethrown
  }

  function say() external pure {
    revert("the bank is closed"); // fails: nestedText, wrapped
  }

  function divide(uint256 by) external pure returns (uint256) {
    return 7 / by; // fails: nestedPanic
  }

  function openTill() external view {
    till.open("EUR");
  }

  function spin() external view {
    uint256 left = gasleft();
    while (left > 0) left = gasleft(); // fails: nestedOutOfGas
  }

  function fine() external pure returns (uint256) {
    return 1;
  }
}

contract Silent {
  fallback() external {}
}

contract Broken {
  error NoOwner(address given);

  uint256 public immutable fee;

  constructor(address owner, uint256 given) {
    if (owner == address(0)) revert NoOwner(owner); // fails: constructorError, factory
    require(given < 100, "fee too high"); // fails: constructorText
    fee = 100 / given; // fails: constructorPanic
  }
}

abstract contract Owned {
  address internal owner = address(1);

  error NotOwner(address caller);

  modifier onlyOwner() {
    require(msg.sender == owner, "not the owner"); // fails: modified
    _;
  }

  function inherited(uint256 value) external pure {
    if (value == 0) revert("inherited"); // fails: inherited
  }
}

contract Vault is Owned {
  struct Order {
    uint256 id;
    string note;
  }
  enum Side {
    Buy,
    Sell
  }

  error NotEnough(uint256 has, uint256 wants);
  error Refused(string why, bool final_);
  error BadOrder(Order order, uint8[] sides);
  error Wrapped(string reason);

  Bank public bank = new Bank();
  Silent public silent = new Silent();
  uint256 public count;
  uint256[] public list;

  function text() external pure {
    require(false, "not yours"); // fails: text
  }

  function revertText() external pure {
    revert("closed for today"); // fails: revertText
  }

  function longText() external pure {
    revert("a reason that is a good deal longer than the thirty-two bytes of one word"); // fails: longText
  }

  function emptyText() external pure {
    require(false, ""); // fails: emptyText
  }

  function unicodeText() external pure {
    revert(unicode"zu spät ☂"); // fails: unicodeText
  }

  function noText(uint256 value) external pure {
    require(value > 10); // fails: noText
  }

  function custom() external pure {
    revert Closed(); // fails: custom
  }

  function customArguments() external pure {
    revert NotEnough(100, 999); // fails: customArguments
  }

  function customText() external pure {
    revert Refused("why", true); // fails: customText
  }

  function customStruct() external pure {
    uint8[] memory sides = new uint8[](2);
    sides[1] = 5;
    revert BadOrder(Order(7, "note"), sides); // fails: customStruct
  }

  function requireCustom(uint256 has) external pure {
    require(has > 10, NotEnough(has, 10)); // fails: requireCustom
  }

  function modified() external onlyOwner {
    count = 1;
  }

  function internalCall() external pure {
    one(3);
  }

  function one(uint256 value) private pure {
    two(value + 1);
  }

  function two(uint256 value) private pure {
    if (value > 1) revert NotEnough(value, 5); // fails: internalCall
  }

  function divide(uint256 by) external pure returns (uint256) {
    return 100 / by; // fails: divide
  }

  function overflow(uint256 value) external pure returns (uint256) {
    return type(uint256).max + value; // fails: overflow
  }

  function underflow() external {
    count -= 1; // fails: underflow
  }

  function asserts(uint256 value) external pure {
    assert(value > 10); // fails: asserts
  }

  function enums(uint256 value) external pure returns (Side) {
    return Side(value); // fails: enums
  }

  function index(uint256 at) external view returns (uint256) {
    return list[at]; // fails: index
  }

  function pop() external {
    list.pop(); // fails: pop
  }

  function memory_(uint256 size) external pure returns (uint256) {
    uint256[] memory all = new uint256[](size); // fails: memory_
    return all.length;
  }

  function pointer() external pure returns (uint256) {
    function() pure returns (uint256) unset;
    return unset(); // fails: pointer
  }

  function nested(uint256 amount) external view {
    bank.lend(amount);
  }

  function twoDeep() external view {
    bank.openTill();
  }

  function nestedText() external view {
    bank.say();
  }

  function nestedPanic() external view returns (uint256) {
    return bank.divide(0);
  }

  function nestedOutOfGas() external view {
    bank.spin{gas: 30000}();
  }

  function hidden(uint256 amount) external {
    (bool ok, ) = address(bank).call(abi.encodeCall(Bank.lend, (amount)));
    require(ok, "call failed"); // fails: hidden
  }

  function caught() external view {
    try bank.lend(1) {} catch {
      revert("caught"); // fails: caught
    }
  }

  function wrapped() external view {
    try bank.say() {} catch Error(string memory reason) {
      revert Wrapped(reason); // fails: wrapped_
    }
  }

  function rethrown() external view {
    try bank.lend(2) {} catch (bytes memory reason) {
      assembly {
        revert(add(reason, 32), mload(reason))
      }
    }
  }

  function caughtAndAfter() external view {
    try bank.lend(3) {} catch {}
    bank.fine();
    revert NotEnough(1, 2); // fails: caughtAndAfter_
  }

  function noContract() external pure {
    Bank(address(0xdead)).fine(); // fails: noContract
  }

  function noAnswer() external view returns (uint256) {
    return Bank(address(silent)).fine(); // fails: noAnswer
  }

  function libraryText(uint256 value) external pure returns (uint256) {
    return Numbers.checked(value);
  }

  function libraryError(uint256 value) external pure returns (uint256) {
    return Numbers.limited(value);
  }

  function outOfGas() external {
    while (true) count += 1; // fails: outOfGas
  }

  function invalid() external pure {
    assembly {
      invalid() // fails: invalid
    }
  }

  function rawBytes() external pure {
    assembly {
      mstore(0, shl(224, 0xdeadbeef))
      revert(0, 4) // fails: rawBytes
    }
  }

  function factory(address owner) external returns (Broken) {
    return new Broken(owner, 1);
  }

  function tooLarge() external pure returns (uint8) {
    uint256[] memory all = new uint256[](2);
    return uint8(all[2]); // fails: tooLarge
  }
}
