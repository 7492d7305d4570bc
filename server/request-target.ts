/** What a request asks for: its path and its query, from any of the forms a request line may have. */
import type { IncomingMessage } from "node:http";

export interface Target {
  readonly path: string;
  /** Without its `?`. */
  readonly query: string;
}

/** The address of the server as a whole: `OPTIONS *`. */
export const WHOLE_SERVER = "*";

/** Absolute when a client takes us for a proxy. */
function originForm(url: string): string {
  if (url.charCodeAt(0) === 47 || !URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return (pathname === "" ? "/" : pathname) + search;
}

export function targetOf(request: IncomingMessage): Target {
  const url = originForm(request.url as string);
  const queryAt = url.indexOf("?");
  return queryAt === -1 ? { path: url, query: "" } : { path: url.slice(0, queryAt), query: url.slice(queryAt + 1) };
}

/** False for a path that the pages could not even decode: it names nothing. */
export function isPagePath(path: string): boolean {
  if (path.charCodeAt(0) !== 47 || !URL.canParse(path, "http://pages.invalid")) return false;
  try {
    return !decodeURIComponent(path).includes("\0");
  } catch {
    return false;
  }
}
