// Collectibles: those of an account by collection, and the inventory of a collection; with images that need no other machine.
import { useState } from "preact/hooks";
import type { Address } from "../../../src/models/primitives.ts";
import type { InspectedNft } from "../../inspect/records.ts";
import { imageOf } from "../format/token-image.ts";
import { grouped, oneLine } from "../format/values.ts";
import { shortId, TokenId } from "../parts/account-columns.tsx";
import { Loaded } from "../parts/failure.tsx";
import { filters } from "../parts/filters.tsx";
import { InspectList } from "../parts/list.tsx";
import type { Column } from "../parts/table.tsx";
import { AddressLink, ChainText, NamedLink } from "../parts/text.tsx";
import { useInspect } from "../service/queries.ts";

interface TokenProps {
  readonly id: bigint;
  readonly uri: string | null;
}

/** The image of a token; its id where there is none, or none that can be shown. */
function TokenImage({ id, uri, size }: TokenProps & { readonly size: number }) {
  const image = imageOf(uri, location.origin);
  const [broken, setBroken] = useState<string>();
  if (image === undefined || image === broken)
    return (
      <span class="no-image" aria-hidden="true">
        {shortId(id)}
      </span>
    );
  return (
    <img
      src={image}
      alt={`Token ${shortId(id)}`}
      loading="lazy"
      width={size}
      height={size}
      onError={() => setBroken(image)}
    />
  );
}

function Token({ id, uri }: TokenProps) {
  return (
    <li class="tile">
      <TokenImage id={id} uri={uri} size={120} />
      <TokenId id={id} />
      {uri && (
        <small class="quiet">
          <ChainText text={uri} length={28} />
        </small>
      )}
    </li>
  );
}

/** More are counted, not shown. */
const MOST_TILES = 100;

function Collection({
  collection,
  holder,
  name,
}: {
  collection: Address;
  holder: Address;
  name: string;
}) {
  const loading = useInspect("inventory", {
    ...{ token: collection, owner: holder, limit: MOST_TILES },
  });
  return (
    <section>
      <h2>
        <NamedLink to={collection} text={name} length={48} />
      </h2>
      <Loaded of={loading} what="Could not load the collectibles">
        {({ inventory, count }) => (
          <>
            <ul class="tiles">
              {inventory.map(({ token_id, token_uri }) => (
                <Token key={`${token_id}`} id={token_id} uri={token_uri} />
              ))}
            </ul>
            {(count ?? 0) > inventory.length && (
              <p class="quiet">and {grouped((count ?? 0) - inventory.length)} more</p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

export function Collectibles({ address }: { address: Address }) {
  const loading = useInspect("holdings", { account: address, standard: "mrc721", limit: 20 });
  return (
    <Loaded of={loading} what="Could not load the collections">
      {({ holdings }) =>
        holdings.map(({ token_address, token_name }) => (
          <Collection
            key={token_address}
            collection={token_address}
            holder={address}
            name={token_name || oneLine(token_address, 42)}
          />
        ))
      }
    </Loaded>
  );
}

const inventoryColumns: readonly Column<InspectedNft>[] = [
  { title: "Token id", cell: ({ token_id }) => <TokenId id={token_id} /> },
  {
    title: "Image",
    cell: ({ token_uri, token_id }) => <TokenImage id={token_id} uri={token_uri} size={40} />,
  },
  { title: "Owner", cell: ({ owner }) => <AddressLink row to={owner} /> },
  {
    title: "URI",
    kind: "wide",
    cell: ({ token_uri }) => <ChainText text={token_uri} length={70} />,
  },
];

/** Every token of a collection. */
export const Inventory = ({ address }: { address: Address }) => (
  <InspectList
    label="Inventory"
    view="inventory"
    parameters={{ token: address }}
    fields={filters.inventory}
    columns={inventoryColumns}
    file="inventory"
  />
);
