// A checksum at the end of each line of a store, which shows that a disk changed the line.
import { crc32 } from "node:zlib";

const checksumOf = (json: string): string => crc32(json).toString(16).padStart(8, "0");

const FIELD = /^,"checksum":"([0-9a-f]{8})"\}$/;
const FIELD_LENGTH = 23;

/** Adds the checksum of an object's JSON as its last field. */
export const withChecksum = (json: string): string =>
  `${json.slice(0, -1)},"checksum":"${checksumOf(json)}"}`;

/**
 * Whether the checksum of a line does not match its text. Lines of other programs have no checksum.
 */
export function isDamaged(line: string): boolean {
  const [, checksum] = FIELD.exec(line.slice(-FIELD_LENGTH)) ?? [];
  return checksum !== undefined && checksumOf(`${line.slice(0, -FIELD_LENGTH)}}`) !== checksum;
}
