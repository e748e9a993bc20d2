// A checksum (CRC-32) at the end of each line of a store, which shows that a disk changed the line.

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crc32(text: string): string {
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(text))
    crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
}

const CHECKSUM = /,"checksum":"([0-9a-f]{8})"\}$/;

/** The JSON of an object with the checksum of its text as the last field. */
export const withChecksum = (json: string): string =>
  `${json.slice(0, -1)},"checksum":"${crc32(json)}"}`;

/** Whether a line has a checksum, and another text than the one it was made for. */
export function isDamaged(line: string): boolean {
  const match = CHECKSUM.exec(line);
  return match !== null && crc32(`${line.slice(0, match.index)}}`) !== match[1];
}
