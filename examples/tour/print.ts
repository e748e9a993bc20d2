// How the tour looks: headings, tables, a progress line, and the tally of what was checked.
import pc from "picocolors";

const { bold, cyan, dim, green, red } = pc;

/** A title for a part of the tour. */
export const part = (title: string): void => console.log(`\n${bold(cyan(title))}`);

/** One operation: its number, how it is asked, and what for. */
export const question = (id: string, call: string, summary: string): void =>
  console.log(`\n${bold(id.padEnd(4))}${call}  ${dim(summary)}`);

export const say = (line: string): void => console.log(`    ${line}`);

/** A short form of a hash or an address that is still told from its neighbours. */
export const short = (hex: string | null): string =>
  hex === null ? "-" : hex.length > 14 ? `${hex.slice(0, 8)}…${hex.slice(-4)}` : hex;

/** A time as a person reads it. */
export const time = (date: Date): string => date.toISOString().slice(0, 19).replace("T", " ");

const number = /^[+-]?[\d.,]+( \S+)?$/;

/** Rows under a head; columns of numbers stand right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const columns = head.map((name, index) => {
    const cells = rows.map((row) => row[index] ?? "");
    const width = Math.max(...[name, ...cells].map((cell) => cell.length));
    const right = cells.length > 0 && cells.every((cell) => number.test(cell));
    return (cell: string) => (right ? cell.padStart(width) : cell.padEnd(width));
  });
  const line = (cells: readonly string[]) =>
    columns
      .map((align, index) => align(cells[index] ?? ""))
      .join("  ")
      .trimEnd();
  say(dim(line(head)));
  for (const row of rows) say(line(row));
}

/** A line that grows where it stands on a terminal; in a file only its end is written. */
export function progress(text: string, done: boolean): void {
  if (process.stdout.isTTY) process.stdout.write(`\r    ${text}${done ? "\n" : ""}`);
  else if (done) say(text);
}

const tally = { right: 0, wrong: 0 };

const plain = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? `${one}n` : one));

/** Compares an answer with the truth, and says so. */
export function check(what: string, answer: unknown, truth: unknown): void {
  const [came, wanted] = [plain(answer), plain(truth)];
  if (came === wanted) {
    tally.right++;
    say(`${green("✓")} ${dim(what)}`);
  } else {
    tally.wrong++;
    say(`${red("✗")} ${what}: expected ${wanted?.slice(0, 200)}, got ${came?.slice(0, 200)}`);
  }
}

/** The last lines: how much was right. Gives the exit code. */
export function conclusion(operations: number, milliseconds: number): number {
  const { right, wrong } = tally;
  const seconds = (milliseconds / 1000).toFixed(1);
  const verdict = wrong === 0 ? green("all answers are right") : red(`${wrong} answers are WRONG`);
  console.log(
    `\n${bold(`${operations} operations`)}, ${right + wrong} answers checked against a node's: ${verdict} (${seconds} s)`,
  );
  return wrong === 0 ? 0 : 1;
}
