// Code and data in a box that scrolls, also by the keyboard, and decoded arguments.
import type { ComponentChildren } from "preact";
import type { DecodedData } from "../inspect/records.ts";
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

const ADDRESS = /^0x[\da-f]{40}$/i;

type Argument = DecodedData["arguments"][number];

/** An argument's value: an account as a link, an amount of a token in its decimals, everything else as text. */
function Value({ type, value, decimals, length }: Argument & { length: number }) {
  if (type === "address" && ADDRESS.test(value)) return <AddressLink to={value} />;
  if (decimals !== null && /^\d+$/.test(value))
    return <Amount exact value={BigInt(value)} decimals={decimals} />;
  return <ChainText text={value} length={length} />;
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

export function Arguments({ decoded }: { decoded: DecodedData }) {
  return (
    <>
      <p class="signature">
        <ChainText text={decoded.signature} length={200} />
        {decoded.is_standard && (
          <small class="quiet"> by its selector: no verified source has it</small>
        )}
      </p>
      {decoded.arguments.length > 0 && (
        <dl class="facts arguments">
          {decoded.arguments.map((argument, index) => (
            <div key={`${index} ${argument.name}`}>
              <dt>
                <ChainText text={argument.name} length={30} /> <small>{argument.type}</small>
              </dt>
              <dd>
                <Value {...argument} length={400} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
