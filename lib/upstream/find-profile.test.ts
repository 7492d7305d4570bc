/** Tests what a channel's test finds out, at upstreams that behave in the ways real ones do. */
import type { ServerResponse } from "node:http";
import { beforeEach, expect, test } from "vitest";
import { extent, inTurn, isWhole } from "@/testing/extent/extent";
import { opened } from "@/testing/unit/opened";
import {
  chunk,
  completion,
  type Script,
  sendJson,
  startUpstream,
  streamType,
  usageChunk,
  usageOf,
} from "@/testing/upstream/test-upstream";
import type { ChannelProfile } from "../contract/channel-profile";
import { findProfile } from "./find-profile";
import { createProber } from "./probe";
import type { Channel, JsonObject } from "./provider";
import { createProviders } from "./wiring/create-providers";

let script: Script;
const upstream = await opened(startUpstream((...args) => script(...args)));
const providers = await opened(createProviders());
beforeEach(() => {
  upstream.seen.length = 0;
});

async function profileOf(overrides: Partial<Channel> = {}) {
  const channel = upstream.channel(overrides);
  const prober = createProber(providers.chat, channel, "upstream-name", () => {});
  const { first, profile, reads } = await findProfile(prober, channel, providers.listsModels);
  // As it is stored: without what could not be found out.
  return { first, reads, profile: JSON.parse(JSON.stringify(profile)) as ChannelProfile };
}

/** How an upstream differs from one that does everything. */
interface Ways {
  readonly caps?: readonly string[];
  readonly refusedFields?: readonly string[];
  readonly plainUsage?: boolean;
  readonly streamUsage?: boolean;
  /** The tokens of an answer without a cap. */
  readonly length?: number;
  readonly thought?: number;
  readonly tokensOfImage?: number;
  readonly hasList?: boolean;
  readonly calls?: boolean;
}

const bad = (response: ServerResponse, param: string) =>
  sendJson(response, JSON.stringify({ error: { code: "unsupported", param } }), 400);

function server(ways: Ways = {}): Script {
  const { caps = ["max_tokens", "max_completion_tokens"], length = 400, thought = 0 } = ways;
  return (response, { method, body }) => {
    if (method === "GET")
      return ways.hasList === false
        ? sendJson(response, "{}", 404)
        : sendJson(response, '{"data":[]}');
    const refused = ways.refusedFields?.find((name) => body[name] !== undefined);
    if (refused !== undefined) return bad(response, refused);
    const text = JSON.stringify(body.messages);
    const cap = caps.map((name) => body[name]).find((value) => typeof value === "number");
    const wanted = text.includes("Count") ? length : 2;
    const tokens = Math.min(wanted, Number(cap ?? Number.POSITIVE_INFINITY));
    const reason = tokens < wanted ? "length" : "stop";
    const image = text.includes("image_url") ? (ways.tokensOfImage ?? 64) : 0;
    const details = { completion_tokens_details: { reasoning_tokens: thought } };
    const usage = { ...usageOf(10 + image, tokens + thought), ...(thought > 0 ? details : {}) };
    const words = Array.from({ length: tokens }, (_, at) => `${at},`);
    if (body.stream !== true) {
      const called = body.tools !== undefined && ways.calls !== false;
      const message: JsonObject = called
        ? { role: "assistant", tool_calls: [{ id: "c", function: { name: "report" } }] }
        : { role: "assistant", content: words.join("") };
      const choices = [{ index: 0, message, finish_reason: reason }];
      const counted = ways.plainUsage === false ? {} : { usage };
      return sendJson(response, completion("", { choices, ...counted }));
    }
    const parts = words.map((content) => chunk({ content }));
    const end = ways.streamUsage === false ? "" : usageChunk(usage);
    response.writeHead(200, streamType);
    response.end(`${parts.join("")}${chunk({}, {}, reason)}${end}data: [DONE]\n\n`);
  };
}

const all = {
  plainUsage: true,
  streamUsage: true,
  maxTokens: true,
  maxCompletionTokens: true,
  tools: true,
  images: true,
  modelList: true,
};
const less = (...names: string[]) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));

const found: [string, Ways, object][] = [
  ["does everything", {}, all],
  ["has no usage in streams", { streamUsage: false }, { ...all, streamUsage: false }],
  ["has usage only in streams", { plainUsage: false }, { ...less("images"), plainUsage: false }],
  [
    "has no usage at all",
    { plainUsage: false, streamUsage: false },
    { ...less("images"), plainUsage: false, streamUsage: false },
  ],
  [
    "ignores max_completion_tokens",
    { caps: ["max_tokens"] },
    { ...all, maxCompletionTokens: false },
  ],
  ["ignores max_tokens", { caps: ["max_completion_tokens"] }, { ...all, maxTokens: false }],
  [
    "obeys no cap: nothing is known of its streams, which were cut",
    { caps: [] },
    { ...less("streamUsage"), maxTokens: false, maxCompletionTokens: false },
  ],
  ["refuses max_tokens", { refusedFields: ["max_tokens"] }, { ...all, maxTokens: false }],
  [
    "refuses max_completion_tokens",
    { refusedFields: ["max_completion_tokens"] },
    { ...all, maxCompletionTokens: false },
  ],
  ["counts reasoning beyond the cap", { thought: 300 }, all],
  [
    "stops before any cap: whether one is obeyed cannot be told",
    { length: 3 },
    less("maxTokens", "maxCompletionTokens"),
  ],
  ["refuses tools", { refusedFields: ["tools"] }, { ...all, tools: false }],
  ["answers instead of calling a tool", { calls: false }, { ...all, tools: false }],
  ["drops images", { tokensOfImage: 0 }, { ...all, images: false }],
  ["has no list of models", { hasList: false }, { ...all, modelList: false }],
];
test.each(found)("an upstream that %s", async (_, ways, profile) => {
  script = server(ways);
  const tested = await profileOf();
  expect(tested.first.failure).toBeNull();
  expect(tested.profile).toEqual(profile);
  expect(upstream.seen.length).toBeLessThanOrEqual(10);
  const caps = upstream.seen.flatMap(({ method, body }) =>
    method === "GET" ? [] : [Number(body.max_tokens ?? body.max_completion_tokens)],
  );
  for (const cap of caps) expect(cap).toBeLessThanOrEqual(128);
});

test("a channel is asked as an untested one, whatever its profile says", async () => {
  script = server();
  const profile = { plainUsage: true, streamUsage: false, maxTokens: false };
  expect((await profileOf({ profile })).profile).toEqual(all);
});

test.each([401, 404, 429, 500, 503])(
  "an upstream that refuses with %i: the failure, and nothing is found out",
  async (status) => {
    script = (response) => sendJson(response, "{}", status);
    const { first, profile } = await profileOf();
    expect([first.failure === null, profile]).toEqual([false, {}]);
    expect(upstream.seen.length).toBe(1);
  },
);

/** Answers the first question well, and everything after it badly. */
const afterFirst =
  (worse: Script): Script =>
  (...args) =>
    args[2] === 1 ? server()(...args) : worse(...args);
/** What never ends pauses between its bursts: its time is bounded, and the processor's is for others. */
const PAUSE_MS = extent(100, 0);
const babble = (response: ServerResponse, head: string, part: string, bytes?: number) => {
  response.writeHead(200, head === "json" ? { "content-type": "application/json" } : streamType);
  const end = bytes ?? Number.POSITIVE_INFINITY;
  let sent = 0;
  const more = () => {
    while (sent < end && response.write(part)) sent += part.length;
    if (sent >= end) response.end();
  };
  response.on("drain", () => (bytes === undefined ? setTimeout(more, PAUSE_MS) : more()));
  response.on("error", () => {});
  more();
};

const hostile: [string, Script, ChannelProfile][] = [
  ["breaks every connection", (response) => void response.destroy(), {}],
  ["is too busy", (response) => sendJson(response, "{}", 429), {}],
  ["fails", (response) => sendJson(response, "{}", 500), {}],
  ["answers with wrong JSON", (response) => sendJson(response, '{"choices":'), {}],
  ["answers with other JSON", (response) => sendJson(response, '[{"choices":[1]}]'), {}],
  [
    "redirects",
    (response) => void response.writeHead(302, { location: "http://127.0.0.1:9/" }).end(),
    {},
  ],
  ["answers with 100 MB of nothing", (r) => babble(r, "json", " ".repeat(65_536), 1e8), {}],
  [
    "answers with 100 MB of text",
    (r) => babble(r, "json", `{"choices":[{"message":{"content":"${"x".repeat(65_536)}`, 1e8),
    {},
  ],
];
/** Each takes as long as the test of a channel may. */
const endless: typeof hostile = [
  ["answers with comments for ever", (r) => babble(r, "sse", `: ${"x".repeat(9000)}\n\n`), {}],
  ["streams one endless event", (r) => babble(r, "sse", `data: ${"x".repeat(9000)}`), {}],
  ["streams empty chunks for ever", (r) => babble(r, "sse", chunk({ content: "" })), {}],
  [
    "streams text for ever",
    (r) => babble(r, "sse", chunk({ content: "ten words " })),
    { maxTokens: false, maxCompletionTokens: false },
  ],
];
test.each([...hostile, ...inTurn(0, endless)])(
  "an upstream that, after one good answer, %s: bounded, and never a wrong no",
  async (_, worse, others) => {
    script = afterFirst(worse);
    const startedAt = performance.now();
    const { first, profile } = await profileOf({ timeoutSeconds: 1 });
    expect(first.failure).toBeNull();
    expect(profile).toEqual({ plainUsage: true, ...others });
    expect(performance.now() - startedAt).toBeLessThan(25_000);
  },
  40_000,
);

test.runIf(isWhole)(
  "an upstream that is silent for ever takes no longer than the test's own time",
  async () => {
    script = afterFirst(() => {});
    const { profile } = await profileOf({ timeoutSeconds: 1 });
    expect(profile).toEqual({ plainUsage: true });
  },
  30_000,
);
