// A token or collection: supply, holders and transfers.

import type { Address } from "../../../../src/models/primitives.ts";
import { grouped } from "../format/values.ts";
import { hasIds } from "../inspect/records.ts";
import type { AnswerOf } from "../inspect/views.ts";
import { transferColumns } from "../parts/account-columns.tsx";
import { Loaded } from "../parts/failure.tsx";
import { InspectList } from "../parts/list.tsx";
import type { Column } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { AddressLink, Amount, ChainText, Copy, Facts } from "../parts/text.tsx";
import { href } from "../router.ts";
import { useInspect } from "../service/queries.ts";
import { Inventory } from "./collectibles.tsx";

type Token = AnswerOf<"token">["token"];
type Holder = AnswerOf<"token">["holders"][number];

const columns = transferColumns.filter(({ title }) => title !== "Token");

/** Ten thousandths as "12.34 %", exact where a double is not. */
const share = (part: bigint, whole: bigint): string =>
  whole === 0n ? "" : `${Number((part * 10_000n) / whole) / 100} %`;

const holderColumns = ({
  standard,
  token_decimals,
  total_supply,
}: Token): readonly Column<Holder>[] => [
  { title: "Holder", kind: "wide", cell: ({ address }) => <AddressLink row to={address} /> },
  {
    title: hasIds(standard) ? "Tokens" : "Balance",
    kind: "number",
    cell: ({ balance }) => (
      <Amount value={balance} decimals={hasIds(standard) ? 0 : token_decimals} />
    ),
  },
  { title: "Share", kind: "number", cell: ({ balance }) => share(balance, total_supply) },
];

function Summary({ token, transfers }: { token: Token; transfers: number }) {
  const { token_address, token_name, token_symbol, token_decimals, standard } = token;
  return (
    <section class="card">
      <h1>
        <ChainText text={token_name || "Unnamed token"} length={60} />{" "}
        <span class="quiet">
          <ChainText text={token_symbol ?? ""} length={16} />
        </span>{" "}
        <span class="badge">{hasIds(standard) ? "collection" : "token"}</span>
      </h1>
      <Facts
        facts={[
          [
            "Contract",
            <>
              <a class="hex" href={href("account", token_address)}>
                {token_address}
              </a>{" "}
              <Copy text={token_address} label="Copy the address" />
            </>,
          ],
          [
            "Supply",
            <>
              <Amount exact value={token.total_supply} decimals={token_decimals} />{" "}
              <Copy text={`${token.total_supply}`} label="Copy the supply in the smallest unit" />
            </>,
          ],
          !hasIds(standard) && ["Decimals", token_decimals ?? "unknown"],
          ["Holders", grouped(token.holder_count)],
          ["Transfers", grouped(transfers)],
        ]}
      />
    </section>
  );
}

export function TokenView({ subject }: { subject: string }) {
  const loading = useInspect("token", { address: subject, limit: 1 });
  return (
    <Loaded of={loading} what="Could not load the token" lines={8}>
      {({ token, transfer_count }) => (
        <>
          <Summary token={token} transfers={transfer_count} />
          <Tabs
            label="Lists of the token"
            tabs={[
              {
                id: "transfers",
                title: `Transfers ${grouped(transfer_count)}`,
                content: () => (
                  <InspectList
                    label="Transfers, newest first"
                    view="transfers"
                    parameters={{ address: subject }}
                    rowsOf={({ transfers }) => transfers}
                    columns={columns}
                    keyOf={(one) => `${one.block_number} ${one.log_index}`}
                    empty="No transfers yet."
                    file={`transfers-${subject.slice(0, 10)}.csv`}
                  />
                ),
              },
              {
                id: "holders",
                title: `Holders ${grouped(token.holder_count)}`,
                content: () => (
                  <InspectList
                    label="Holders, the largest first"
                    view="token"
                    parameters={{ address: subject }}
                    rowsOf={({ holders }) => holders}
                    countOf={({ token }) => token.holder_count}
                    columns={holderColumns(token)}
                    keyOf={({ address }) => address}
                    empty="No holders."
                    file={`holders-${subject.slice(0, 10)}.csv`}
                  />
                ),
              },
              ...(hasIds(token.standard)
                ? [
                    {
                      id: "inventory",
                      title: "Inventory",
                      content: () => <Inventory address={subject as Address} />,
                    },
                  ]
                : []),
            ]}
          />
        </>
      )}
    </Loaded>
  );
}
