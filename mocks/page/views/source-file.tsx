// The line of the source at which a transaction failed, and its file opened there.
import { useEffect, useRef } from "preact/hooks";
import type { AnswerOf } from "../../inspect/views.ts";
import { Numbered } from "../parts/code.tsx";
import { Loaded } from "../parts/failure.tsx";
import { ChainText } from "../parts/text.tsx";
import { href } from "../router.ts";
import { useInspectOnce } from "../service/queries.ts";

type Place = NonNullable<AnswerOf<"source">["place"]>;

/** Line and file are one request, because the node must trace the transaction for it. */
const usePlace = (hash: string) => useInspectOnce("source", { hash });

/** Lines that are shown before and after the one that failed. */
const AROUND = 3;

const Where = ({ place: { file, line, is_certain } }: { place: Place }) => (
  <>
    {is_certain ? "" : "about "}line {line} of <ChainText text={file} length={80} />
  </>
);

/** Shows the line once it is known. The rest of the view does not wait for the node. */
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
      <Numbered
        label={`Line ${line} of the source`}
        lines={lines.slice(from, line - first_line + AROUND + 1)}
        first={first_line + from}
        marked={line}
      />
    </div>
  );
}

/** The whole file, scrolled to the line. */
function Opened({ place }: { place: Place }) {
  const { line, first_line, lines } = place;
  const mark = useRef<HTMLElement>(null);
  useEffect(() => mark.current?.scrollIntoView({ block: "center" }), [line]);
  return (
    <>
      <p>
        <Where place={place} />
      </p>
      <Numbered
        label="The source at the line that failed"
        lines={lines}
        first={first_line}
        marked={line}
        markRef={mark}
      />
    </>
  );
}

export const SourceFile = ({ hash }: { hash: string }) => (
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
