// SPDX-License-Identifier: MIT
// A shop that is paid in a token: what the tasks of the page are about.
pragma solidity ^0.8.28;

contract Token {
  string public name = "Aurora";
  string public symbol = "AUR";
  uint8 public constant decimals = 6;
  uint256 public totalSupply;
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;

  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);

  error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed);

  constructor(uint256 supply) {
    totalSupply = supply;
    balanceOf[msg.sender] = supply;
    emit Transfer(address(0), msg.sender, supply);
  }

  function approve(address spender, uint256 value) external returns (bool) {
    allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
    return true;
  }

  function transfer(address to, uint256 value) external returns (bool) {
    return move(msg.sender, to, value);
  }

  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    allowance[from][msg.sender] -= value;
    return move(from, to, value);
  }

  function move(address from, address to, uint256 value) private returns (bool) {
    uint256 has = balanceOf[from];
    if (has < value) revert ERC20InsufficientBalance(from, has, value);
    balanceOf[from] = has - value;
    balanceOf[to] += value;
    emit Transfer(from, to, value);
    return true;
  }
}

contract Stock {
  uint256 public left = 5;

  error SoldOut(uint256 left, uint256 wanted);

  function take(uint256 count) external {
    if (count > left) revert SoldOut(left, count); // fails: buy
    left -= count;
  }
}

contract Shop {
  uint256 public price = 2_000_000;
  Token public immutable token;
  Stock public immutable stock;
  address payable private immutable keeper;

  event Sold(address indexed buyer, uint256 count, uint256 paid);

  constructor(Token token_) {
    token = token_;
    stock = new Stock();
    keeper = payable(msg.sender);
  }

  /// Pays with tokens; coins sent along are a tip.
  function buy(uint256 count) external payable returns (uint256 paid) {
    stock.take(count);
    paid = count * price;
    token.transferFrom(msg.sender, address(this), paid);
    keeper.transfer(msg.value);
    emit Sold(msg.sender, count, paid);
  }

  function quote(uint256 count) external view returns (uint256) {
    return count * price;
  }
}
