// Amounts, times and states as the page shows them: short to read, exact on hover.

import type { ComponentChildren } from "preact";
import { ago, exactAmount, exactTime, localTime, shortAmount } from "../format/values.ts";
import { access } from "../service/head.ts";
import { clock, times } from "../store.ts";
import { ChainText } from "./text.tsx";

interface AmountProps {
  readonly value: bigint | null | undefined;
  /** Of the coin, unless given; null if the token returns none. */
  readonly decimals?: number | null | undefined;
  readonly symbol?: string | null | undefined;
  /** All digits, for a fact. */
  readonly exact?: boolean;
  /** Also where the transaction failed. */
  readonly paid?: boolean;
}

const COIN_DECIMALS = 18;

export function Amount({ value, decimals, symbol, exact, paid }: AmountProps) {
  const coin = access.use()?.coin;
  const isCoin = decimals === undefined;
  const unit = symbol ?? (isCoin ? coin : undefined);
  if (value === null || value === undefined) return <span class="quiet">unknown</span>;
  const places = isCoin ? COIN_DECIMALS : decimals;
  const all = exactAmount(value, places);
  return (
    <span class={paid ? "amount paid" : "amount"}>
      <data value={`${value}`} title={all}>
        {exact ? all : shortAmount(value, places)}
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

/** How long ago, or the time itself, in UTC or where the reader is; all of them on hover. */
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
export function Status({ status }: { status: string | null | undefined }) {
  if (status === "0") return <span class="badge bad">failed</span>;
  if (status === "1") return <span class="badge good">success</span>;
  return <span class="badge">unknown</span>;
}

type Fact = readonly [name: string, value: ComponentChildren] | false | "" | null | undefined;

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
