// The ports that fetch and browsers refuse to connect to (https://fetch.spec.whatwg.org/#port-blocking).

/** Below 1024, many ports are blocked for old protocols; these are the others, by what they are for. */
const names: Readonly<Record<number, string>> = {
  1719: "h323gatestat",
  1720: "h323hostcall",
  1723: "pptp",
  2049: "nfs",
  3659: "apple-sasl",
  4045: "npp",
  4190: "sieve",
  5060: "sip",
  5061: "sips",
  6000: "x11",
  6566: "sane-port",
  6665: "irc",
  6666: "irc",
  6667: "irc",
  6668: "irc",
  6669: "irc",
  6679: "osaut",
  6697: "ircs",
  10080: "amanda",
};

const wellKnown: ReadonlySet<number> = new Set([
  ...[1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95],
  ...[101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179],
  ...[389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601],
  ...[636, 989, 990, 993, 995],
]);

/** Why no client could reach a port; undefined if clients can. */
export function blockedPort(port: number): string | undefined {
  const name = names[port];
  if (name === undefined && !wellKnown.has(port)) return undefined;
  const reserved = name === undefined ? "" : ` (${name})`;
  return `port ${port}${reserved}: fetch and browsers refuse to connect to it; choose another, or 0 for a free one`;
}
