// A line under the bar where the service is not as it should be: gone, catching up, or without its node.
import { AuthenticationError } from "../../../src/errors/index.ts";
import { grouped } from "../format/numbers.ts";
import { head, headError } from "../service/head.ts";
import { KeyForm } from "./key-form.tsx";

export function StateLine() {
  const error = headError.use();
  const { unavailable, node } = head.use() ?? {};
  if (error !== undefined)
    return (
      <div class="state bad" role="alert">
        <bdi>{error instanceof Error ? error.message : String(error)}</bdi>
        {error instanceof AuthenticationError && <KeyForm />}
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
