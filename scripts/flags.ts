// The flags of a script: `--help` prints its usage, and a wrong flag also says what is wrong.

/** Parses the flags of this process; ends it if they are wrong, or for `--help`. */
export function flagsOf<Flags>(usage: string, parse: () => Flags): Flags {
  if (process.argv.includes("--help")) {
    console.log(usage);
    process.exit();
  }
  try {
    return parse();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exit(2);
  }
}

/** The number that a flag says. */
export function wholeNumber(flag: string, text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new Error(`${flag}: expected a whole number, received "${text}"`);
  return Number(text);
}
