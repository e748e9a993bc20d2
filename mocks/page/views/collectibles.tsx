// The inventory of a collection, with the images that its URIs contain. No URI is requested.
import { useState } from "preact/hooks";
import { asObject, jsonIn } from "../../../src/models/json.ts";
import type { Address } from "../../../src/models/primitives.ts";
import type { InspectedNft } from "../../inspect/records.ts";
import { shortId, TokenId } from "../parts/columns.tsx";
import { InspectList } from "../parts/list.tsx";
import type { Column } from "../parts/table.tsx";
import { AddressLink, ChainText } from "../parts/text.tsx";

/** Longer URIs are not decoded. */
const MAX_LENGTH = 300_000;

const isImage = (uri: unknown): uri is string =>
  typeof uri === "string" && /^data:image\/[\w.+-]+[;,]/i.test(uri);

/** Decodes the text in a data URI; undefined if it is malformed. */
function dataUriText(uri: string): string | undefined {
  const [, parameters, data] = /^data:([^,]*),(.*)$/is.exec(uri) ?? [];
  if (parameters === undefined || data === undefined) return undefined;
  try {
    if (!/;base64$/i.test(parameters)) return decodeURIComponent(data);
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the image in a URI, or in the token's metadata that the URI contains. */
export function imageOf(uri: string): string | undefined {
  const text = uri.trim();
  if (text.length > MAX_LENGTH) return undefined;
  if (isImage(text)) return text;
  if (!/^data:application\/json[;,]/i.test(text)) return undefined;
  const { image } = asObject(jsonIn(dataUriText(text) ?? ""));
  return isImage(image) ? image : undefined;
}

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
    kind: "text",
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
