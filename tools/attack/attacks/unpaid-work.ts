/**
 * Work that costs no points, by a free account with a key: tokens of large conversations, bodies
 * that are refused after they were read, prices of videos, tools, lists with filters. Bound: 20 s
 * each (brief: 2 s) over at most 64 connections.
 */
import type { Attack, Means } from "../attack";
import { flood } from "../flood";
import { bytesOf, head, JSON_HEADERS, MEBIBYTE, repeated, request } from "../requests";

/** Just below the most text that a request may have. */
const LARGE_BYTES = 4 * MEBIBYTE - 4096;

const keyed = ({ apiKey }: Means) => ({
  authorization: `Bearer ${apiKey}`,
  accept: "application/json, text/event-stream",
});

/** A request whose body is `unit` again and again between two texts. */
function large(means: Means, path: string, [start, unit, end]: readonly [string, string, string]) {
  const pieces = repeated(start, unit, end, LARGE_BYTES);
  const headers = { ...keyed(means), ...JSON_HEADERS };
  return Buffer.concat([head(means.target, "POST", path, headers, bytesOf(pieces)), ...pieces]);
}

interface Load {
  readonly name: string;
  readonly what: string;
  readonly connections: number;
  /** What is sent, in turn. */
  requests(means: Means): Buffer[];
}

const attackOf = ({ name, what, connections, requests }: Load): Attack => ({
  name,
  what: `${what}, on ${connections} connections`,
  async run(means, tally) {
    const all = requests(means);
    await flood(means.target, tally, {
      connections,
      milliseconds: means.isBrief ? 2_000 : 20_000,
      request: (index) => all[index % all.length] ?? Buffer.alloc(0),
      label: what,
    });
  },
});

const CHAT = '{"model":"relay-v1","messages":[{"role":"user","content":"';
const video = {
  endpoint: "createVideo",
  model: "super-relay-2",
  prompt: "A lighthouse in heavy rain. ".repeat(60),
  resolution: "480p",
  duration: 5,
};
const tool = (name: string, given: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: given },
});

export const unpaidWork: readonly Attack[] = [
  attackOf({
    name: "flood-count-tokens",
    what: "tokens of 4 MiB of text",
    connections: 24,
    requests: (means) => [large(means, "/v1/messages/count_tokens", [CHAT, "word ", '"}]}'])],
  }),
  attackOf({
    name: "flood-refused",
    what: "4 MiB for a chat that is refused after it was read",
    connections: 24,
    requests: (means) => [
      large(means, "/v1/chat/completions", [CHAT, "word ", '"}],"n":3}']),
      large(means, "/v1/chat/completions", [CHAT, "word ", '"}]']),
    ],
  }),
  attackOf({
    name: "flood-video-quotes",
    what: "prices of videos",
    connections: 64,
    requests: (means) => [request(means.target, "POST", "/v1/quote", keyed(means), video)],
  }),
  attackOf({
    name: "flood-mcp",
    what: "lists, prices and batches at /mcp",
    connections: 64,
    requests: (means) =>
      [
        { jsonrpc: "2.0", id: 1, method: "tools/list" },
        tool("list_models", {}),
        tool("get_balance", {}),
        Array.from({ length: 8 }, (_, id) => ({ jsonrpc: "2.0", id, method: "tools/list" })),
      ].map((body) => request(means.target, "POST", "/mcp", keyed(means), body)),
  }),
  attackOf({
    name: "flood-lists",
    what: "usage of a year, tasks by filter, models",
    connections: 64,
    requests: (means) =>
      [
        "/v1/usage?limit=100",
        "/v1/contents/generations/tasks?page_size=100&filter.status=failed&filter.model=super-relay-2",
        "/v1/contents/generations/tasks?page_size=100&filter.task_ids=cgt-none",
        "/v1/videos?limit=100",
        "/v1/models",
      ].map((path) => request(means.target, "GET", path, keyed(means))),
  }),
];
