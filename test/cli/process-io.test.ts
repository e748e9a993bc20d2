// What is printed of texts that an explorer or a node wrote.
import { expect, test } from "vitest";
import { CLEAR_LINE, messageOutput, sayOn } from "../../src/cli/process-io.ts";

const printed = (text: string): string => {
  let out = "";
  const write = (more: string) => {
    out += more;
    return true;
  };
  messageOutput({ write, once: () => undefined, isTTY: true, columns: 80 }).write(text);
  return out;
};

test.each([
  ["a title (OSC)", "\u001b]0;PWNED\u0007"],
  ["an emptied screen (CSI)", "\u001b[2J"],
  ["C1 controls", "\u009b31m"],
  ["a turned direction", "\u202e"],
  ["a carriage return", "\rerror: "],
  ["a backspace", "\b\b"],
])("a message cannot control the terminal by %s", (_, text) => {
  const out = printed(`warning: the node says ${text}\n`);
  expect(out).not.toContain(text);
  expect(out).toMatch(/^warning: the node says .+\n$/);
});

test("a message has no endless line", () => {
  const out = printed(`warning: ${"y".repeat(200_000)}\nnext\n`);
  expect(out).toMatch(/^warning: y+… \(200009 characters\)\nnext\n$/);
  expect(out.length).toBeLessThan(2_100);
});

test("no line is wider than the terminal, whatever its indentation", () => {
  const lines: string[] = [];
  const write = (text: string) => lines.push(...text.split("\n")) > 0;
  sayOn({ write, once: () => undefined, isTTY: true, columns: 80 }, `        ${"it ".repeat(60)}`);
  expect(Math.max(...lines.map(({ length }) => length))).toBe(79);
});

test("a progress line empties its own line, and no other text can", () => {
  expect(printed(`${CLEAR_LINE}12 records`)).toBe(`${CLEAR_LINE}12 records`);
  expect(printed(`at ${CLEAR_LINE}`)).toBe("at \u{fffd}\u{fffd}[K");
});
