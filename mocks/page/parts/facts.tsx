// The head of a view: name, hash or address, a few figures, and the rest folded.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ago, exactTime, localTime } from "../format/values.ts";
import { clock } from "../store.ts";

async function copyText(text: string): Promise<void> {
  // Browsers offer the clipboard to secure contexts only.
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

interface CopyProps {
  readonly text: string;
  readonly label: string;
}

/** Returns whether the text was copied a moment ago, and a function that copies it. */
function useCopy(text: string) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return [isCopied, copy] as const;
}

/** A button that copies the value next to it. */
export function Copy({ text, label }: CopyProps) {
  const [isCopied, copy] = useCopy(text);
  return (
    <button type="button" class="copy" title={label} aria-label={label} onClick={copy}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={isCopied ? "M3 8.5l3.5 3.5L13 4.5" : "M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2"} />
      </svg>
    </button>
  );
}

/** A button with words, which copies a longer text. */
export function CopyWords({ text, children }: { text: string; children: string }) {
  const [isCopied, copy] = useCopy(text);
  return (
    <button type="button" class="small" onClick={copy}>
      {isCopied ? "Copied" : children}
    </button>
  );
}

/** A time in UTC, in the reader's zone if that differs, and relative. */
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

/** The status of the API: "1" success, "0" failure, null unknown. */
export function StatusBadge({ status }: { status: string | null | undefined }) {
  if (status === "0") return <span class="badge bad">failed</span>;
  if (status === "1") return <span class="badge good">success</span>;
  return <span class="badge">unknown</span>;
}

export type Fact =
  | readonly [name: string, value: ComponentChildren, note?: ComponentChildren]
  | false
  | ""
  | null
  | undefined;

interface FactsProps {
  readonly facts: readonly Fact[];
  /** "figures": large, side by side. */
  readonly kind?: "facts" | "figures";
}

export const Facts = ({ facts, kind = "facts" }: FactsProps) => (
  <dl class={kind}>
    {facts.map(
      (fact) =>
        fact && (
          <div key={fact[0]}>
            <dt>{fact[0]}</dt>
            <dd>
              {fact[1]}
              {fact[2] && [" ", <small>{fact[2]}</small>]}
            </dd>
          </div>
        ),
    )}
  </dl>
);

interface HeadProps {
  readonly title: ComponentChildren;
  /** The hash or address, written out. */
  readonly id: string;
  readonly idLabel: string;
  readonly beside?: ComponentChildren;
  readonly picture?: ComponentChildren;
  readonly figures: readonly Fact[];
  readonly children?: ComponentChildren;
  /** Folded. */
  readonly details?: readonly Fact[];
}

export function Head({
  title,
  id,
  idLabel,
  beside,
  picture,
  figures,
  children,
  details,
}: HeadProps) {
  return (
    <section class="card head">
      <h1>{title}</h1>
      <div class="subject">
        {picture}
        <span class="hex">{id}</span> <Copy text={id} label={`Copy the ${idLabel}`} /> {beside}
      </div>
      <Facts kind="figures" facts={figures} />
      {children}
      {details?.some(Boolean) && (
        <details class="more">
          <summary>Details</summary>
          <Facts facts={details} />
        </details>
      )}
    </section>
  );
}
