// The options of one request: refused where they cannot work, before anything is sent.
import { ParameterError } from "../errors/index.ts";
import type { RequestOptions } from "./call.ts";
import { refuseKeyHeader } from "./key.ts";

/** Throws a {@link ParameterError} that names every option that cannot work. */
export function checkOptions(options: RequestOptions): void {
  refuseKeyHeader(options.headers);
  const issues = (["timeout", "totalTimeout", "retry"] as const).flatMap((name) => {
    const received = options[name];
    const fits = received === undefined || received > 0 || (name === "retry" && received === 0);
    const expected = name === "retry" ? "a number of at least 0" : "a number above 0";
    return fits ? [] : [{ path: [name], expected, received }];
  });
  if (issues.length) throw new ParameterError("Nothing was sent", issues);
}
