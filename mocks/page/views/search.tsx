// Search: goes to what a text can only mean, lists what it may mean, and says what was tried if nothing is found.
import { useEffect } from "preact/hooks";
import type { Candidate } from "../../inspect/schema.ts";
import { grouped, shortHex } from "../format/values.ts";
import { Loaded } from "../parts/failure.tsx";
import { moveByArrows } from "../parts/table.tsx";
import { ChainText } from "../parts/text.tsx";
import { useLoad } from "../parts/use-load.ts";
import { href } from "../router.ts";
import { inspect } from "../service/inspect.ts";

/** Where a candidate is shown, what it is, and what it is called. */
function describe(one: Candidate): { to: string; what: string; name: string; more: string } {
  switch (one.kind) {
    case "block":
      return {
        to: href("block", one.block_number),
        what: "Block",
        name: `${one.block_number}`,
        more: one.block_hash,
      };
    case "transaction":
      return {
        to: href("tx", one.transaction_hash),
        what: "Transaction",
        name: shortHex(one.transaction_hash, 10),
        more: `in block ${one.block_number}`,
      };
    case "account":
      return {
        to: href("account", one.address),
        what: one.is_contract ? "Contract account" : "Account",
        name: one.address,
        more: `${grouped(one.transaction_count)} transactions`,
      };
    case "token":
      return {
        to: href("token", one.token_address),
        what: one.standard === "mrc721" ? "Collection" : "Token",
        name: `${one.token_name ?? "Unnamed"} ${one.token_symbol ?? ""}`,
        more: one.token_address,
      };
    case "contract":
      return {
        to: href("contract", one.address),
        what: "Verified contract",
        name: one.contract_name,
        more: one.address,
      };
  }
}

/** A hash, a number or an address means one thing; a name may mean several. */
const isExact = (candidates: readonly Candidate[]): boolean =>
  candidates.length === 1 && ["block", "transaction", "account"].includes(`${candidates[0]?.kind}`);

export function Search({ subject }: { subject: string }) {
  const loading = useLoad((signal) => inspect("search", { q: subject }, { signal }), []);
  const { value } = loading;
  const [only] = value && isExact(value.candidates) ? value.candidates : [];
  useEffect(() => {
    // Back leads to where the search began, not to the search.
    if (only) location.replace(describe(only).to);
  }, [only]);
  return (
    <section class="card">
      <h1>
        Search for “<ChainText text={subject} length={70} />”
      </h1>
      <Loaded of={loading} what="Could not search">
        {({ candidates, tried }) => (
          <>
            {candidates.length === 0 ? (
              <p>
                <strong>Nothing found.</strong> This was tried:
              </p>
            ) : (
              <ul class="found" onKeyDown={moveByArrows}>
                {candidates.map(describe).map(({ to, what, name, more }) => (
                  <li key={to}>
                    <a href={to} data-row>
                      <span class="badge">{what}</span> <ChainText text={name} length={60} />
                      <small class="quiet">{more}</small>
                    </a>
                  </li>
                ))}
              </ul>
            )}
            <ul class="tried quiet">
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
