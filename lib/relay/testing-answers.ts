/** Holds the JSON answers of endpoints to their rows' schemas, for tests: in production nothing is spent on that. */
import type { Outgoing } from "../http/exchange";
import type { Route } from "../http/route-table";

const isJson = ({ status, headers }: Outgoing) => status === 200 && headers["content-type"]?.startsWith("application/json");

/**
 * The route; its endpoint rejects where an answer is not what its row says. A completion is left as it is: most of it is its
 * upstream's, and upstreams of tests send little. What the sandbox completes is held to the row where the examples are run.
 */
export function heldToSchema(route: Route): Route {
  const { row, endpoint } = route;
  if (row.name === "createChatCompletion") return route;
  return {
    row,
    async endpoint(incoming, signedIn) {
      const outgoing = await endpoint(incoming, signedIn);
      if (typeof outgoing.body === "string" && isJson(outgoing)) row.response.parse(JSON.parse(outgoing.body));
      return outgoing;
    },
  };
}
