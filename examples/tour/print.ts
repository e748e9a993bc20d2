// Prints the tour: headings, tables, progress, and the number of checks passed.
import pc from "picocolors";

const { bold, cyan, dim, green, red } = pc;

// A reader such as `head` may leave early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

/** Prints the title of a part of the tour. */
export const part = (title: string): void => console.log(`\n${bold(cyan(title))}`);

/** The columns of a narrow terminal, less the indentation. */
const WIDTH = 76;

/** Prints the heading of an operation: its id, method and summary. */
export function heading(id: string, method: string, summary: string): void {
  const isLong = method.length + summary.length + 2 > WIDTH;
  console.log(`\n${bold(id.padEnd(4))}${method}${isLong ? "\n    " : "  "}${dim(summary)}`);
}

/** Prints a text in lines that end between words. */
export function say(text: string): void {
  for (const line of text.match(/.{1,76}(?!\S)|\S+/g) ?? []) console.log(`    ${line.trim()}`);
}

/** Shortens a hash or an address, keeping enough to distinguish it. */
export const short = (hex: string | null): string =>
  hex === null ? "-" : hex.length > 11 ? `${hex.slice(0, 6)}…${hex.slice(-4)}` : hex;

/** Formats a time for humans. */
export const time = (date: Date): string => date.toISOString().slice(0, 19).replace("T", " ");

const number = /^[+-]?[\d.,]+( \S+)?$/;

/** Prints a table; columns of numbers are right-aligned. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const columns = head.map((name, index) => {
    const cells = rows.map((row) => row[index] ?? "");
    const width = Math.max(...[name, ...cells].map((cell) => cell.length));
    const right = cells.length > 0 && cells.every((cell) => number.test(cell));
    return (cell: string) => (right ? cell.padStart(width) : cell.padEnd(width));
  });
  const line = (cells: readonly string[]) => {
    const whole = columns
      .map((align, index) => align(cells[index] ?? ""))
      .join("  ")
      .trimEnd();
    return whole.length > WIDTH ? `${whole.slice(0, WIDTH - 1)}…` : whole;
  };
  console.log(`    ${dim(line(head))}`);
  for (const row of rows) console.log(`    ${line(row)}`);
}

/** Updates a progress line in place on a terminal; elsewhere prints only the last one. */
export function progress(text: string, done: boolean): void {
  if (process.stdout.isTTY) process.stdout.write(`\r    ${text}${done ? "\n" : ""}`);
  else if (done) say(text);
}

const tally = { passed: 0, failed: 0 };

const plain = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? `${one}n` : one));

/** Compares a result with the expected one and prints the outcome. */
export function check(what: string, received: unknown, expected: unknown): void {
  const [actual, wanted] = [plain(received), plain(expected)];
  if (actual === wanted) {
    tally.passed++;
    say(`${green("✓")} ${dim(what)}`);
  } else {
    tally.failed++;
    say(
      `${red("✗")} ${what}: expected ${wanted?.slice(0, 200)}, received ${actual?.slice(0, 200)}`,
    );
  }
}

/** Prints the summary and returns the exit code. */
export function conclusion(operations: number, milliseconds: number): number {
  const { passed, failed } = tally;
  const seconds = (milliseconds / 1000).toFixed(1);
  const verdict = failed === 0 ? green("all are correct") : red(`${failed} results are WRONG`);
  console.log(
    `\n${bold(`${operations} operations`)}, ${passed + failed} results compared with the node's: ${verdict} (${seconds} s)`,
  );
  return failed === 0 ? 0 : 1;
}
