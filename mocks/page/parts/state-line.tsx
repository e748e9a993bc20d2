// A line under the bar where the service is not as it should be: gone, catching up, or without its node.
import { isExplorerError } from "../../../src/errors/index.ts";
import { grouped } from "../format/numbers.ts";
import { head, headError } from "../service/head.ts";
import { KeyForm } from "./key-form.tsx";

/** Why the head could not be loaded, on one line. */
function explain(error: unknown): string {
  if (!isExplorerError(error)) return String(error);
  return error.code === "CONNECTION" || error.code === "TIMEOUT"
    ? "The service does not respond. Is it still running?"
    : error.shortMessage;
}

export function StateLine() {
  const error = headError.use();
  const { unavailable, node } = head.use() ?? {};
  if (error !== undefined)
    return (
      <div class="state bad" role="alert">
        <bdi>{explain(error)}</bdi>
        {isExplorerError(error) && error.code === "AUTHENTICATION" && <KeyForm />}
      </div>
    );
  if (node && node.state !== "following")
    return (
      <div class="state" role="status">
        <strong>{node.state.replace("-", " ")}</strong>
        {node.lag !== null && ` · ${grouped(node.lag)} blocks behind the node`}
        {node.seconds_left !== null && ` · about ${grouped(Math.ceil(node.seconds_left))} s left`}
        {node.last_error !== null && (
          <>
            {" · "}
            <bdi>{node.last_error.message.slice(0, 200)}</bdi>
          </>
        )}
      </div>
    );
  if (unavailable)
    return (
      <div class="state" role="status">
        The API does not answer yet: <bdi>{unavailable}</bdi>
      </div>
    );
  return null;
}
