// The results of a search. A single exact one is opened at once.
import { useEffect } from "preact/hooks";
import { find } from "../parts/candidates.ts";
import { Loaded } from "../parts/failure.tsx";
import { moveByArrows } from "../parts/table.tsx";
import { ChainText } from "../parts/text.tsx";
import { headId } from "../service/head.ts";
import { useQuery } from "../service/queries.ts";

export function Search({ subject }: { subject: string }) {
  const loading = useQuery(["find", subject], () => find(subject), {
    version: headId.use(),
  });
  const { value } = loading;
  const [only] = value?.found.length === 1 && value.found[0]?.isExact ? value.found : [];
  useEffect(() => {
    // Replaced, so that Back does not lead to the search again.
    if (only) location.replace(only.to);
  }, [only]);
  return (
    <section class="card">
      <h1>
        Search for “<ChainText text={subject} length={70} />”
      </h1>
      <Loaded of={loading} what="Could not search">
        {({ found, tried }) => (
          <>
            {found.length === 0 ? (
              <p>
                <strong>Nothing found.</strong> This was tried:
              </p>
            ) : (
              <ul class="found" onKeyDown={moveByArrows}>
                {found.map(({ to, what, name, more }) => (
                  <li key={to}>
                    <a href={to} data-row>
                      <span class="badge">{what}</span> <ChainText text={name} length={60} />{" "}
                      <small class="quiet hex">{more}</small>
                    </a>
                  </li>
                ))}
              </ul>
            )}
            <ul class="quiet">
              {tried.map((line) => (
                <li key={line}>
                  <bdi>{line}</bdi>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </section>
  );
}
