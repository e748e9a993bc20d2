// The inventory of a collection, with the images that its URIs contain.
import { useState } from "preact/hooks";
import type { Address } from "../../../src/models/primitives.ts";
import type { InspectedNft } from "../../inspect/records.ts";
import { imageOf } from "../format/token-image.ts";
import { shortId, TokenId } from "../parts/columns.tsx";
import { InspectList } from "../parts/list.tsx";
import type { Column } from "../parts/table.tsx";
import { AddressLink, ChainText } from "../parts/text.tsx";

/** The image of a token, or its id if it has none or a broken one. */
function TokenImage({ token_id: id, token_uri }: InspectedNft) {
  const image = imageOf(token_uri);
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
      width={48}
      height={48}
      onError={() => setBroken(image)}
    />
  );
}

const columns: readonly Column<InspectedNft>[] = [
  { title: "Image", cell: (token) => <TokenImage {...token} /> },
  { title: "Token id", cell: ({ token_id }) => <TokenId id={token_id} /> },
  { title: "Owner", cell: ({ owner }) => <AddressLink row to={owner} /> },
  {
    title: "URI",
    kind: "wide",
    cell: ({ token_uri }) => <ChainText text={token_uri} length={70} />,
  },
];

export const Inventory = ({ address }: { address: Address }) => (
  <InspectList
    label="Inventory"
    view="inventory"
    parameters={{ token: address }}
    columns={columns}
  />
);
