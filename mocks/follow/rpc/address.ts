// The parts of a node's address: the URL, the header for credentials, and the secrets.

/** Parts of paths that are not secret: names of networks, products and versions. */
const PUBLIC =
  /^(v\d+|rpc|jsonrpc|json-rpc|http|https|ws|api|ext|bc|c|eth|evm|node|archive|full|public|mainnet|testnet|devnet|ethereum|sepolia|holesky|hoodi|metadium|wemix|polygon|bsc|arbitrum|optimism|base|avalanche|gnosis|celo)$/i;

export interface NodeAddress {
  /** The URL without credentials, which fetch rejects. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/** Reads the URL of a node, with the headers that the user adds to each request. */
export function nodeAddress(
  text: string,
  headers: Readonly<Record<string, string>> = {},
): NodeAddress {
  const url = new URL(text);
  const user = decoded(url.username);
  const password = decoded(url.password);
  url.username = "";
  url.password = "";
  const credentials = `${user}:${password}`;
  const basic = Buffer.from(credentials).toString("base64");
  const isOpen = credentials === ":";
  return {
    url: url.href,
    headers: { ...(isOpen ? {} : { authorization: `Basic ${basic}` }), ...headers },
    secrets: [
      ...(isOpen ? [] : [credentials, password, basic]),
      // Without a password, the user name is the key.
      ...(password === "" ? [user] : []),
      ...url.pathname.split("/").flatMap((part) => [part, decoded(part)]),
      ...url.searchParams.values(),
      ...Object.values(headers).flatMap((value) => [value, ...value.split(" ")]),
    ].filter((part) => part !== "" && !PUBLIC.test(part) && !/^(Basic|Bearer)$/i.test(part)),
  };
}

// Decodes a part of a URL. Returns the part itself if it is not encoded, such as the password
// `50%`.
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
