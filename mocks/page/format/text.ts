// Text from the chain: names may hold markup, other directions of writing, control characters, or be endless.

/** Control characters, and what turns the direction of the text around it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it replaces.
const unprintable = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;

/** The longest text that a hover shows. */
export const hoverLength = 500;

/** One line without control characters, of at most `length` characters. */
export function oneLine(text: string, length: number): string {
  const clean = text
    .slice(0, 4 * length)
    .replace(unprintable, "\ufffd")
    .trim();
  // By code points: half a surrogate pair is no character.
  const characters = [...clean];
  return characters.length <= length && text.length <= 4 * length
    ? clean
    : `${characters.slice(0, length - 1).join("")}…`;
}
