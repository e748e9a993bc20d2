// What went wrong, in words, and another try; and what stands there while something loads.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isExplorerError } from "../../../src/errors/index.ts";
import { headError } from "../service/head.ts";
import type { Loading } from "../service/queries.ts";
import { adminToken } from "../store.ts";
import { KeyForm } from "./field.tsx";

/** The first line of an error, and the others. */
function explain(error: unknown): { title: string; details: readonly string[] } {
  const text = error instanceof Error ? error.message : String(error);
  const [title = "", ...details] = text.split("\n").filter((line) => line !== "");
  return { title: title.slice(0, 300), details: details.slice(0, 8) };
}

interface FailureProps {
  readonly error: unknown;
  /** Missing where only another input helps. */
  readonly retry?: (() => void) | undefined;
  /** What could not be done: "Could not load the account". */
  readonly what: string;
}

/** Where the service wants another secret: an api-key, or the token of the admin API. */
const Secret = ({ url }: { url: string | undefined }) =>
  url?.startsWith(`${location.origin}/admin/`) ? (
    <button type="button" onClick={() => adminToken.set("")}>
      Give another token
    </button>
  ) : (
    <KeyForm />
  );

function Failed({ error, retry, what }: FailureProps) {
  const { title, details } = explain(error);
  const isDown = headError.use() !== undefined;
  const wasDown = useRef(false);
  useEffect(() => {
    // Back again: what failed meanwhile heals by itself.
    if (wasDown.current && !isDown) retry?.();
    wasDown.current = isDown;
  }, [isDown]);
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{what}.</strong> <bdi>{title}</bdi>
      </p>
      {details.length > 0 && (
        <details>
          <summary>Details</summary>
          <pre>{details.join("\n")}</pre>
        </details>
      )}
      {isExplorerError(error) && error.code === "AUTHENTICATION" && <Secret url={error.url} />}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Grey lines in the place of what is on its way. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="hidden">Loading…</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}

interface LoadedProps<T> {
  readonly what: string;
  readonly of: Loading<T>;
  readonly lines?: number;
  readonly children: (value: T) => ComponentChildren;
}

/** The failure, where there is one. */
export const Failure = (props: FailureProps) =>
  props.error === undefined ? null : <Failed {...props} />;

/** The value; before it a skeleton, and with an error what is known and another try. */
export function Loaded<T>({ of, lines, children, what }: LoadedProps<T>) {
  const { value, error, retry } = of;
  return (
    <>
      <Failure {...{ error, retry, what }} />
      {value !== undefined
        ? children(value)
        : error === undefined && <Skeleton {...(lines ? { lines } : {})} />}
    </>
  );
}
