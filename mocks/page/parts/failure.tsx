// Shows an error in place of a result, or grey lines while the result loads.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isExplorerError } from "../../../src/errors/index.ts";
import { headError } from "../service/head.ts";
import type { Loading } from "../service/queries.ts";
import { adminToken } from "../store.ts";

/** Codes of errors that trying again cannot fix. */
const LASTING = ["NOT_FOUND", "PARAMETER", "INVALID_REQUEST", "NOT_VERIFIED"];

/** The message for people, without the lines that name the page's own request. */
function explain(error: unknown): { readonly title: string; readonly details: readonly string[] } {
  const text = error instanceof Error ? error.message : String(error);
  const [title = "", ...lines] = text.split("\n").filter((line) => line !== "");
  const details = lines.filter((line) => !/^(Operation|Request|Attempts|Status): /.test(line));
  const plain = title.replace(/^(Not found: \w+|Invalid parameters for inspect\S+ \(\w+\)): /, "");
  return { title: plain.slice(0, 300), details: details.slice(0, 8) };
}

interface FailureProps {
  readonly error: unknown;
  /** Undefined if only another input can help. */
  readonly retry?: (() => void) | undefined;
  /** "Could not load the account" */
  readonly what: string;
}

function Failed({ error, retry, what }: FailureProps) {
  const { title, details } = explain(error);
  const isDown = headError.use() !== undefined;
  const wasDown = useRef(false);
  useEffect(() => {
    // Requests that failed while the service was away are repeated once it is back.
    if (wasDown.current && !isDown) retry?.();
    wasDown.current = isDown;
  }, [isDown]);
  const { code, url } = isExplorerError(error) ? error : { code: "", url: "" };
  const isAdmin = url?.startsWith(`${location.origin}/admin/`) ?? false;
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{what}.</strong> <bdi>{title}</bdi>
      </p>
      {details.length > 0 && <pre>{details.join("\n")}</pre>}
      {code === "AUTHENTICATION" && isAdmin && (
        <button type="button" onClick={() => adminToken.set("")}>
          Give another token
        </button>
      )}{" "}
      {retry && !LASTING.includes(code) && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

export const Failure = (props: FailureProps) =>
  props.error === undefined ? null : <Failed {...props} />;

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

/** Shows the last value, also beside the error of a newer request. */
export function Loaded<T>({ of, lines = 3, children, what }: LoadedProps<T>) {
  const { value, error, retry } = of;
  return (
    <>
      <Failure {...{ error, retry, what }} />
      {value !== undefined ? children(value) : error === undefined && <Skeleton lines={lines} />}
    </>
  );
}
