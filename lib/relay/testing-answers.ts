/** How test relays are asked, and what they answer. */
import type { Outgoing } from "../http/exchange";
import { answerRequest } from "../http/fetch-lane";
import type { FindEndpoint, Route } from "../http/route-table";

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body when it is JSON. */
  readonly json: { error?: Record<string, unknown>; [name: string]: unknown };
}

async function read(response: Response): Promise<TestAnswer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
}

export interface Asker {
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Read to its end. */
  send(path: string, init?: RequestInit): Promise<TestAnswer>;
}

/** Asks with the key of the test relay, unless the request names another. */
export function askerOf(find: FindEndpoint): Asker {
  const fetch: Asker["fetch"] = (path, init = {}) => {
    const headers = { authorization: "Bearer good", "content-type": "application/json", ...(init.headers as Record<string, string>) };
    return answerRequest(
      find,
      new Request(`http://relay.test${path}`, { method: init.body === undefined ? "GET" : "POST", ...init, headers }),
    );
  };
  return { fetch, send: async (path, init) => read(await fetch(path, init)) };
}

const isJson = ({ status, headers }: Outgoing) => status === 200 && headers["content-type"]?.startsWith("application/json");

/**
 * Holds the JSON answers of endpoints to their rows' schemas: in production nothing is spent on that.
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
