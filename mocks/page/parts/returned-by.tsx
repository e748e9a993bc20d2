// Which requests returned a record: links to them, where the page has the admin token.
import { href } from "../router.ts";
import { admin } from "../service/admin.ts";
import { adminToken } from "../service/keys.ts";
import { ChainText } from "./text.tsx";
import { useLoad } from "./use-load.ts";

/** The newest are shown. */
const MAX_SHOWN = 20;

/** The requests whose response contains a hash, newest first; nothing without the token, or where none did. */
export function ReturnedBy({ hash }: { hash: string }) {
  const token = adminToken.use();
  const { value } = useLoad(
    async (signal) =>
      token === ""
        ? { entries: [] }
        : await admin("journal", { containing: hash, limit: MAX_SHOWN }, { signal }),
    [hash, token],
  );
  if (value === undefined || value.entries.length === 0) return null;
  return (
    <section class="card" aria-label="Requests that returned this">
      <h2>Requests that returned this</h2>
      <ul class="plain">
        {value.entries.toReversed().map(({ number, operation, method, target, status }) => (
          <li key={number}>
            <a href={href("requests", number)}>#{number}</a> {operation ?? method}{" "}
            <code>
              <ChainText text={target} length={100} />
            </code>{" "}
            <span class="quiet">{status}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
