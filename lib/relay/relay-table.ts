/** Every address of the relay: its endpoints, and the tools that call them. */
import { mcpEndpoint } from "../contract/mcp";
import { type FindEndpoint, type Route, routeTable } from "../http/route-table";
import { serve } from "../http/serve";
import { createMcp } from "./mcp/mcp";
import { mcpEdge } from "./mcp/mcp-edge";
import { type RelayDeps, relayRoutes } from "./routes";

/**
 * `watch` wraps each route; what a tool calls passes through it as well. `more`: routes that are no
 * part of the relay.
 */
export function relayTable(
  deps: RelayDeps & { readonly publicUrl: string },
  watch: (route: Route) => Route,
  more: readonly Route[] = [],
): FindEndpoint {
  const mcp = createMcp((method, path) => find(method, path), deps);
  const tools = { row: mcpEndpoint, endpoint: serve(mcpEndpoint, deps, mcp, () => mcpEdge) };
  const find = routeTable([...relayRoutes(deps), tools, ...more].map(watch));
  return find;
}
