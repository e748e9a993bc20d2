// Code in a box that scrolls, and decoded values.
import type { ComponentChildren } from "preact";
import { isAddress } from "../../../src/models/hex.ts";
import { jsonIn } from "../../../src/models/json.ts";
import type { DecodedData } from "../../inspect/records.ts";
import { highlight } from "../code/highlight.ts";
import { grouped } from "../format/values.ts";
import { Copy } from "./facts.tsx";
import { AddressLink, Amount, ChainText } from "./text.tsx";

interface CodeProps {
  readonly label: string;
  readonly children: ComponentChildren;
  /** Whether long lines are broken. */
  readonly wrap?: boolean;
}

export function Code({ label, children, wrap }: CodeProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a box that scrolls.
    <section class={wrap ? "code wrap" : "code"} tabIndex={0} aria-label={label}>
      <pre>{children}</pre>
    </section>
  );
}

/** Solidity with its keywords, texts and comments coloured. */
const Coloured = ({ text }: { text: string }) => (
  <>
    {highlight(text).map(({ kind, text }, index) => (
      <span key={index} class={kind}>
        {text}
      </span>
    ))}
  </>
);

interface NumberedProps {
  readonly label: string;
  readonly lines: readonly string[];
  /** Number of the first line. */
  readonly first?: number;
  /** Number of the line that is marked. */
  readonly marked?: number | undefined;
  readonly markRef?: { current: HTMLElement | null };
}

/** Solidity with line numbers, which a selection leaves out. */
export function Numbered({ label, lines, first = 1, marked, markRef }: NumberedProps) {
  const at = marked === undefined ? lines.length : marked - first;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a box that scrolls.
    <section class="code numbered" tabIndex={0} aria-label={label}>
      <pre class="quiet" aria-hidden="true">
        {lines.map((_, index) => first + index).join("\n")}
      </pre>
      <pre>
        <Coloured text={`${lines.slice(0, at).join("\n")}${at > 0 ? "\n" : ""}`} />
        {marked !== undefined && (
          <mark {...(markRef && { ref: markRef })}>
            <Coloured text={`${lines[at] ?? ""}\n`} />
          </mark>
        )}
        <Coloured text={lines.slice(at + 1).join("\n")} />
      </pre>
    </section>
  );
}

const UNLIMITED = 2n ** 256n - 1n;

const isNested = (type: string): boolean => /\]$|^tuple|^\(/.test(type);

interface ValueProps {
  readonly type: string;
  /** A number with the name of an id is shown without thousands separators. */
  readonly name: string;
  readonly value: string;
  /** Decimals of the token that the value is an amount of. */
  readonly decimals?: number | null | undefined;
  /** Symbol of that token. */
  readonly symbol?: string | null | undefined;
  /** Characters of a text that are shown. */
  readonly length: number;
  /** Whether an amount is shortened to fit a column. */
  readonly short?: boolean;
}

export function Value(props: ValueProps) {
  const { type, name, value, decimals, symbol, length, short } = props;
  if (type === "address" && isAddress(value)) return <AddressLink to={value} />;
  if (isNested(type)) {
    const tree = jsonIn(value);
    return short || typeof tree !== "object" ? (
      <ChainText text={value} length={length} />
    ) : (
      <Tree value={tree} text={value} />
    );
  }
  if (!/^u?int\d*$/.test(type) || !/^-?\d+$/.test(value))
    return <ChainText text={value} length={length} />;
  if (type === "uint256" && BigInt(value) === UNLIMITED)
    return <span title={value}>unlimited</span>;
  if (decimals !== null && decimals !== undefined)
    return <Amount exact={!short} value={BigInt(value)} {...{ decimals, symbol }} />;
  return (
    <span class="number" title={value}>
      {/(^|_)id$|I[dD]$/.test(name) ? value : grouped(value)}
    </span>
  );
}

/** Entries of a list or tuple that are shown. */
const MAX_ENTRIES = 50;

/** Nested values by name or position. In JSON, numbers are texts of digits. */
function Tree({ value, text }: { value: unknown; text?: string }) {
  if (typeof value !== "object" || value === null) {
    const leaf = String(value);
    const type = isAddress(leaf) ? "address" : /^-?\d+$/.test(leaf) ? "uint256" : "string";
    return <Value type={type} name="" value={leaf} length={300} />;
  }
  const entries = Object.entries(value);
  return (
    <>
      {text !== undefined && <Copy text={text} label="Copy as JSON" />}
      <ul class="tree">
        {entries.slice(0, MAX_ENTRIES).map(([key, entry]) => (
          <li key={key}>
            <span class="quiet">
              <ChainText text={key} length={40} />
            </span>{" "}
            <Tree value={entry} />
          </li>
        ))}
        {entries.length > MAX_ENTRIES && (
          <li class="quiet">and {entries.length - MAX_ENTRIES} more</li>
        )}
      </ul>
    </>
  );
}

type DecodedValues = readonly Omit<ValueProps, "length">[];

interface ValueListProps {
  readonly values: DecodedValues;
  readonly isNamed?: boolean | undefined;
}

const ValueList = ({ values, isNamed }: ValueListProps) => (
  <>
    {values.map((value, index) => (
      <span key={`${index} ${value.name}`} title={`${value.type} ${value.name}`}>
        {index > 0 && ", "}
        {isNamed && (
          <>
            <ChainText text={value.name} length={30} />
            {": "}
          </>
        )}
        <Value {...value} symbol={null} length={30} short={isNested(value.type)} />
      </span>
    ))}
  </>
);

/** "withdraw(999)"; with names "NotEnough(has: 100)". */
export const CallWords = ({ decoded, named }: { decoded: DecodedData; named?: boolean }) => (
  <span class="call-words">
    <strong>
      <ChainText text={decoded.name} length={40} />
    </strong>
    (<ValueList values={decoded.arguments} isNamed={named} />)
  </span>
);

/** "returned 5" */
export const Returned = ({ values }: { values: DecodedData["arguments"] }) => (
  <span class="call-words">
    {" returned "}
    <ValueList values={values} />
  </span>
);

/** Values with their names and types, one below the other. */
export const NamedValues = ({ values }: { values: DecodedValues }) => (
  <dl class="facts arguments">
    {values.map((value, index) => (
      <div key={`${index} ${value.name}`}>
        <dt>
          <ChainText text={value.name} length={30} />{" "}
          <small>
            <ChainText text={value.type} length={30} />
          </small>
        </dt>
        <dd>
          <Value {...value} length={2000} />
        </dd>
      </div>
    ))}
  </dl>
);

/** "transfer(address,uint256)", and whether its own source has it. */
export const Signature = ({ of: { name, signature, is_standard } }: { of: DecodedData }) => (
  <span class="signature">
    <strong>
      <ChainText text={name} length={60} />
    </strong>
    <ChainText text={signature.slice(name.length)} length={200} />
    {is_standard && (
      <>
        {" "}
        <span class="badge" title="Its own source is not verified, or does not have it">
          by selector
        </span>
      </>
    )}
  </span>
);

/** The signature, and the arguments one below the other. */
export const Arguments = ({ decoded }: { decoded: DecodedData }) => (
  <>
    <p>
      <Signature of={decoded} />
    </p>
    {decoded.arguments.length > 0 && <NamedValues values={decoded.arguments} />}
  </>
);
