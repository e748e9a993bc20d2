// A block: its facts, its neighbours and its transactions.
import { isHash } from "../../../../src/models/hex.ts";
import { grouped, share, shortHex } from "../format/values.ts";
import { failedClass, transactionColumns } from "../parts/columns.tsx";
import { Copy, Facts, FullTime } from "../parts/facts.tsx";
import { Loaded } from "../parts/failure.tsx";
import { filters } from "../parts/filters.tsx";
import { InspectList } from "../parts/list.tsx";
import { AddressLink, Amount, BlockLink } from "../parts/text.tsx";
import { explorer } from "../service/explorer.ts";
import { headId } from "../service/head.ts";
import { inspect } from "../service/inspect.ts";
import { useQuery } from "../service/queries.ts";
import { Search } from "./search.tsx";

const columns = transactionColumns.filter(({ title }) => title !== "Block" && title !== "Time");

export function BlockView({ subject }: { subject: string }) {
  // A hash leads to the number.
  return isHash(subject) ? <Search subject={subject} /> : <NumberedBlock subject={subject} />;
}

function NumberedBlock({ subject }: { subject: string }) {
  const loading = useQuery(
    ["block", subject],
    async (signal) => {
      const answer = await inspect("block", { number: subject }, { signal });
      // What the block paid is the API's own answer (B1).
      const number = answer.block.block_number;
      const reward = await explorer.blocks.get(number, { signal }).catch(() => null);
      return { ...answer, reward };
    },
    { version: headId.use() },
  );
  return (
    <>
      <Loaded of={loading} what="Could not load the block" lines={6}>
        {({ block, confirmations, reward, head: newest }) => (
          <section class="card">
            <h1>
              Block <span class="number">{grouped(block.block_number)}</span>
              <span class="pager">
                {block.block_number > 0 && (
                  <a href={`#/block/${block.block_number - 1}`} rel="prev">
                    ← Previous
                  </a>
                )}
                {block.block_number < newest.block_number && (
                  <a href={`#/block/${block.block_number + 1}`} rel="next">
                    Next →
                  </a>
                )}
              </span>
            </h1>
            <p class="subject">
              <span class="hex">{block.block_hash}</span>{" "}
              <Copy text={block.block_hash} label="Copy the hash" />
            </p>
            <Facts
              facts={[
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
                reward && [
                  "Reward",
                  <>
                    <Amount exact value={reward.reward} />{" "}
                    <span class="quiet">
                      · fees <Amount value={reward.fees} />, issuance{" "}
                      <Amount value={reward.mining_reward} />
                    </span>
                  </>,
                ],
                [
                  "Gas used",
                  <>
                    <span class="number">{grouped(block.gas_used)}</span>{" "}
                    <span class="quiet">
                      of {grouped(block.gas_limit)} · {share(block.gas_used, block.gas_limit)}
                    </span>
                  </>,
                ],
                block.base_fee_per_gas !== null && [
                  "Base fee",
                  <>
                    <Amount value={block.base_fee_per_gas} decimals={9} /> gwei{" "}
                    <span class="quiet">
                      · burnt{" "}
                      <Amount value={block.base_fee_per_gas * BigInt(block.gas_used ?? 0)} />
                    </span>
                  </>,
                ],
                ["Transactions", grouped(block.transaction_count)],
              ]}
            />
          </section>
        )}
      </Loaded>
      <section class="card">
        <h2>Transactions</h2>
        <InspectList
          label="Transactions of the block"
          view="transactions"
          parameters={{ start_block: subject, end_block: subject, order: "asc" }}
          fields={filters.ofBlock}
          rowsOf={({ transactions }) => transactions}
          columns={columns}
          keyOf={({ transaction_hash }) => transaction_hash}
          classOf={failedClass}
          empty="No such transactions."
          file={`block-${subject}`}
        />
      </section>
    </>
  );
}
