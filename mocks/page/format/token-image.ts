// The image of a collectible, if its URI contains one. No other URI is ever requested.
import { asObject, jsonIn } from "../../../src/models/json.ts";

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
