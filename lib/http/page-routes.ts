/** Finds the handler for a method and a path of the pages' API. */
import type { PageEndpoint } from "../contract/page-endpoint";
import type { PageHandler } from "./serve-page";

export interface PageRoute {
  readonly row: Pick<PageEndpoint, "method" | "path">;
  readonly handler: PageHandler;
}

interface Address {
  /** Below `/api`. */
  readonly segments: readonly string[];
  readonly handlers: ReadonlyMap<string, PageHandler>;
}

const ID = "{id}";
const ALL_METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

function addressesOf(routes: readonly PageRoute[]): Address[] {
  const paths = new Set(routes.map(({ row }) => row.path));
  return [...paths].map((path) => {
    const same = routes.filter(({ row }) => row.path === path);
    const handlers = new Map<string, PageHandler>(
      same.map(({ row, handler }) => [row.method, handler]),
    );
    return { segments: path.split("/").slice(2), handlers };
  });
}

/** `requested` is not decoded: a fixed segment has one spelling. */
const isAt = (requested: readonly string[], { segments }: Address) =>
  segments.length === requested.length &&
  segments.every((segment, index) => segment === ID || segment === requested[index]);

/** Null for a segment that cannot be decoded. */
function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

function allow(methods: readonly string[]): Response {
  return new Response(null, { status: 204, headers: { allow: methods.join(", ") } });
}

function methodsOf({ handlers }: Address): string[] {
  const own = ["OPTIONS", ...handlers.keys()];
  return (handlers.has("GET") ? [...own, "HEAD"] : own).sort();
}

export type AnswerPages = (request: Request) => Promise<Response>;

/**
 * Answers with the row of the path, and with `nothing` where there is none. HEAD is answered like
 * GET, OPTIONS with the methods, and a method that the path does not allow with 405.
 */
export function pageRoutes(routes: readonly PageRoute[], nothing: PageHandler): AnswerPages {
  const addresses = addressesOf(routes);
  return async (request) => {
    const requested = new URL(request.url).pathname.split("/").slice(2);
    const address = addresses.find((each) => isAt(requested, each));
    const { method } = request;
    if (method === "OPTIONS") return allow(address ? methodsOf(address) : ALL_METHODS);
    if (address === undefined) return nothing(request);
    const handler = address.handlers.get(method === "HEAD" ? "GET" : method);
    if (handler === undefined) return new Response(null, { status: 405 });
    const id = decoded(requested[address.segments.indexOf(ID)] ?? "");
    return id === null ? nothing(request) : handler(request, id);
  };
}
