/** Parses the path and the query of a request, from any form of request line. */
import type { IncomingMessage } from "node:http";

export interface Target {
  readonly path: string;
  /** Without the leading `?`. */
  readonly query: string;
}

/** The target of a request to the server as a whole: `OPTIONS *`. */
export const WHOLE_SERVER = "*";

/** A client that takes us for a proxy sends an absolute URL. */
function originForm(url: string): string {
  if (url.charCodeAt(0) === 47 || !URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return (pathname === "" ? "/" : pathname) + search;
}

export function targetOf(request: IncomingMessage): Target {
  const url = originForm(request.url ?? "");
  const queryAt = url.indexOf("?");
  return queryAt === -1
    ? { path: url, query: "" }
    : { path: url.slice(0, queryAt), query: url.slice(queryAt + 1) };
}

/** False for a path that the pages cannot decode, so that it matches no page. */
export function isPagePath(path: string): boolean {
  if (path.charCodeAt(0) !== 47 || !URL.canParse(path, "http://pages.invalid")) return false;
  try {
    return !decodeURIComponent(path).includes("\0");
  } catch {
    return false;
  }
}
