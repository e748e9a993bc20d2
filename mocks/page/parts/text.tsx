// Texts, addresses, amounts and times of the chain. No text becomes markup.
import {
  ago,
  exactAmount,
  exactTime,
  HOVER_LENGTH,
  localTime,
  oneLine,
  shortAmount,
  shortHex,
} from "../format/values.ts";
import { href } from "../router.ts";
import { access } from "../service/head.ts";
import { useName, useOwnName } from "../service/inspect.ts";
import { clock, times } from "../store.ts";

/** A foreign text on one line. `bdi` isolates its writing direction. */
export function ChainText({ text, length = 60 }: { text: string; length?: number }) {
  const shown = oneLine(text, length);
  return <bdi title={shown === text ? undefined : oneLine(text, HOVER_LENGTH)}>{shown}</bdi>;
}

interface LinkProps {
  readonly to: string;
  /** Whether all digits are shown. */
  readonly full?: boolean;
  /** Whether the arrow keys move to this link of a row. */
  readonly row?: boolean;
}

export function TransactionLink({ to, full, row }: LinkProps) {
  return (
    <a class="hex" href={href("tx", to)} title={to} data-row={row}>
      {full ? to : shortHex(to)}
    </a>
  );
}

/** The picture and the name of an address, preferably the reader's own name. */
export function AddressText({ address }: { address: string }) {
  const chainName = useName(address);
  const ownName = useOwnName(address);
  const name = ownName ?? chainName;
  return (
    <>
      <Identicon address={address} />
      {name ? (
        <span class={ownName ? "own" : undefined}>
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

export const NamedLink = ({ to, view = "token", row, text, length }: NamedLinkProps) => (
  <a class="named" href={href(view, to)} title={to} data-row={row}>
    <ChainText text={text} length={length} />
  </a>
);

interface NamedLinkProps extends Omit<LinkProps, "full"> {
  readonly view?: "token" | "contract";
  readonly text: string;
  readonly length: number;
}

export function BlockLink({ to, row }: { to: bigint | number | string; row?: boolean }) {
  return (
    <a class="number" href={href("block", to)} data-row={row}>
      {String(to)}
    </a>
  );
}

/** FNV-1a, so that addresses that differ in one digit get different pictures. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  // Without this, the last digits would not reach the bits of the hue.
  return (hash ^ (hash >>> 15)) >>> 0;
}

export function Identicon({ address }: { address: string }) {
  const hash = hashOf(address.toLowerCase());
  const squares = Array.from({ length: 15 }, (_, index) => index)
    .filter((index) => (hash >>> index) & 1)
    .map((index) => {
      const [x, y] = [index % 3, Math.floor(index / 3)];
      return `M${x} ${y}h1v1h-1zM${4 - x} ${y}h1v1h-1z`;
    });
  const hue = (hash >>> 15) % 360;
  return (
    <svg class="identicon" viewBox="0 0 5 5" aria-hidden="true">
      <rect width="5" height="5" fill={`hsl(${hue} 45% 85%)`} />
      <path d={squares.join("")} fill={`hsl(${hue} 60% 38%)`} />
    </svg>
  );
}

interface AmountProps {
  readonly value: bigint | null | undefined;
  /** Defaults to the coin's decimals; null for a token that has none. */
  readonly decimals?: number | null | undefined;
  readonly symbol?: string | null | undefined;
  /** Whether all digits are shown. */
  readonly exact?: boolean;
  /** Whether the amount was paid even if the transaction failed, as a fee is. */
  readonly paid?: boolean;
}

const COIN_DECIMALS = 18;
const ONE_COIN = 10n ** 18n;

export function Amount({ value, decimals, symbol, exact, paid }: AmountProps) {
  const coin = access.use()?.coin;
  const isCoin = decimals === undefined;
  const coins = value === ONE_COIN ? "coin" : "coins";
  const unit = symbol ?? (isCoin ? (coin ?? coins) : undefined);
  if (value === null || value === undefined) return <span class="quiet">unknown</span>;
  const places = isCoin ? COIN_DECIMALS : decimals;
  const allDigits = exactAmount(value, places);
  return (
    <span class={paid ? "amount paid" : "amount"}>
      <data value={`${value}`} title={allDigits}>
        {exact ? allDigits : shortAmount(value, places)}
      </data>
      {unit ? (
        <span class={isCoin ? "unit coin" : "unit"}>
          {" "}
          <ChainText text={unit} length={12} />
        </span>
      ) : null}
    </span>
  );
}

/** A time in the form that the reader chose; the tooltip has all forms. */
export function Time({ at }: { at: Date }) {
  const now = clock.use();
  const shown = { "": ago(at, now), absolute: exactTime(at), local: localTime(at) };
  const { "": relative } = shown;
  return (
    <time dateTime={at.toISOString()} title={`${exactTime(at)} · ${localTime(at)} · ${relative}`}>
      {shown[times.use() as keyof typeof shown] ?? relative}
    </time>
  );
}
