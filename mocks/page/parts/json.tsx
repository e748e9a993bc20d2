// A body as it was sent, with links to the records it names where it is JSON.
import type { ComponentChildren } from "preact";
import { href } from "../router.ts";
import { Code } from "./code.tsx";

/** Longer ones are cut, and stay without links. */
const MAX_SHOWN = 200_000;
const MAX_LINKS = 2000;

const pretty = (body: string): string | undefined => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return undefined;
  }
};

/** A property whose value may name a record: addresses, hashes, numbers of blocks. */
const VALUE = /("(\w+)":\s*)?"(0x(?:[0-9a-f]{64}|[0-9a-f]{40})|\d{1,15})"/gi;

/** The view of a value; undefined where it names no record. */
function viewOf(name: string, value: string): string | undefined {
  if (/^0x[\da-f]{40}$/i.test(value)) return "account";
  if (/^0x/i.test(value)) {
    if (/block.*hash/.test(name)) return "block";
    return /hash/.test(name) ? "tx" : undefined;
  }
  return /block_number$/i.test(name) ? "block" : undefined;
}

function linked(text: string): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(VALUE)) {
    const [all, before = "", name = "", value = ""] = match;
    const view = viewOf(name, value);
    if (view === undefined || parts.length > 2 * MAX_LINKS) continue;
    parts.push(text.slice(end, match.index), before, '"');
    parts.push(
      <a key={match.index} href={href(view, value)}>
        {value}
      </a>,
    );
    parts.push('"');
    end = match.index + all.length;
  }
  return [...parts, text.slice(end)];
}

/** JSON in lines with links, or the text unchanged. */
export function Body({ body, label }: { body: string; label: string }) {
  if (body === "") return <p class="quiet">No body.</p>;
  const lines = body.length <= MAX_SHOWN ? pretty(body) : undefined;
  return (
    <Code wrap label={label}>
      {lines === undefined ? body.slice(0, MAX_SHOWN) : linked(lines)}
      {lines === undefined && body.length > MAX_SHOWN && "…"}
    </Code>
  );
}

/** A text as it was sent, to the character. */
export function RawText({ text, label }: { text: string; label: string }) {
  return (
    <Code wrap label={label}>
      {text.slice(0, MAX_SHOWN)}
      {text.length > MAX_SHOWN && "…"}
    </Code>
  );
}
