// SPDX-License-Identifier: MIT
// Every way in which Solidity places a variable, each changed by one call.
pragma solidity ^0.8.28;

contract Places {
  enum Phase { open, closed }
  struct Order { uint128 amount; uint64 at; bool paid; string note; mapping(address => uint256) shares; }

  address public owner = address(1);
  bool public paused;
  int16 private temperature = -4;
  Phase private phase;
  bytes4 private mark = 0x01020304;
  uint256 public total;
  mapping(address => mapping(address => uint256)) private allowance;
  mapping(string => uint256) private byName;
  mapping(bytes32 => bool) private used;
  uint256[] private amounts;
  uint16[4] private small;
  string private title = "short";
  Order[] private orders;
  mapping(uint256 => Order) private byId;
  uint256 private nextId = 7;

  function change(address spender, uint256 amount, string calldata name, bytes32 salt) external {
    paused = true;
    temperature = -5;
    phase = Phase.closed;
    total = amount;
    allowance[msg.sender][spender] = amount;
    byName[name] = amount;
    used[salt] = true;
    amounts.push(amount);
    small[2] = 9;
    title = "a title that is longer than thirty-one bytes";
    Order storage order = orders.push();
    order.amount = 3;
    order.paid = true;
    order.shares[spender] = 11;
    byId[nextId].note = "hello";
    nextId += 1;
  }
}
