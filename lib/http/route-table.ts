/** Finds the endpoint for a method and a path. Both lanes use it, so they cannot differ. */
import type { EndpointRow } from "../contract/endpoint";
import { RelayError } from "../failures/relay-error";
import type { Endpoint } from "./exchange";
import { hintFor, isVideoTool, NO_VIDEO_TOOLS } from "./route-hint";
import { refusing } from "./serve";

export interface Route {
  readonly row: EndpointRow;
  readonly endpoint: Endpoint;
}

export type FindEndpoint = (method: string, path: string) => Endpoint | undefined;

const notFound = (message: string) => refusing(new RelayError("route_not_found", { message }));

function wrongMethod(methods: readonly string[]): Endpoint {
  const allow = methods.join(", ");
  return refusing(
    new RelayError("method_not_allowed", {
      message: `This path allows only ${allow}.`,
      headers: { allow },
    }),
  );
}

const ownWellKnown: readonly string[] = ["/.well-known/security.txt", "/.well-known/api-catalog"];

interface Address {
  readonly endpoints: Map<string, Endpoint>;
  readonly refuse: Endpoint;
}

/**
 * Creates the look-up for `routes`. It returns undefined only for paths outside `/v1` that no row
 * names.
 */
export function routeTable(routes: readonly Route[]): FindEndpoint {
  const byPath = new Map<string, Address>();
  for (const { row } of routes) {
    if (byPath.has(row.path)) continue;
    const same = routes.filter((route) => route.row.path === row.path);
    const endpoints = new Map<string, Endpoint>(
      same.map((route) => [route.row.method, route.endpoint]),
    );
    byPath.set(row.path, { endpoints, refuse: wrongMethod([...endpoints.keys()]) });
  }
  const patterns = [...byPath]
    .filter(([path]) => path.includes("{"))
    .map(([path, address]) => ({ ...endsOf(path), address }));
  const rows = routes.map(({ row }) => row).filter(({ path }) => path.startsWith("/v1/"));
  const addressAt = (path: string) =>
    byPath.get(path) ?? patterns.find((ends) => hasParameter(path, ends))?.address;
  return (method, path) => {
    const address = addressAt(path);
    const endpoint = address?.endpoints.get(method);
    if (endpoint) return endpoint;
    if (isVideoTool(method, path)) return notFound(NO_VIDEO_TOOLS);
    if (address) return address.refuse;
    if (path === "/v1" || path.startsWith("/v1/")) return notFound(hintFor(rows, method, path));
    // Programs look for settings here, and read JSON. What there is, the pages have.
    if (path.startsWith("/.well-known/") && !ownWellKnown.includes(path))
      return notFound("There is nothing at this address.");
    // Pages are read. A path of the API that is written to has lost its beginning.
    const isMeant = method === "POST" && addressAt(`/v1${path}`)?.endpoints.has(method);
    return isMeant
      ? notFound(`The API's paths begin with /v1: call ${method} /v1${path}.`)
      : undefined;
  };
}

const endsOf = (path: string) => ({
  prefix: path.slice(0, path.indexOf("{")),
  suffix: path.slice(path.indexOf("}") + 1),
});

/** True when exactly the parameter is between the ends. */
function hasParameter(
  path: string,
  { prefix, suffix }: { readonly prefix: string; readonly suffix: string },
): boolean {
  const end = path.length - suffix.length;
  if (end <= prefix.length || !path.startsWith(prefix) || !path.endsWith(suffix)) return false;
  const slash = path.indexOf("/", prefix.length);
  return slash === -1 || slash >= end;
}
