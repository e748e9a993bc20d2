// Code and data in a box that scrolls, also by the keyboard, and decoded arguments.
import type { ComponentChildren } from "preact";
import { isAddress } from "../../../src/models/hex.ts";
import type { DecodedData } from "../../inspect/records.ts";
import { highlight } from "../code/sources.ts";
import { grouped } from "../format/values.ts";
import { AddressLink, Amount, ChainText } from "./text.tsx";

interface CodeProps {
  readonly label: string;
  readonly children: ComponentChildren;
  /** Breaks lines that are too long. */
  readonly wrap?: boolean;
}

export function Code({ label, children, wrap }: CodeProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <section class={wrap ? "code wrap" : "code"} tabIndex={0} aria-label={label}>
      <pre>{children}</pre>
    </section>
  );
}

/** Solidity with its words, texts and comments in colours. */
export const Coloured = ({ text }: { text: string }) => (
  <>
    {highlight(text).map(({ kind, text }, index) => (
      <span key={index} class={kind}>
        {text}
      </span>
    ))}
  </>
);

const UNLIMITED = 2n ** 256n - 1n;

interface ValueProps {
  readonly type: string;
  /** The name says whether it is an id, whose digits are not grouped. */
  readonly name: string;
  readonly value: string;
  /** Of the token that it is an amount of. */
  readonly decimals?: number | null | undefined;
  /** The characters of a text. */
  readonly length: number;
  /** Amounts as short as a column needs them. */
  readonly short?: boolean;
}

/** A decoded value: an account as a link, an amount of a token in its decimals, other numbers with grouped digits, everything else as text. */
export function Value({ type, name, value, decimals, length, short }: ValueProps) {
  if (type === "address" && isAddress(value)) return <AddressLink to={value} />;
  if (!/^u?int\d*$/.test(type) || !/^-?\d+$/.test(value))
    return <ChainText text={value} length={length} />;
  if (type === "uint256" && BigInt(value) === UNLIMITED)
    return <span title={value}>unlimited</span>;
  if (decimals !== null && decimals !== undefined)
    return <Amount exact={!short} value={BigInt(value)} decimals={decimals} />;
  return (
    <span class="number" title={value}>
      {/id$/i.test(name) ? value : grouped(value)}
    </span>
  );
}

/** "withdraw(999)" on one line; `named`: "NotEnough(has: 100)". */
export function CallWords({ decoded, named }: { decoded: DecodedData; named?: boolean }) {
  return (
    <span class="call-words">
      <strong>
        <ChainText text={decoded.name} length={40} />
      </strong>
      (
      {decoded.arguments.map((argument, index) => (
        <span key={`${index} ${argument.name}`} title={`${argument.type} ${argument.name}`}>
          {index > 0 && ", "}
          {named && (
            <>
              <ChainText text={argument.name} length={30} />
              {": "}
            </>
          )}
          <Value {...argument} length={30} />
        </span>
      ))}
      )
    </span>
  );
}

/** "returned 5" */
export const Returned = ({ values }: { values: DecodedData["arguments"] }) => (
  <span class="call-words">
    {" returned "}
    {values.map((value, index) => (
      <span key={`${index} ${value.name}`} title={value.type}>
        {index > 0 && ", "}
        <Value {...value} length={30} />
      </span>
    ))}
  </span>
);

/** Values with their names and types, one below the other. */
export const NamedValues = ({ values }: { values: readonly Omit<ValueProps, "length">[] }) => (
  <dl class="facts arguments">
    {values.map((one, index) => (
      <div key={`${index} ${one.name}`}>
        <dt>
          <ChainText text={one.name} length={30} /> <small>{one.type.slice(0, 60)}</small>
        </dt>
        <dd>
          <Value {...one} length={2000} />
        </dd>
      </div>
    ))}
  </dl>
);

export function Arguments({ decoded }: { decoded: DecodedData }) {
  return (
    <>
      <p class="signature">
        <ChainText text={decoded.signature} length={200} />
        {decoded.is_standard && (
          <small class="quiet">
            {" "}
            by its selector: its own source is not verified, or does not have it
          </small>
        )}
      </p>
      {decoded.arguments.length > 0 && <NamedValues values={decoded.arguments} />}
    </>
  );
}
