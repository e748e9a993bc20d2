// The image of a collectible, where its URI holds it or names this machine's own service: nothing else is ever requested.
import { asObject, jsonIn } from "../../../src/models/json.ts";

/** Longer ones are not decoded. */
const MAX_LENGTH = 300_000;

const isImage = (uri: string): boolean => /^data:image\/[\w.+-]+[;,]/i.test(uri);

/** The text in a data URI. */
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

/** A URI on this origin may be an image, unless the service itself would answer: a URI is no request of a test. */
function isLocal(uri: string, origin: string): boolean {
  const url = URL.canParse(uri, origin) ? new URL(uri, origin) : undefined;
  const isAbsolute = /^(https?:)?[/\\]/i.test(uri);
  return (
    isAbsolute && url?.origin === origin && !/^\/(v1|admin|inspect|health)(\/|$)/.test(url.pathname)
  );
}

/** The address of an image that the page may show; undefined where there is none. */
export function imageOf(uri: string | null, origin: string): string | undefined {
  if (uri === null || uri.length > MAX_LENGTH) return undefined;
  const given = uri.trim();
  if (isImage(given)) return given;
  if (/^data:application\/json[;,]/i.test(given))
    return imageOfMetadata(dataUriText(given), origin);
  return isLocal(given, origin) ? given : undefined;
}

/** The field `image` of a token's metadata. */
function imageOfMetadata(json: string | undefined, origin: string): string | undefined {
  const { image } = asObject(jsonIn(json ?? ""));
  if (typeof image !== "string") return undefined;
  return isImage(image) || isLocal(image, origin) ? image : undefined;
}
