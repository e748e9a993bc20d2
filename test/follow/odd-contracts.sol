// Contracts whose state is not what their events say.
pragma solidity 0.8.28;

contract Coin {
  event Transfer(address indexed from, address indexed to, uint256 value);
  string public name = "Coin";
  string public symbol = "COIN";
  uint8 public constant decimals = 2;
  mapping(address => uint256) internal units;
  uint256 internal unitSupply;
  function shown(uint256 amount) internal view virtual returns (uint256) { return amount; }
  function balanceOf(address holder) public view virtual returns (uint256) { return shown(units[holder]); }
  function totalSupply() public view virtual returns (uint256) { return shown(unitSupply); }
  function mint(address to, uint256 value) external { give(to, value); emit Transfer(address(0), to, value); }
  function transfer(address to, uint256 value) external returns (bool) {
    units[msg.sender] -= value; units[to] += value;
    emit Transfer(msg.sender, to, value);
    return true;
  }
  function give(address to, uint256 value) internal { units[to] += value; unitSupply += value; }
}

/** The balances of all change at once. */
contract Rebasing is Coin {
  uint256 public index = 100;
  function rebase(uint256 to) external { index = to; }
  function shown(uint256 amount) internal view override returns (uint256) { return amount * index / 100; }
}

/** The balances grow with every block. */
contract Growing is Coin {
  uint256 immutable since = block.number;
  function shown(uint256 amount) internal view override returns (uint256) { return amount * (1000 + block.number - since) / 1000; }
}

/** Gives and takes without an event. */
contract Silent is Coin {
  function silentMint(address to, uint256 value) external { give(to, value); }
  function silentBurn(address from) external { unitSupply -= units[from]; units[from] = 0; }
}

/** The next version of Coin: another name, and half the balances. */
contract CoinV2 is Coin {
  function shown(uint256 amount) internal pure override returns (uint256) { return amount / 2; }
  function rename() external { name = "Halved"; symbol = "HALF"; }
}

abstract contract Forwarding {
  function target() internal view virtual returns (address);
  fallback() external payable {
    address to = target();
    assembly {
      calldatacopy(0, 0, calldatasize())
      let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
      returndatacopy(0, 0, returndatasize())
      if iszero(ok) { revert(0, returndatasize()) }
      return(0, returndatasize())
    }
  }
}

/** EIP-1967: the implementation is in a slot. */
contract Upgradeable is Forwarding {
  bytes32 constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
  constructor(address to) { upgrade(to); }
  function upgrade(address to) public { assembly { sstore(SLOT, to) } }
  function target() internal view override returns (address to) { assembly { to := sload(SLOT) } }
}

contract Beacon {
  address public implementation;
  constructor(address to) { implementation = to; }
  function upgrade(address to) external { implementation = to; }
}

/** An upgrade of the beacon does not run this contract. */
contract Beaconed is Forwarding {
  Beacon immutable beacon;
  constructor(Beacon at) { beacon = at; }
  function target() internal view override returns (address) { return beacon.implementation(); }
}

contract Art {
  event Transfer(address indexed from, address indexed to, uint256 indexed id);
  string public name = "Art";
  string public symbol = "ART";
  string base = "hidden/";
  mapping(address => uint256) public balanceOf;
  mapping(uint256 => address) owners;
  uint256 public totalSupply;
  function supportsInterface(bytes4 id) external pure returns (bool) { return id == 0x01ffc9a7 || id == 0x80ac58cd; }
  function ownerOf(uint256 id) public view virtual returns (address) { require(owners[id] != address(0), "no such id"); return owners[id]; }
  function tokenURI(uint256 id) external view returns (string memory) { ownerOf(id); return string.concat(base, id % 2 == 0 ? "even" : "odd"); }
  function reveal(string calldata to) external { base = to; }
  function mint(address to, uint256 id) external { require(owners[id] == address(0)); totalSupply++; move(to, id); emit Transfer(address(0), to, id); }
  function transferFrom(address from, address to, uint256 id) external { require(owners[id] == from); move(to, id); emit Transfer(from, to, id); }
  function take(address to, uint256 id) external { ownerOf(id); move(to, id); }
  function swap(uint256 id, uint256 other) external { (owners[id], owners[other]) = (ownerOf(other), ownerOf(id)); }
  function vanish(uint256 id) external { balanceOf[ownerOf(id)]--; totalSupply--; delete owners[id]; }
  function move(address to, uint256 id) internal { if (owners[id] != address(0)) balanceOf[owners[id]]--; balanceOf[to]++; owners[id] = to; }
}

/** ERC-2309: many ids in one event. */
contract Batch is Art {
  event ConsecutiveTransfer(uint256 indexed fromTokenId, uint256 toTokenId, address indexed fromAddress, address indexed toAddress);
  function mintMany(address to, uint256 first, uint256 count) external {
    for (uint256 id = first; id < first + count; id++) owners[id] = to;
    balanceOf[to] += count;
    totalSupply += count;
    emit ConsecutiveTransfer(first, first + count - 1, address(0), to);
  }
  function claim(uint256 last) external { emit ConsecutiveTransfer(0, last, address(0), msg.sender); }
}

/** An early token: its events index nothing. */
contract Unindexed {
  event Transfer(address from, address to, uint256 value);
  string public name = "Unindexed";
  string public symbol = "OLD";
  uint8 public constant decimals = 0;
  mapping(address => uint256) public balanceOf;
  uint256 public totalSupply;
  function mint(address to, uint256 value) external { balanceOf[to] += value; totalSupply += value; emit Transfer(address(0), to, value); }
  function transfer(address to, uint256 value) external { balanceOf[msg.sender] -= value; balanceOf[to] += value; emit Transfer(msg.sender, to, value); }
}

contract Child {
  constructor() payable {}
  function end(address payable to) external { selfdestruct(to); }
}

/** Calls, creates, fails and ends in every way. */
contract Mischief {
  event Did(uint256 indexed what, bytes data);
  uint256 public times;
  constructor() payable {}
  receive() external payable { times++; }
  function fail() public payable { emit Did(1, msg.data); revert("no"); }
  function waste() external { while (true) times++; }
  function pass(address payable to) external payable { emit Did(2, msg.data); to.transfer(msg.value); }
  function tryFail(address payable to) external payable { try this.fail{value: msg.value / 2}() {} catch {} (bool ok,) = to.call{value: msg.value / 3}(""); emit Did(3, abi.encode(ok)); }
  function create(uint256 salt) external payable { new Child{value: msg.value / 2}(); new Child{salt: bytes32(salt), value: msg.value / 4}(); }
  function createAndEnd(address payable to) external payable { Child child = new Child{value: msg.value}(); child.end(to); }
  function hash(bytes calldata data) external returns (bytes32 result) { times++; emit Did(4, data); return sha256(data); }
  function delegate(address to) external payable { (bool ok,) = to.delegatecall(abi.encodeWithSignature("hash(bytes)", "x")); emit Did(5, abi.encode(ok)); }
}

contract Multi {
  event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
  event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values);
  mapping(uint256 => mapping(address => uint256)) public balanceOf;
  function supportsInterface(bytes4 id) external pure returns (bool) { return id == 0x01ffc9a7 || id == 0xd9b67a26; }
  function mint(address to, uint256 id, uint256 value) external {
    balanceOf[id][to] += value;
    emit TransferSingle(msg.sender, address(0), to, id, value);
    emit TransferBatch(msg.sender, address(0), to, new uint256[](1), new uint256[](1));
  }
}
