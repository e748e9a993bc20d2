// HTTP as bytes on a connection, for what no client would send.
import { connect, type Socket } from "node:net";

/** A response as it came. */
export interface RawResponse {
  readonly status: number;
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends bytes on a new connection. Resolves with the bytes received when it ends, or when `enough`
 * returns true.
 */
export const exchange = (
  port: number,
  sent: string | Uint8Array | readonly (string | Uint8Array)[],
  enough: (received: string) => boolean = () => false,
  halfClose = false,
): Promise<string> =>
  new Promise((resolve) => {
    let received = "";
    const socket: Socket = connect(port, "127.0.0.1", () => {
      for (const part of [sent].flat()) socket.write(part);
      // Nothing more comes: what is cut short ends.
      if (halfClose) socket.end();
    });
    socket.setEncoding("latin1");
    socket.on("data", (text) => {
      received += text;
      if (enough(received)) socket.destroy();
    });
    socket.on("error", () => {});
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve(received));
  });

/** The responses in what was received, by their content-length; the rest is no response. */
export function responsesIn(received: string): { responses: RawResponse[]; rest: string } {
  const responses: RawResponse[] = [];
  let remaining = received;
  for (;;) {
    const end = remaining.indexOf("\r\n\r\n");
    const [line = "", ...lines] = remaining.slice(0, Math.max(0, end)).split("\r\n");
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(line) ?? [];
    if (status === undefined) return { responses, rest: remaining };
    const headers = Object.fromEntries(
      lines.map((header) => {
        const colon = header.indexOf(":");
        return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers["content-length"] ?? 0);
    const body = remaining.slice(end + 4, end + 4 + length);
    if (body.length < length) return { responses, rest: remaining };
    remaining = remaining.slice(end + 4 + length);
    responses.push({ status: Number(status), headers, body });
  }
}

/** The responses to bytes, once there are as many as expected. */
export const responsesTo = async (
  port: number,
  sent: string | Uint8Array | readonly (string | Uint8Array)[],
  count = 1,
): Promise<readonly RawResponse[]> =>
  responsesIn(
    await exchange(port, sent, (received) => responsesIn(received).responses.length >= count),
  ).responses;
