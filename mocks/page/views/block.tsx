// A block: its facts, its neighbours and its transactions.
import { isHash } from "../../../src/models/hex.ts";
import type { AnswerOf } from "../../inspect/views.ts";
import { grouped, share, shortHex } from "../format/values.ts";
import { transactionColumns } from "../parts/columns.tsx";
import { Copy, type Fact, Facts, FullTime, withNote } from "../parts/facts.tsx";
import { Loaded } from "../parts/failure.tsx";
import { filters } from "../parts/filters.tsx";
import { InspectList } from "../parts/list.tsx";
import { AddressLink, Amount, BlockLink } from "../parts/text.tsx";
import { href } from "../router.ts";
import { useInspect } from "../service/queries.ts";
import { Search } from "./search.tsx";

const columns = transactionColumns.filter(({ title }) => title !== "Block" && title !== "Time");

export function BlockView({ subject }: { subject: string }) {
  // A hash leads to the number.
  return isHash(subject) ? <Search subject={subject} /> : <NumberedBlock subject={subject} />;
}

const factsOf = ({ block, confirmations }: AnswerOf<"block">): readonly Fact[] => [
  block.block_number > 0 && [
    "Parent",
    <>
      <BlockLink to={block.block_number - 1} />{" "}
      <span class="hex quiet" title={block.parent_hash}>
        {shortHex(block.parent_hash)}
      </span>{" "}
      <Copy text={block.parent_hash} label="Copy the parent's hash" />
    </>,
  ],
  ["Time", <FullTime at={block.timestamp} />],
  ["Blocks on top", grouped(confirmations)],
  ["Miner", <AddressLink full to={block.miner} />],
  [
    "Reward",
    withNote(
      <Amount exact value={block.fees + block.mining_reward} />,
      ...["· fees ", <Amount value={block.fees} />],
      ...[", issuance ", <Amount value={block.mining_reward} />],
    ),
  ],
  [
    "Gas used",
    withNote(
      <span class="number">{grouped(block.gas_used)}</span>,
      `of ${grouped(block.gas_limit)} · ${share(block.gas_used, block.gas_limit)}`,
    ),
  ],
  block.base_fee_per_gas !== null && [
    "Base fee",
    withNote(
      <>
        <Amount value={block.base_fee_per_gas} decimals={9} /> gwei
      </>,
      "· burnt ",
      <Amount value={block.base_fee_per_gas * BigInt(block.gas_used ?? 0)} />,
    ),
  ],
  ["Transactions", grouped(block.transaction_count)],
];

function NumberedBlock({ subject }: { subject: string }) {
  const loading = useInspect("block", { number: subject });
  return (
    <>
      <Loaded of={loading} what="Could not load the block" lines={6}>
        {(found) => {
          const { block_number: number, block_hash } = found.block;
          return (
            <section class="card">
              <h1>
                Block <span class="number">{grouped(number)}</span>
                <span class="pager">
                  {number > 0 && (
                    <a href={href("block", number - 1)} rel="prev">
                      ← Previous
                    </a>
                  )}
                  {number < found.head.block_number && (
                    <a href={href("block", number + 1)} rel="next">
                      Next →
                    </a>
                  )}
                </span>
              </h1>
              <p class="subject">
                <span class="hex">{block_hash}</span>{" "}
                <Copy text={block_hash} label="Copy the hash" />
              </p>
              <Facts facts={factsOf(found)} />
            </section>
          );
        }}
      </Loaded>
      <section class="card">
        <h2>Transactions</h2>
        <InspectList
          label="Transactions of the block"
          view="transactions"
          parameters={{ start_block: subject, end_block: subject, order: "asc" }}
          fields={filters.ofBlock}
          columns={columns}
          file="block"
        />
      </section>
    </>
  );
}
