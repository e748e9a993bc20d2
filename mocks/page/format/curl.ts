// The command of a shell that sends a request again as it came, broken ones too; the key is left to the environment.

/** What is needed of a request. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  /** 401 where its key was refused. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly encoding: "text" | "base64";
}

/** What programs send on their own, or what belongs to a connection. */
const IGNORED =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|user-agent|accept-encoding|accept-language|origin|referer|cookie|authorization|proxy-.*|sec-.*|admin-token)$/;

/** What stands in place of a key in the journal. */
const HIDDEN = "[api-key]";

/** One word of a shell, whatever is in it; a hidden key comes from the environment. */
const quoted = (text: string): string =>
  text
    .split(HIDDEN)
    .map((part) => `'${part.replaceAll("'", "'\\''")}'`)
    .join('"$EXPLORER_API_KEY"');

/** Longer words are refused by the system. */
const MAX_WORD = 100_000;

const utf8 = new TextEncoder();
const toBase64 = (text: string): string =>
  btoa(Array.from(utf8.encode(text), (byte) => String.fromCharCode(byte)).join(""));

function keyHeader({ headers, status }: RawRequest): readonly string[] {
  const key = headers["api-key"];
  if (key === undefined) return [];
  if (key === "") return ["-H 'api-key;'"];
  // A key that was refused is refused again.
  return [status === 401 ? "-H 'api-key: not-a-key'" : '-H "api-key: $EXPLORER_API_KEY"'];
}

function headersOf(request: RawRequest): readonly string[] {
  const given = Object.entries(request.headers).filter(
    ([name]) => name !== "api-key" && !IGNORED.test(name),
  );
  // What curl would add.
  const type = request.body !== "" && request.headers["content-type"] === undefined;
  return [
    ...keyHeader(request),
    ...given.map(
      ([name, value]) => `-H ${quoted(value === "" ? `${name};` : `${name}: ${value}`)}`,
    ),
    ...(type ? ["-H 'content-type:'"] : []),
    ...(request.headers.accept === undefined ? ["-H 'accept:'"] : []),
  ];
}

/** The command that sends it again. */
export function curlOf(request: RawRequest, origin: string): string {
  const { method, target, body, encoding } = request;
  const isPlain = target.startsWith("/") && !/[#\s]/.test(target);
  const isWord = encoding === "text" && body.length <= MAX_WORD && !body.includes("\0");
  const bytes = encoding === "base64" ? body : toBase64(body);
  const verb = method === (body === "" ? "GET" : "POST") ? [] : [`-X ${quoted(method)}`];
  const data = isWord ? `--data-raw ${quoted(body)}` : "-H 'expect:' --data-binary @-";
  const command = [
    "curl --globoff --path-as-is",
    ...(method === "HEAD" ? ["--head"] : verb),
    ...(isPlain
      ? [quoted(origin + target)]
      : [`--request-target ${quoted(target)}`, quoted(origin)]),
    ...headersOf(request),
    ...(body === "" ? [] : [data]),
  ].join(" ");
  return body === "" || isWord ? command : `printf %s '${bytes}' | base64 -d | ${command}`;
}
