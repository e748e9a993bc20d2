// Collectibles: those of an account by collection, and the inventory of a collection; with images that need no other machine.
import { useState } from "preact/hooks";
import type { Address } from "../../../../src/models/primitives.ts";
import { imageOf } from "../format/token-image.ts";
import { grouped, oneLine } from "../format/values.ts";
import { shortId, TokenId } from "../parts/account-columns.tsx";
import { Loaded } from "../parts/failure.tsx";
import { List } from "../parts/list.tsx";
import { ChainText } from "../parts/text.tsx";
import { href } from "../router.ts";
import { explorer } from "../service/explorer.ts";
import { headId } from "../service/head.ts";
import { useQuery } from "../service/queries.ts";

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
const MOST_TILES = 120;

function Collection({
  collection,
  holder,
  name,
}: {
  collection: Address;
  holder: Address;
  name: string;
}) {
  const loading = useQuery(
    ["inventory", collection, holder],
    (signal) => explorer.tokens.inventory(collection, holder, { signal }),
    { version: headId.use() },
  );
  return (
    <section>
      <h2>
        <a class="named" href={href("token", collection)} title={collection}>
          <ChainText text={name} length={48} />
        </a>
      </h2>
      <Loaded of={loading} what="Could not load the collectibles">
        {({ data }) => (
          <>
            <ul class="tiles">
              {data.slice(0, MOST_TILES).map(({ token_id, token_uri }) => (
                <Token key={`${token_id}`} id={token_id} uri={token_uri} />
              ))}
            </ul>
            {data.length > MOST_TILES && (
              <p class="quiet">and {grouped(data.length - MOST_TILES)} more</p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

export function Collectibles({ address }: { address: Address }) {
  const loading = useQuery(
    ["collections", address],
    (signal) => explorer.accounts.mrc721Tokens(address, {}, { signal }).collect({ max: 20 }),
    { version: headId.use() },
  );
  return (
    <Loaded of={loading} what="Could not load the collections">
      {(collections) =>
        collections.map(({ token_address, token_name }) => (
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

/** Every token of a collection. */
export function Inventory({ address }: { address: Address }) {
  return (
    <List
      label="Inventory"
      request={["all of", address]}
      open={(limit) => explorer.accounts.inventory(address, { limit })}
      columns={[
        {
          title: "Token id",
          cell: ({ token_id }) => <TokenId id={token_id} />,
        },
        {
          title: "Image",
          cell: ({ token_uri, token_id }) => <TokenImage id={token_id} uri={token_uri} size={40} />,
        },
        {
          title: "URI",
          kind: "wide",
          cell: ({ token_uri }) => <ChainText text={token_uri ?? ""} length={70} />,
        },
      ]}
      keyOf={({ token_id }) => `${token_id}`}
      empty="No tokens."
      file={`inventory-${address.slice(0, 10)}`}
    />
  );
}
