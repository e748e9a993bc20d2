// What a reader has the page do: whether it is under way, what went wrong and how to try it again, and a question before what destroys.
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";

export interface Action {
  readonly isBusy: boolean;
  /** Why the last one failed. */
  readonly error: unknown;
  readonly run: (act: () => Promise<unknown>) => void;
  /** The last one once more. */
  readonly retry: () => void;
}

export function useAction(): Action {
  const [{ isBusy, error }, setState] = useState<{ isBusy: boolean; error?: unknown }>({
    isBusy: false,
  });
  const last = useRef(async (): Promise<unknown> => undefined);
  const run = (act: () => Promise<unknown>) => {
    last.current = act;
    setState({ isBusy: true });
    // Called in a promise: what it throws at once is an error like any other.
    Promise.resolve()
      .then(act)
      .then(
        () => setState({ isBusy: false }),
        (error: unknown) => setState({ isBusy: false, error }),
      );
  };
  return { isBusy, error, run, retry: () => run(last.current) };
}

interface AskedProps {
  readonly children: string;
  /** "Drop all requests?" */
  readonly question: ComponentChildren;
  readonly small?: boolean;
}

/** A form's button that asks before it submits. */
export function AskedSubmit({ children, question, small }: AskedProps) {
  const [isOpen, setOpen] = useState(false);
  const kind = small ? "small" : undefined;
  if (!isOpen)
    return (
      <button type="button" class={kind} onClick={() => setOpen(true)}>
        {children}
      </button>
    );
  return (
    <span class="asked" role="alert">
      {question} {/* Gone before the form is submitted, it would submit nothing. */}
      <button type="submit" class="small danger" onClick={() => setTimeout(() => setOpen(false))}>
        Yes
      </button>{" "}
      <button type="button" class="small" onClick={() => setOpen(false)} autofocus>
        No
      </button>
    </span>
  );
}
