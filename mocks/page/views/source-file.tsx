// The line of the source at which a transaction failed, and its file opened there.
import { useEffect, useRef } from "preact/hooks";
import type { AnswerOf } from "../../inspect/views.ts";
import { Code, Coloured } from "../parts/code.tsx";
import { Loaded } from "../parts/failure.tsx";
import { ChainText } from "../parts/text.tsx";
import { href } from "../router.ts";
import { useInspectOnce } from "../service/queries.ts";

type Place = NonNullable<AnswerOf<"source">["place"]>;

/** The node is asked once for the line and the file. */
const usePlace = (hash: string) => useInspectOnce("source", { hash });

/** Lines shown before and after the one that failed. */
const AROUND = 4;

const Where = ({ place: { file, line, is_certain } }: { place: Place }) => (
  <>
    {is_certain ? "" : "about "}line {line} of <ChainText text={file} length={80} />
  </>
);

/** The line, if it is known. It is requested from the node; the rest of the view does not wait for it. */
export function SourceLine({ hash }: { hash: string }) {
  const place = usePlace(hash).value?.place;
  if (!place) return null;
  const { line, first_line, lines } = place;
  const from = Math.max(0, line - first_line - AROUND);
  return (
    <div class="source-line">
      <p>
        at <Where place={place} /> <a href={href("tx", hash, { list: "source" })}>Open the file</a>
      </p>
      <Code label={`Line ${line} of the source`}>
        {lines.slice(from, line - first_line + AROUND + 1).map((text, index) => {
          const number = first_line + from + index;
          const shown = (
            <>
              {`${number}`.padStart(5)} <Coloured text={`${text}\n`} />
            </>
          );
          return number === line ? (
            <mark key={number}>{shown}</mark>
          ) : (
            <span key={number}>{shown}</span>
          );
        })}
      </Code>
    </div>
  );
}

/** The whole file, with the line in sight. */
function Opened({ place }: { place: Place }) {
  const { line, first_line, lines } = place;
  const mark = useRef<HTMLElement>(null);
  useEffect(() => mark.current?.scrollIntoView({ block: "center" }), [line]);
  const at = line - first_line;
  const numbers = lines.map((_, index) => first_line + index);
  return (
    <>
      <p>
        <Where place={place} />
      </p>
      <section
        class="code numbered"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
        tabIndex={0}
        aria-label="The source at the line that failed"
      >
        <pre class="quiet" aria-hidden="true">
          {numbers.join("\n")}
        </pre>
        <pre>
          <Coloured text={`${lines.slice(0, at).join("\n")}\n`} />
          <mark ref={mark}>
            <Coloured text={`${lines[at]}\n`} />
          </mark>
          <Coloured text={lines.slice(at + 1).join("\n")} />
        </pre>
      </section>
    </>
  );
}

export function SourceFile({ hash }: { hash: string }) {
  return (
    <Loaded of={usePlace(hash)} what="Could not load the source">
      {({ place }) =>
        place ? (
          <Opened place={place} />
        ) : (
          <p class="empty">
            The line is not known: it needs a followed node, and a verified source or{" "}
            <code>--artifacts</code>.
          </p>
        )
      }
    </Loaded>
  );
}
