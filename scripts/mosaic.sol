// SPDX-License-Identifier: MIT
// A collection whose pictures are on the chain: the demo chain's last block creates it.
pragma solidity ^0.8.24;

contract Mosaic {
    string public constant name = "Mosaic";
    string public constant symbol = "MOS";
    uint256 public totalSupply;
    mapping(uint256 id => address) public ownerOf;
    mapping(address owner => uint256) public balanceOf;
    mapping(uint256 id => address) public getApproved;
    mapping(address owner => mapping(address operator => bool)) public isApprovedForAll;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    error NotAllowed(address sender, uint256 tokenId);

    constructor(address[] memory owners) {
        for (uint256 at; at < owners.length; at++) {
            ownerOf[++totalSupply] = owners[at];
            balanceOf[owners[at]]++;
            emit Transfer(address(0), owners[at], totalSupply);
        }
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f;
    }

    function approve(address approved, uint256 tokenId) external {
        address owner = ownerOf[tokenId];
        if (msg.sender != owner && !isApprovedForAll[owner][msg.sender]) revert NotAllowed(msg.sender, tokenId);
        getApproved[tokenId] = approved;
        emit Approval(owner, approved, tokenId);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 tokenId) external {
        bool isAllowed = msg.sender == from || msg.sender == getApproved[tokenId] || isApprovedForAll[from][msg.sender];
        if (!isAllowed || from != ownerOf[tokenId] || to == address(0)) revert NotAllowed(msg.sender, tokenId);
        delete getApproved[tokenId];
        ownerOf[tokenId] = to;
        balanceOf[from]--;
        balanceOf[to]++;
        emit Transfer(from, to, tokenId);
    }

    function tokenURI(uint256 tokenId) external view returns (string memory) {
        require(ownerOf[tokenId] != address(0), "Mosaic: no such token");
        string memory number = decimal(tokenId);
        string memory image = string.concat("data:image/svg+xml;utf8,", picture(tokenId));
        return string.concat('data:application/json;utf8,{"name":"Mosaic ', number, '","image":"', image, '"}');
    }

    /// Four by four tiles, alike on both sides, in colors of the id.
    function picture(uint256 tokenId) private pure returns (string memory svg) {
        uint256 random = uint256(keccak256(abi.encode(tokenId)));
        svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 4'>";
        for (uint256 tile; tile < 8; tile++) {
            uint256 seed = random >> (24 * tile);
            string memory color = string.concat(decimal(seed & 255), ",", decimal((seed >> 8) & 255), ",", decimal((seed >> 16) & 255));
            string memory row = decimal(tile / 2);
            string memory left = string.concat("M", decimal(tile % 2), " ", row, "h1v1h-1z");
            string memory right = string.concat("M", decimal(3 - tile % 2), " ", row, "h1v1h-1z");
            svg = string.concat(svg, "<path fill='rgb(", color, ")' d='", left, right, "'/>");
        }
        svg = string.concat(svg, "</svg>");
    }

    function decimal(uint256 value) private pure returns (string memory) {
        if (value < 10) return string(abi.encodePacked(uint8(48 + value)));
        return string.concat(decimal(value / 10), decimal(value % 10));
    }
}
