// A coin and a collection as token contracts are written.
pragma solidity 0.8.28;
contract Coin {
  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;
  uint256 public totalSupply;
  function move(address from, address to, uint256 value) private {
    balanceOf[from] -= value;
    balanceOf[to] += value;
    emit Transfer(from, to, value);
  }
  function transfer(address to, uint256 value) external { move(msg.sender, to, value); }
  function approve(address spender, uint256 value) external {
    allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
  }
  function transferFrom(address from, address to, uint256 value) external {
    allowance[from][msg.sender] -= value;
    move(from, to, value);
    emit Approval(from, msg.sender, allowance[from][msg.sender]);
  }
  function mint(address to, uint256 value) external {
    totalSupply += value;
    balanceOf[to] += value;
    emit Transfer(address(0), to, value);
  }
  function burn(uint256 value) external {
    balanceOf[msg.sender] -= value;
    totalSupply -= value;
    emit Transfer(msg.sender, address(0), value);
  }
}
contract Art {
  event Transfer(address indexed from, address indexed to, uint256 indexed id);
  event Approval(address indexed owner, address indexed operator, uint256 indexed id);
  event ApprovalForAll(address indexed owner, address indexed operator, bool approved);
  mapping(uint256 => address) public ownerOf;
  mapping(uint256 => address) public getApproved;
  mapping(address => mapping(address => bool)) public isApprovedForAll;
  function move(address from, address to, uint256 id) private {
    ownerOf[id] = to;
    delete getApproved[id];
    emit Transfer(from, to, id);
  }
  function transferFrom(address from, address to, uint256 id) external {
    require(from != address(0) && ownerOf[id] == from);
    require(msg.sender == from || getApproved[id] == msg.sender || isApprovedForAll[from][msg.sender]);
    move(from, to, id);
  }
  function approve(address operator, uint256 id) external {
    require(ownerOf[id] == msg.sender);
    getApproved[id] = operator;
    emit Approval(msg.sender, operator, id);
  }
  function setApprovalForAll(address operator, bool approved) external {
    isApprovedForAll[msg.sender][operator] = approved;
    emit ApprovalForAll(msg.sender, operator, approved);
  }
  function mint(address to, uint256 id) external {
    require(ownerOf[id] == address(0));
    move(address(0), to, id);
  }
  function burn(uint256 id) external {
    require(ownerOf[id] == msg.sender);
    move(msg.sender, address(0), id);
  }
}
