// Code and data in a box that scrolls, also by the keyboard, and decoded arguments.
import type { ComponentChildren } from "preact";
import type { DecodedCall } from "../decode.ts";
import { AddressLink, ChainText } from "./text.tsx";

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

export function Arguments({ decoded }: { decoded: DecodedCall }) {
  return (
    <>
      <p class="signature">
        <ChainText text={decoded.signature} length={200} />
      </p>
      {decoded.arguments.length > 0 && (
        <dl class="facts arguments">
          {decoded.arguments.map(({ name, type, value }, index) => (
            <div key={`${index} ${name}`}>
              <dt>
                <ChainText text={name} length={30} /> <small>{type}</small>
              </dt>
              <dd>
                {type === "address" && ADDRESS.test(value) ? (
                  <AddressLink to={value} />
                ) : (
                  <ChainText text={value} length={400} />
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
