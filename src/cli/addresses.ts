// Reads addresses from arguments, files (`@file`, `--addresses-from`) and standard input (`-`), and
// tracks the position of an export in their list.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { InvalidArgumentError } from "commander";
import { wrongChecksum } from "../http/checksums.ts";
import { hasChecksum } from "../models/hex.ts";
import { check, explain } from "../models/issues.ts";
import { checksumAddress } from "../models/keccak.ts";
import { type Address, address as addressSchema } from "../models/primitives.ts";
import { inWords } from "./exit-codes.ts";
import type { ProcessIO } from "./process-io.ts";

/** Parses a word. Errors name its place, such as a line of a file. */
type Parse = (word: string, place: string) => Address;

/** Returns a parser that checks checksums unless `checksum` is false. */
const parser =
  (checksum: boolean): Parse =>
  (word, place) => {
    const { value, issues } = check(addressSchema, word);
    if (issues !== undefined)
      throw new InvalidArgumentError(`${place}: ${issues.map(explain).join("; ")}`);
    if (!checksum || !hasChecksum(value)) return value;
    const right = checksumAddress(value);
    if (right === value) return value;
    throw new InvalidArgumentError(`${place}: ${explain(wrongChecksum([], value, right))}`);
  };

/** Reads addresses separated by spaces, commas or lines. `#` begins a comment. */
const addressesIn = (content: string, name: string, parse: Parse): Address[] =>
  content.split(/\r?\n/).flatMap((line, index) =>
    line
      .replace(/^\u{feff}|#.*$/gu, "")
      .split(/[\s,]+/)
      .filter((word) => word !== "")
      .map((word) => parse(word, `${name}, line ${index + 1}`)),
  );

function readAddresses(path: string, parse: Parse): Address[] {
  let content: string;
  try {
    content = readFileSync(path, "utf8");
  } catch (error) {
    throw new InvalidArgumentError(inWords(error, path));
  }
  return addressesIn(content, path, parse);
}

/** Reads addresses in order. @throws InvalidArgumentError if one is invalid, or if none is found */
export async function collectAddresses(
  words: readonly string[],
  file: string | undefined,
  { stdin }: ProcessIO,
  checksum: boolean,
): Promise<readonly Address[]> {
  if (words.length === 0 && file === undefined)
    throw new InvalidArgumentError(
      "Missing addresses: pass them, @file, - (standard input) or --addresses-from <file>",
    );
  const parse = parser(checksum);
  let addresses: Address[] = [];
  for (const word of words) {
    if (word === "-")
      addresses = addresses.concat(addressesIn(await text(stdin), "standard input", parse));
    else if (word.startsWith("@"))
      addresses = addresses.concat(readAddresses(word.slice(1), parse));
    else addresses.push(parse(word, `addresses ${word}`));
  }
  if (file !== undefined) addresses = addresses.concat(readAddresses(file, parse));
  if (addresses.length === 0)
    throw new InvalidArgumentError("The files or standard input contain no addresses");
  return addresses;
}

/** A position in a list of addresses: the number of exported addresses, and their hash. */
export class AddressCursor {
  readonly #hash = createHash("sha256");
  #count = 0;

  /** Moves past some addresses, and returns the cursor. */
  add(addresses: readonly Address[]): string {
    for (const address of addresses) this.#hash.update(`${address.toLowerCase()}\n`);
    this.#count += addresses.length;
    return `${this.#count} ${this.#hash.copy().digest("hex")}`;
  }

  /** Returns the addresses after a cursor. Throws if the addresses before it have changed. */
  rest(addresses: readonly Address[], cursor: string | undefined): readonly Address[] {
    if (cursor === undefined) return addresses;
    const count = Number.parseInt(cursor, 10);
    if (count > addresses.length || this.add(addresses.slice(0, count)) !== cursor)
      throw new InvalidArgumentError(
        "The addresses at the start of the list, which were exported already, have changed: you may only append addresses",
      );
    return addresses.slice(count);
  }
}
