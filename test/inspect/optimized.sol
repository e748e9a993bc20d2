// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

error Denied();
error TooMuch(uint256 given, uint256 most);
error Again(uint256 id);

library Checks {
  function positive(uint256 value) internal pure returns (uint256) {
    require(value > 100, "not positive"); // @30@
    return value;
  }
  function even(uint256 value) internal pure {
    if (value % 2 == 1) revert Again(value); // @31@
  }
}

abstract contract Base {
  address owner = address(1);
  bool paused;
  modifier onlyOwner() {
    require(msg.sender == owner, "not the owner"); // @20@
    _;
  }
  modifier whenPaused() {
    if (!paused) revert Denied(); // @21@
    _;
  }
  function _check(uint256 value) internal view {
    if (value < 1000) revert TooMuch(value, 1000); // @22@
    paused;
  }
  function _deny() internal pure {
    revert Denied(); // @23@
  }
}

contract Failing is Base {
  enum Kind { None, One, Two }
  uint256[] list;
  uint256[3] fixedList;
  mapping(address => uint256) balances;
  uint256 total = 3;
  uint8 small = 250;
  int256 low = type(int256).min;
  bytes text;
  function(uint256) internal returns (uint256) unset;

  function f0(uint256 a) external view { require(balances[msg.sender] >= a, "balance"); // @0@
  }
  function f1(uint256 a) external view { require(total > a, "balance"); // @1@
  }
  function f2(uint256 a) external view {
    if (a > total) revert Denied(); // @2@
  }
  function f3(uint256 a) external view {
    if (a > total + 1) revert Denied(); // @3@
  }
  function f4(uint256 a) external view {
    if (a > total) revert TooMuch(a, total); // @4@
  }
  function f5(uint256 a) external {
    total -= a; // @5@
  }
  function f6(uint256 a) external {
    balances[msg.sender] -= a; // @6@
  }
  function f7(uint256 a) external {
    small += uint8(a * 2); // @7@
  }
  function f8(uint256 a) external view returns (uint256) {
    return type(uint256).max / 2 * a; // @8@
  }
  function f9(uint256 a) external view returns (uint256) {
    return a / (total - 3); // @9@
  }
  function f10(uint256 a) external view returns (uint256) {
    return a % (total - 3); // @10@
  }
  function f11(uint256 a) external view returns (uint256) {
    return list[a]; // @11@
  }
  function f12(uint256 a) external view returns (uint256) {
    return fixedList[a]; // @12@
  }
  function f13() external {
    list.pop(); // @13@
  }
  function f14(uint256 a) external pure returns (Kind) {
    return Kind(a); // @14@
  }
  function f15(uint256 a) external view {
    assert(a < total); // @15@
  }
  function f16(uint256 a) external view {
    assert(a == total); // @16@
  }
  function f17(uint256 a) external pure {
    require(a == 0); // @17@
  }
  function f18(uint256 a) external view {
    require(a == total); // @18@
  }
  function f19() external pure {
    revert("never"); // @19@
  }
  function f20(uint256 a) external onlyOwner { total = a; }
  function f21(uint256 a) external whenPaused { total = a; }
  function f22(uint256 a) external {
    total = 7;
    _check(a);
  }
  function f23(uint256 a) external {
    total = a;
    _deny();
  }
  function f24(uint256 a) external {
    total = a + 1;
    (bool sent, ) = address(this).call(abi.encodeWithSelector(this.f19.selector));
    require(sent, "call failed"); // @24@
  }
  function f25(uint256 a) external {
    payable(msg.sender).transfer(a); // @25@
  }
  function f26() external view returns (int256) {
    return -low; // @26@
  }
  function f27(uint256 a) external pure returns (uint256) {
    uint256[] memory made = new uint256[](a);
    return made[a]; // @27@
  }
  function f28(uint256 a) external view returns (uint256 sum) {
    for (uint256 i = 0; i <= a; i++) {
      require(i < total, "loop too long"); // @28@
      sum += i;
    }
  }
  function f29(uint256 a) external view returns (bytes1) {
    return text[a]; // @29@
  }
  function f30(uint256 a) external pure returns (uint256) {
    return Checks.positive(a);
  }
  function f31(uint256 a) external pure {
    Checks.even(a);
  }
  function f32(uint256 a) external {
    unset(a); // @32@
  }
  function f33(uint256 a) external view returns (uint256) {
    return a ** (total * 200); // @33@
  }
  function f34(uint256 a) external view {
    if (a == 5) {
      if (total == 3) {
        revert Again(a); // @34@
      }
    }
  }
  function f35(uint256 a) external view {
    require(a > 1, "one");
    require(a > 2, "two");
    require(a > 6, "six"); // @35@
    require(total > 9, "nine");
  }
  function f36(uint256 a) external pure returns (uint256) {
    return a - 6; // @36@
  }
  function f37(uint256 a) external view returns (uint256) {
    uint256 left = total * 2;
    uint256 more = a - left; // @37@
    return more - 1;
  }
  function f38(uint256 a) external {
    uint256 before = total;
    total = a;
    if (before != a) revert Denied(); // @38@
    total = before;
  }
  function f39(uint256 a) external view returns (uint256) {
    return _third(a) + 1;
  }
  function _third(uint256 a) private view returns (uint256) {
    uint256 rest = a - total;
    return rest - 3; // @39@
  }
}
