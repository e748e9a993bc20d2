// What views of one thing have besides the values of lists: facts with names, whole times, the outcome, and buttons that copy.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ago, exactTime, localTime } from "../format/values.ts";
import { clock } from "../store.ts";

/** Copies a text; says so where it stands. */
export function Copy({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button type="button" class="copy" title={label} aria-label={label} onClick={copy}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {isCopied ? (
          <path d="M3 8.5l3.5 3.5L13 4.5" />
        ) : (
          <path d="M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2" />
        )}
      </svg>
    </button>
  );
}

/** Copies a longer text, by a button with words; where there turns out to be none, the button says so. */
export function CopyWords({
  text,
  children,
}: {
  text: () => string | Promise<string | undefined>;
  children: string;
}) {
  const [said, say] = useState<string>();
  const copy = async () => {
    const copied = await text();
    if (copied !== undefined) await copyText(copied);
    say(copied === undefined ? "Body not kept" : "Copied");
    setTimeout(() => say(undefined), 1500);
  };
  return (
    <button type="button" class="small" onClick={copy}>
      {said ?? children}
    </button>
  );
}

async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** A time as a fact: in UTC, where the reader is if the clock differs there, and how long ago. */
export function FullTime({ at }: { at: Date }) {
  const now = clock.use();
  return (
    <time dateTime={at.toISOString()}>
      {exactTime(at)}{" "}
      <span class="quiet">
        {at.getTimezoneOffset() !== 0 && `· ${localTime(at)} `}· {ago(at, now)}
      </span>
    </time>
  );
}

/** "1" success, "0" failure, null unknown: as the API has it. */
export function StatusBadge({ status }: { status: string | null | undefined }) {
  if (status === "0") return <span class="badge bad">failed</span>;
  if (status === "1") return <span class="badge good">success</span>;
  return <span class="badge">unknown</span>;
}

export type Fact =
  | readonly [name: string, value: ComponentChildren]
  | false
  | ""
  | null
  | undefined;

/** A value, and in grey what is to be known of it. */
export const withNote = (value: ComponentChildren, ...note: readonly ComponentChildren[]) => (
  <>
    {value} <span class="quiet">{note}</span>
  </>
);

/** Those that are there, in order. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
