// A block: its head with its neighbours, and its transactions.
import { isHash } from "../../../src/models/hex.ts";
import type { AnswerOf } from "../../inspect/views.ts";
import { grouped, share, shortHex } from "../format/values.ts";
import { transactionColumns } from "../parts/columns.tsx";
import { Copy, type Fact, FullTime, Head } from "../parts/facts.tsx";
import { Loaded } from "../parts/failure.tsx";
import { InspectList } from "../parts/list.tsx";
import { AddressLink, Amount, BlockLink, Time } from "../parts/text.tsx";
import { href } from "../router.ts";
import { useInspect } from "../service/queries.ts";
import { Search } from "./search.tsx";

const columns = transactionColumns.filter(({ title }) => title !== "Block" && title !== "Time");

/** A search turns a hash into the number. */
export const BlockView = ({ subject }: { subject: string }) =>
  isHash(subject) ? <Search subject={subject} /> : <NumberedBlock subject={subject} />;

const figuresOf = ({ block, confirmations }: AnswerOf<"block">): readonly Fact[] => [
  ["Time", <Time at={block.timestamp} />],
  ["Transactions", grouped(block.transaction_count)],
  ["Gas used", share(block.gas_used, block.gas_limit) || grouped(block.gas_used)],
  ["Blocks on top", grouped(confirmations)],
];

const detailsOf = ({ block }: AnswerOf<"block">): readonly Fact[] => [
  ["Mined at", <FullTime at={block.timestamp} />],
  ["Miner", <AddressLink to={block.miner} />],
  [
    "Reward",
    <Amount exact value={block.fees + block.mining_reward} />,
    [
      ...["· fees ", <Amount value={block.fees} />],
      ...[", issuance ", <Amount value={block.mining_reward} />],
    ],
  ],
  ["Gas", grouped(block.gas_used), `of ${grouped(block.gas_limit)}`],
  block.base_fee_per_gas !== null && [
    "Base fee",
    <Amount value={block.base_fee_per_gas} decimals={9} symbol="gwei" />,
    ["· burnt ", <Amount value={block.base_fee_per_gas * BigInt(block.gas_used ?? 0)} />],
  ],
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
];

function NumberedBlock({ subject }: { subject: string }) {
  const loading = useInspect("block", { number: subject });
  return (
    <>
      <Loaded of={loading} what="Could not load the block" lines={6}>
        {(answer) => {
          const { block_number: number, block_hash } = answer.block;
          return (
            <Head
              title={
                <>
                  Block <span class="number">{grouped(number)}</span>
                  <span class="pager">
                    {number > 0 && (
                      <a href={href("block", number - 1)} rel="prev">
                        ← Previous
                      </a>
                    )}
                    {number < answer.head.block_number && (
                      <a href={href("block", number + 1)} rel="next">
                        Next →
                      </a>
                    )}
                  </span>
                </>
              }
              id={block_hash}
              idLabel="hash"
              figures={figuresOf(answer)}
              details={detailsOf(answer)}
            />
          );
        }}
      </Loaded>
      <section class="card">
        <h2>Transactions</h2>
        <InspectList
          label="Transactions of the block"
          view="transactions"
          parameters={{ start_block: subject, end_block: subject, order: "asc" }}
          hidden={["direction"]}
          columns={columns}
        />
      </section>
    </>
  );
}
