/** How tests call a relay, and the answers they get. */
import type { Outgoing } from "@/lib/http/exchange";
import { answerRequest } from "@/lib/http/fetch-lane";
import type { FindEndpoint, Route } from "@/lib/http/route-table";

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
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : {},
  };
}

export interface RelayClient {
  fetch(path: string, init?: RequestInit): Promise<Response>;
  send(path: string, init?: RequestInit): Promise<TestAnswer>;
}

/** Sends requests with the test relay's key, unless they carry another. */
export function relayClientOf(find: FindEndpoint): RelayClient {
  const fetch: RelayClient["fetch"] = (path, init = {}) => {
    const headers = {
      authorization: "Bearer good",
      "content-type": "application/json",
      ...(init.headers as Record<string, string>),
    };
    return answerRequest(
      find,
      new Request(`http://relay.test${path}`, {
        method: init.body === undefined ? "GET" : "POST",
        ...init,
        headers,
      }),
    );
  };
  return { fetch, send: async (path, init) => read(await fetch(path, init)) };
}

const isJson = ({ status, headers }: Outgoing) =>
  (status === 200 || status === 202) && headers["content-type"]?.startsWith("application/json");

/**
 * Checks the JSON answers of endpoints against the schemas of their rows; production does not spend
 * time on that. The wrapped endpoint rejects when an answer does not match. Completions are not
 * checked: most of one comes from its upstream, and test upstreams send little. The tests of the
 * API examples check those of the sandbox.
 */
export function withSchemaCheck(route: Route): Route {
  const { row, endpoint } = route;
  if (row.name === "createChatCompletion") return route;
  return {
    row,
    async endpoint(incoming, signedIn) {
      const outgoing = await endpoint(incoming, signedIn);
      if (typeof outgoing.body === "string" && isJson(outgoing))
        (outgoing.status === 202 ? row.accepted : row.response)?.parse(JSON.parse(outgoing.body));
      return outgoing;
    },
  };
}
