// Code and data in a box that scrolls, also by the keyboard.
import type { ComponentChildren } from "preact";

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
