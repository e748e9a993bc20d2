// The options of a served explorer: defaults and checks.
import * as z from "zod/mini";
import { validOptions } from "../input/options.ts";

/** The options of {@link serveExplorer}. */
export interface ServeOptions {
  /** 0 picks a free port. @default 0 */
  readonly port?: number | undefined;
  /** @default "127.0.0.1" */
  readonly host?: string | undefined;
  /**
   * Serves the admin API under `/admin/`: other processes that send the token of
   * {@link ServedExplorer.admin} in the header `admin-token` can reset, restore, mine, add faults
   * and read the journal. @default false
   */
  readonly admin?: boolean | undefined;
  /**
   * The token of the admin API: 8 or more printable ASCII characters without spaces. Setting it
   * turns the API on. @default a random one
   */
  readonly adminToken?: string | undefined;
  /**
   * Host names, without a port, that are accepted besides localhost, `host` and IP addresses.
   * Requests with another name in their Host header are refused, because any website can point its
   * own domain at this machine. @default none
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Serves the web page at `/`, and the API that it uses under `/inspect`. @default true */
  readonly page?: boolean | undefined;
  /** The maximum number of connections; further ones are closed, with one warning. @default 4096 */
  readonly maxConnections?: number | undefined;
}

const PORT_NUMBER = "an integer from 0 to 65535";
const CONNECTIONS = "an integer of 1 or more";
const HOST = "an address to listen on";
const NAME = "the name of a host, without a port or a *";

const hostNameSchema = z.string(NAME).check(z.regex(/^[^\s:/*]+$/, NAME));

const schema = z.strictObject({
  port: z._default(z.int(PORT_NUMBER).check(z.gte(0, PORT_NUMBER), z.lte(65_535, PORT_NUMBER)), 0),
  host: z._default(z.string(HOST).check(z.minLength(1, HOST)), "127.0.0.1"),
  admin: z._default(z.boolean(), false),
  adminToken: z.optional(z.unknown()),
  allowedHosts: z._default(z.array(hostNameSchema), []),
  page: z._default(z.boolean(), true),
  maxConnections: z._default(z.int(CONNECTIONS).check(z.gte(1, CONNECTIONS)), 4096),
} satisfies Record<keyof ServeOptions, z.ZodMiniType>);

/** Fills in the defaults. Throws a TypeError that names everything invalid. */
export function readServeOptions(options: ServeOptions) {
  const { adminToken, ...others } = validOptions("serveExplorer", schema, options);
  // The message of a schema would show the token, which is secret even if it is invalid.
  if (adminToken !== undefined && !/^[!-~]{8,}$/.test(String(adminToken)))
    throw new TypeError(
      "serveExplorer: adminToken: expected 8 or more printable ASCII characters without spaces",
    );
  return { ...others, adminToken: adminToken as string | undefined };
}
