// Signatures of standards and of OpenZeppelin's errors, and which of their values are amounts of a
// token.

export const standardSignatures: readonly string[] = [
  // Solidity's own errors.
  "error Error(string message)",
  "error Panic(uint256 code)",
  // ERC-20, and what most tokens add.
  "function name() returns (string)",
  "function symbol() returns (string)",
  "function decimals() returns (uint8)",
  "function totalSupply() returns (uint256)",
  "function balanceOf(address account) returns (uint256)",
  "function allowance(address owner, address spender) returns (uint256)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function approve(address spender, uint256 value) returns (bool)",
  "function transferFrom(address from, address to, uint256 value) returns (bool)",
  "function increaseAllowance(address spender, uint256 addedValue)",
  "function decreaseAllowance(address spender, uint256 subtractedValue)",
  "function mint(address to, uint256 value)",
  "function burn(uint256 value)",
  "function burnFrom(address account, uint256 value)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event Approval(address indexed owner, address indexed spender, uint256 value)",
  // ERC-721.
  "function ownerOf(uint256 tokenId) returns (address)",
  "function tokenURI(uint256 tokenId) returns (string)",
  "function getApproved(uint256 tokenId) returns (address)",
  "function isApprovedForAll(address owner, address operator) returns (bool)",
  "function setApprovalForAll(address operator, bool approved)",
  "function safeTransferFrom(address from, address to, uint256 tokenId)",
  "function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)",
  "function onERC721Received(address operator, address from, uint256 tokenId, bytes data)",
  "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
  "event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)",
  "event ApprovalForAll(address indexed owner, address indexed operator, bool approved)",
  // ERC-1155.
  "function balanceOf(address account, uint256 id) returns (uint256)",
  "function balanceOfBatch(address[] accounts, uint256[] ids)",
  "function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)",
  "function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)",
  "function uri(uint256 id)",
  "function onERC1155Received(address operator, address from, uint256 id, uint256 value, bytes data)",
  "function onERC1155BatchReceived(address operator, address from, uint256[] ids, uint256[] values, bytes data)",
  "event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
  "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
  "event URI(string value, uint256 indexed id)",
  // ERC-165 and ERC-2612.
  "function supportsInterface(bytes4 interfaceId) returns (bool)",
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  "function nonces(address owner) returns (uint256)",
  "function DOMAIN_SEPARATOR()",
  // ERC-4626.
  "function asset() returns (address)",
  "function totalAssets() returns (uint256)",
  "function convertToShares(uint256 assets) returns (uint256)",
  "function convertToAssets(uint256 shares) returns (uint256)",
  "function deposit(uint256 assets, address receiver) returns (uint256)",
  "function mint(uint256 shares, address receiver)",
  "function withdraw(uint256 assets, address receiver, address owner)",
  "function redeem(uint256 shares, address receiver, address owner)",
  "event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)",
  "event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)",
  // Wrapped coins.
  "function deposit()",
  "function withdraw(uint256 value)",
  "event Deposit(address indexed account, uint256 value)",
  "event Withdrawal(address indexed account, uint256 value)",
  // Multicalls.
  "function multicall(bytes[] data) returns (bytes[])",
  "function multicall(uint256 deadline, bytes[] data)",
  "function aggregate((address target, bytes callData)[] calls)",
  "function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls)",
  "function aggregate3((address target, bool allowFailure, bytes callData)[] calls)",
  // Proxies, owners and roles.
  "function implementation() returns (address)",
  "function admin() returns (address)",
  "function upgradeTo(address implementation)",
  "function upgradeToAndCall(address implementation, bytes data)",
  "function proxiableUUID()",
  "function initialize()",
  "event Upgraded(address indexed implementation)",
  "event BeaconUpgraded(address indexed beacon)",
  "event AdminChanged(address previousAdmin, address newAdmin)",
  "event Initialized(uint64 version)",
  "event Initialized(uint8 version)",
  "function owner() returns (address)",
  "function renounceOwnership()",
  "function transferOwnership(address newOwner)",
  "function acceptOwnership()",
  "event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)",
  "function grantRole(bytes32 role, address account)",
  "function revokeRole(bytes32 role, address account)",
  "function hasRole(bytes32 role, address account) returns (bool)",
  "event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)",
  "event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)",
  "function pause()",
  "function unpause()",
  "event Paused(address account)",
  "event Unpaused(address account)",
  // ERC-6093: the errors of tokens.
  "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
  "error ERC20InvalidSender(address sender)",
  "error ERC20InvalidReceiver(address receiver)",
  "error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)",
  "error ERC20InvalidApprover(address approver)",
  "error ERC20InvalidSpender(address spender)",
  "error ERC721InvalidOwner(address owner)",
  "error ERC721NonexistentToken(uint256 tokenId)",
  "error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)",
  "error ERC721InvalidSender(address sender)",
  "error ERC721InvalidReceiver(address receiver)",
  "error ERC721InsufficientApproval(address operator, uint256 tokenId)",
  "error ERC721InvalidApprover(address approver)",
  "error ERC721InvalidOperator(address operator)",
  "error ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)",
  "error ERC1155InvalidSender(address sender)",
  "error ERC1155InvalidReceiver(address receiver)",
  "error ERC1155MissingApprovalForAll(address operator, address owner)",
  "error ERC1155InvalidApprover(address approver)",
  "error ERC1155InvalidOperator(address operator)",
  "error ERC1155InvalidArrayLength(uint256 idsLength, uint256 valuesLength)",
  // The other errors of OpenZeppelin's contracts.
  "error OwnableUnauthorizedAccount(address account)",
  "error OwnableInvalidOwner(address owner)",
  "error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)",
  "error AccessControlBadConfirmation()",
  "error ReentrancyGuardReentrantCall()",
  "error EnforcedPause()",
  "error ExpectedPause()",
  "error InvalidInitialization()",
  "error NotInitializing()",
  "error FailedCall()",
  "error FailedInnerCall()",
  "error FailedDeployment()",
  "error InsufficientBalance(uint256 balance, uint256 needed)",
  "error AddressEmptyCode(address target)",
  "error AddressInsufficientBalance(address account)",
  "error SafeERC20FailedOperation(address token)",
  "error SafeERC20FailedDecreaseAllowance(address spender, uint256 currentAllowance, uint256 requestedDecrease)",
  "error SafeCastOverflowedUintDowncast(uint8 bits, uint256 value)",
  "error SafeCastOverflowedUintToInt(uint256 value)",
  "error SafeCastOverflowedIntToUint(int256 value)",
  "error ECDSAInvalidSignature()",
  "error ECDSAInvalidSignatureLength(uint256 length)",
  "error ECDSAInvalidSignatureS(bytes32 s)",
  "error ERC2612ExpiredSignature(uint256 deadline)",
  "error ERC2612InvalidSigner(address signer, address owner)",
  "error InvalidAccountNonce(address account, uint256 currentNonce)",
  "error ERC4626ExceededMaxDeposit(address receiver, uint256 assets, uint256 max)",
  "error ERC4626ExceededMaxMint(address receiver, uint256 shares, uint256 max)",
  "error ERC4626ExceededMaxWithdraw(address owner, uint256 assets, uint256 max)",
  "error ERC4626ExceededMaxRedeem(address owner, uint256 shares, uint256 max)",
  "error ERC1967InvalidImplementation(address implementation)",
  "error ERC1967InvalidAdmin(address admin)",
  "error ERC1967InvalidBeacon(address beacon)",
  "error ERC1967NonPayable()",
  "error ProxyDeniedAdminAccess()",
  "error UUPSUnauthorizedCallContext()",
  "error UUPSUnsupportedProxiableUUID(bytes32 slot)",
  "error MathOverflowedMulDiv()",
  "error StringsInsufficientHexLength(uint256 value, uint256 length)",
];

/** Signatures whose amounts are in units of the token. */
const AMOUNTS =
  /^(transfer|transferFrom|approve|mint|burn|burnFrom|increaseAllowance|decreaseAllowance|permit|deposit|withdraw|Transfer|Approval|Deposit|Withdrawal|ERC20Insufficient\w+)\(/;
const RETURNS_AMOUNT = /^(balanceOf|allowance)\(address|^totalSupply\(/;
const AMOUNT_NAMES = /^_?(value|amount|wad|addedValue|subtractedValue|balance|allowance|needed)$/;

/** Whether an argument is an amount of the token that is called or emits the event. */
export const isTokenAmount = (
  signature: string,
  { type, name = "" }: { readonly type: string; readonly name?: string | undefined },
): boolean =>
  type === "uint256" &&
  AMOUNT_NAMES.test(name) &&
  (AMOUNTS.test(signature) || RETURNS_AMOUNT.test(signature));

/** Whether a function returns an amount of the token that is called. */
export const returnsAmount = (signature: string): boolean => RETURNS_AMOUNT.test(signature);

/**
 * https://docs.soliditylang.org/en/latest/control-structures.html#panic-via-assert-and-error-via-
 * require
 */
const PANICS: Readonly<Record<string, string>> = {
  0: "generic panic",
  1: "assertion failed",
  17: "arithmetic overflow or underflow",
  18: "division or modulo by zero",
  33: "invalid value for an enum",
  34: "invalid encoding of a byte array in storage",
  49: "pop of an empty array",
  50: "array index out of bounds",
  65: "too much memory allocated",
  81: "call of an internal function that was never set",
};

/** "arithmetic overflow or underflow" */
export const panicText = (code: string): string => PANICS[code] ?? `Panic(${code})`;
