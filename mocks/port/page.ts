// The page at `/` of a served explorer, and its built files below `/page/`, read on the first
// request.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { errorResponse, type ServiceRequest, type ServiceResponse } from "../message/message.ts";

/** The prefix of the paths of its files. */
const ROOT = "/page/";

/** The types of its files: all of them are text. */
const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
  ".json": "application/json",
};

/**
 * Allows only the page's own scripts, styles and requests, so that text from a chain that becomes
 * markup can load and send nothing.
 */
const policy = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:"],
  ...["connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join("; ");

const safety = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
} as const;

/** The build names files by their content: `index-T0QU1JPB.js`. */
const isHashed = (name: string): boolean => /-[\w-]{8}\.[a-z]+$/.test(name);

/** The ending of files that the build compressed. */
const COMPRESSED = ".br";

interface PageFile extends ServiceResponse {
  /** Undefined for a file that the build did not compress. */
  readonly brotli: Uint8Array | undefined;
}

function readFile(folder: string, name: string): PageFile {
  const path = join(folder, name);
  const brotli = existsSync(path + COMPRESSED) ? readFileSync(path + COMPRESSED) : undefined;
  const bytes = brotli ? brotliDecompressSync(brotli) : readFileSync(path);
  const body = bytes.toString("utf8");
  const etag = `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
  return {
    status: 200,
    body,
    brotli,
    headers: {
      ...safety,
      "content-type": types[extname(name)] ?? "text/plain; charset=utf-8",
      "cache-control": isHashed(name) ? "public, max-age=31536000, immutable" : "no-cache",
      // Programs get JSON at the same address.
      vary: name === "index.html" ? "accept, accept-encoding" : "accept-encoding",
      etag,
    },
  };
}

const isBuilt = (folder: string): boolean => existsSync(join(folder, "index.html"));

/**
 * Returns the path of a file or folder of this package, if it exists. Tries several folders,
 * because sources and built files are at different depths.
 */
export function inPackage(path: string): string | undefined {
  for (const above of ["../workbench/", "../", "../../"]) {
    const location = fileURLToPath(new URL(`${above}${path}`, import.meta.url));
    if (existsSync(location)) return location;
  }
  return undefined;
}

/** Reads the files in a folder, by name. Skips subfolders and files of unknown types. */
function readFiles(folder: string): ReadonlyMap<string, PageFile> {
  // Some files exist in both forms, plain and compressed.
  const names = new Set(
    readdirSync(folder)
      .map((name) => (name.endsWith(COMPRESSED) ? name.slice(0, -COMPRESSED.length) : name))
      .filter((name) => Object.hasOwn(types, extname(name))),
  );
  return new Map([...names].map((name) => [name, readFile(folder, name)]));
}

const refusal = (
  status: number,
  message: string,
  headers: ServiceResponse["headers"] = {},
): ServiceResponse => errorResponse(status, message, null, { ...safety, ...headers });

const notBuilt: ServiceResponse = {
  status: 404,
  headers: { ...safety, "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  body: "The page is not built: run `npm run build` in the folder of mrc-explorer, and load this again.\n",
};

/** Whether `accept-encoding` names brotli, and not with `q=0`. */
const acceptsBrotli = (header: ServiceRequest["headers"][string]): boolean =>
  /\bbr\s*(?!\s*;\s*q=0(\.0*)?\s*(,|$))(;|,|$)/.test(`${header ?? ""}`);

/**
 * Responds with a file. Its ETag is weak, because it identifies the content, whatever its coding.
 */
function respondWith({ brotli, ...file }: PageFile, { headers }: ServiceRequest): ServiceResponse {
  const etags = headers["if-none-match"];
  if (typeof etags === "string" && etags.includes(file.headers.etag ?? "none"))
    return { ...file, status: 304, body: "" };
  if (!brotli || !acceptsBrotli(headers["accept-encoding"])) return file;
  return { ...file, headers: { ...file.headers, "content-encoding": "br" }, bytes: brotli };
}

/**
 * The paths of other explorers, to which wallets, wagmi and tools link: `/tx/0x…`, `/address/0x…`,
 * `/token/0x…`, `/block/5`.
 */
const LINK_PATTERN = /^\/(tx|address|token|block)\/(0x[0-9a-f]{40}|0x[0-9a-f]{64}|\d+)\/?(?:\?|$)/i;

/**
 * Whether a target is a file of the page, or, if a browser requests a document, the page or a link
 * into it.
 */
export const isOfPage = (target: string, { accept = "" }: IncomingHttpHeaders): boolean =>
  target.startsWith(ROOT) ||
  ((target === "/" || target.startsWith("/?") || LINK_PATTERN.test(target)) &&
    /\btext\/html\b/i.test(accept));

/**
 * Returns a function that responds to requests for the page and its files. `folder` is where the
 * built page is, if not next to this package's other built files.
 */
export function createPage(folder?: string): (request: ServiceRequest) => ServiceResponse {
  let files: ReadonlyMap<string, PageFile> | undefined;

  /** Reads all files once, so that files of different builds never mix. */
  function file(name: string): PageFile | undefined {
    if (files === undefined) {
      const built = folder ?? inPackage("dist/page");
      if (built !== undefined && isBuilt(built)) files = readFiles(built);
    }
    return files?.get(name);
  }

  return (request) => {
    const { method } = request;
    if (method !== "GET" && method !== "HEAD")
      return refusal(405, `expected GET or HEAD, received ${method.slice(0, 20)}`, {
        allow: "GET, HEAD",
      });
    const [path = ""] = request.target.split("?", 1);
    const [, kind = "", subject] = LINK_PATTERN.exec(path)?.map((part) => part.toLowerCase()) ?? [];
    if (subject !== undefined) {
      const location = `/#/${kind === "address" ? "contract" : kind}/${subject}`;
      return { status: 302, headers: { ...safety, location, vary: "accept" }, body: "" };
    }
    if (path === "/") {
      const page = file("index.html");
      return page === undefined ? notBuilt : respondWith(page, request);
    }
    // Finds only names that were read, so no path leads outside the folder.
    const asset = file(path.slice(ROOT.length));
    return asset ? respondWith(asset, request) : refusal(404, "the page has no such file");
  };
}
