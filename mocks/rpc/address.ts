// The URL of a node: what may be shown of it, and the credentials in it.

/** Whether it is the URL of a websocket. */
export const isSocketUrl = (url: string): boolean => /^wss?:/i.test(url);

/** The URL without credentials, which fetch rejects. */
export function withoutUser(url: string): string {
  const address = new URL(url);
  address.username = "";
  address.password = "";
  return address.href;
}

/** The header for the credentials in a URL, if it has any. */
export function authorizationIn(url: string): Readonly<Record<string, string>> {
  const { username, password } = new URL(url);
  if (username === "" && password === "") return {};
  const credentials = `${decoded(username)}:${decoded(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
}

/** What a part of a URL stands for; the part itself if it encodes nothing, such as the password `50%`. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The URL without parts that may be secret: credentials, path (which may contain a key) and query. */
export const shownUrl = (url: string): string => new URL(url).origin;
