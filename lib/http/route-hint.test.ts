/** Tests what is said at an address that does not exist. */
import { expect, test } from "vitest";
import type { EndpointRow } from "../contract/endpoint";
import { endpoints } from "../contract/endpoints";
import { RelayError } from "../failures/relay-error";
import type { Incoming } from "./exchange";
import { routeTable } from "./route-table";
import { refusing } from "./serve";

const rows: EndpointRow[] = Object.values(endpoints);
const served = refusing(new RelayError("service_draining"));
const find = routeTable(rows.map((row) => ({ row, endpoint: served })));

async function ask(method: string, path: string) {
  const incoming: Incoming = {
    method,
    path,
    query: "",
    header: () => undefined,
    receive: async () => {},
    onGone: () => {},
  };
  const answer = await find(method, path)?.(incoming);
  if (typeof answer?.body !== "string") return null;
  return { ...answer, message: String(JSON.parse(answer.body).error.message) };
}

test.each([
  ["POST", "/v1/v1/chat/completions", /twice.*POST \/v1\/chat\/completions\?/],
  ["POST", "/v1/chat/completions/", /ends with a slash.*POST \/v1\/chat\/completions\?/],
  ["POST", "/v1/chat/completion", /Did you mean POST \/v1\/chat\/completions\?/],
  ["POST", "/v1/Chat/Completions", /Did you mean POST \/v1\/chat\/completions\?/],
  ["POST", "/v1/completions", /Did you mean POST \/v1\/chat\/completions\?/],
  ["POST", "/v1/image/generations", /Did you mean POST \/v1\/images\/generations\?/],
  ["GET", "/v1//models", /Did you mean GET \/v1\/models\?/],
  ["GET", "/v1/videos/cgt-1/contents", /Did you mean GET \/v1\/videos\/\{id\}\/content\?/],
  ["POST", "/chat/completions", /begin with \/v1: call POST \/v1\/chat\/completions/],
  ["POST", "/v1/videos/cgt-1/remix", /POST \/v1\/videos, from an image/],
  ["POST", "/v1/videos/edits", /POST \/v1\/videos, from an image/],
  ["POST", "/v1/videos/extensions", /POST \/v1\/videos, from an image/],
  ["POST", "/v1/videos/characters", /POST \/v1\/videos, from an image/],
  ["GET", "/v1/videos/characters/c", /POST \/v1\/videos, from an image/],
  ["POST", "/v1/embeddings", /The API reference at \/docs\/api lists all endpoints/],
  ["GET", "/v1", /The API reference/],
  ["GET", `/v1/${"a/".repeat(8000)}`, /The API reference/],
])("%s %s is a 404 that helps", async (method, path, message) => {
  const answer = await ask(method, path);
  expect(answer?.status).toBe(404);
  expect(answer?.message).toMatch(message);
  expect(answer?.headers["x-should-retry"]).toBe("false");
});

test.each([
  ["PUT", "/v1/models", "GET"],
  ["GET", "/v1/chat/completions", "POST"],
  ["PUT", "/v1/videos", "POST, GET"],
  ["PATCH", "/v1/videos/cgt-1", "GET, DELETE"],
])("%s %s is a 405 with the methods that are allowed", async (method, path, allow) => {
  const answer = await ask(method, path);
  expect([answer?.status, answer?.headers.allow]).toEqual([405, allow]);
  expect(answer?.message).toContain(allow);
});

test.each([
  ["GET", "/models"],
  ["POST", "/api/chat"],
  ["GET", "/chat/completions"],
])("%s %s is left to the pages", async (method, path) => {
  expect(await ask(method, path)).toBeNull();
});

test("a thousand long unknown paths are answered in seconds", async () => {
  const from = performance.now();
  for (let count = 0; count < 1000; count++) await ask("POST", `/v1/${"chat/".repeat(18)}${count}`);
  expect(performance.now() - from).toBeLessThan(10_000);
});
