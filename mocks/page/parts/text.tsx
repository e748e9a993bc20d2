// Texts from the chain, addresses, hashes and copying: a text is never markup, and never turns the page around it.
import { useState } from "preact/hooks";
import { HOVER_LENGTH, oneLine, shortHex } from "../format/values.ts";
import { href } from "../router.ts";
import { useName } from "../service/inspect.ts";
import { useOwnName } from "../service/own-names.ts";
import { Identicon } from "./identicon.tsx";

/** A name or message from the chain, on one line, isolated from the direction of the text around it. */
export function ChainText({ text, length = 60 }: { text: string; length?: number }) {
  const shown = oneLine(text, length);
  return <bdi title={shown === text ? undefined : oneLine(text, HOVER_LENGTH)}>{shown}</bdi>;
}

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

/** Copies a longer text, by a button with words. */
export function CopyWords({
  text,
  children,
}: {
  text: () => string | Promise<string>;
  children: string;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(await text());
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button type="button" class="small" onClick={copy}>
      {isCopied ? "Copied" : children}
    </button>
  );
}

interface LinkProps {
  readonly to: string;
  /** Written out, for a heading or a fact. */
  readonly full?: boolean;
  /** The link that the arrow keys reach in a row. */
  readonly row?: boolean;
}

export function TransactionLink({ to, full, row }: LinkProps) {
  return (
    <a class="hex" href={href("tx", to)} title={to} data-row={row}>
      {full ? to : shortHex(to)}
    </a>
  );
}

/** An address as people know it: its picture, and its name, the reader's own before others'. */
export function AddressText({ address }: { address: string }) {
  const given = useName(address);
  const own = useOwnName(address);
  const name = own ?? given;
  return (
    <>
      <Identicon address={address} />
      {name ? (
        <span class={own ? "own" : undefined}>
          <ChainText text={name} length={28} />
        </span>
      ) : (
        <span class="hex">{shortHex(address)}</span>
      )}
    </>
  );
}

export function AddressLink({ to, full, row }: LinkProps) {
  return (
    <a class="address" href={href("account", to)} title={to} data-row={row}>
      {full ? (
        <>
          <Identicon address={to} />
          <span class="hex">{to}</span>
        </>
      ) : (
        <AddressText address={to} />
      )}
    </a>
  );
}

export function BlockLink({ to, row }: { to: bigint | number | string; row?: boolean }) {
  return (
    <a class="number" href={href("block", to)} data-row={row}>
      {String(to)}
    </a>
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
