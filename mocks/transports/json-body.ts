// Reads the JSON body of a request: one that is too large, nested too deeply or has too many values is refused before it costs time and memory.
import { maxBodyBytes, maxJsonDepth, type ServiceRequest } from "../message.ts";
import { ServiceError } from "../operations/handler.ts";

const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, comma] = [code('"'), code("\\"), code(",")];
const [openArray, closeArray] = [code("["), code("]")];
const [openObject, closeObject] = [code("{"), code("}")];

/** Why JSON is refused unread; undefined for what is within the limits, or no JSON at all. */
function excessOf(bytes: Uint8Array, maxValues: number): string | undefined {
  let depth = 0;
  let values = 1;
  let inText = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (inText) {
      if (byte === backslash) index++;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (byte === comma) {
      if (++values > maxValues) return `expected at most ${maxValues} values, received more`;
    } else if (byte === openArray || byte === openObject) {
      values++;
      if (++depth > maxJsonDepth) return `expected at most ${maxJsonDepth} levels, received more`;
    } else if (byte === closeArray || byte === closeObject) depth--;
  }
  return undefined;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The value of a JSON body with at most `maxValues` values in all its levels. Throws a {@link ServiceError}: 415 for another content type, 413 for a body that is too large, 400 above the
 * limits and for what is no JSON.
 */
export function readJson(
  { headers, body = new Uint8Array() }: ServiceRequest,
  maxValues: number,
): unknown {
  const type = String(headers["content-type"] ?? "");
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new ServiceError(
      415,
      `Content-Type: expected application/json, received ${type === "" ? "none" : JSON.stringify(type.slice(0, 80))}`,
    );
  if (body.length > maxBodyBytes)
    throw new ServiceError(413, `the body is larger than ${maxBodyBytes} bytes`);
  const excess = excessOf(body, maxValues);
  if (excess !== undefined) throw new ServiceError(400, `body: ${excess}`);
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw new ServiceError(400, "body: expected JSON, received something else");
  }
}
