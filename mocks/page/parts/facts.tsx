// A name and its value on one line, as the head of a view lists them.
import type { ComponentChildren } from "preact";

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
