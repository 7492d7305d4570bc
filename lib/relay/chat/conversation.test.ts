/** Tests by what the turns of one conversation find to the same upstream, in each dialect. */
import { beforeEach, expect, test } from "vitest";
import { openTestRelay } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import { saying, startUpstream, usageOf } from "@/testing/upstream/test-upstream";

const PLACES = 5;

const upstream = await opened(startUpstream(saying("OK", usageOf(7, 1))));
const base = upstream.channel();
const choices = Array.from({ length: PLACES }, (_, place) => ({
  ...base,
  apiKey: `key-${place}`,
  credential: { name: `c${place}`, weight: 1 },
}));
const relay = await opened(openTestRelay({ channels: [{ ...base, choices }], points: "10000" }));
beforeEach(() => {
  upstream.seen.length = 0;
});

const places = () => new Set(upstream.seen.map(({ headers }) => headers.authorization));
const say = (content: string) => ({ role: "user", content });
const random = () => crypto.randomUUID();

const paths = {
  chat: "/v1/chat/completions",
  messages: "/v1/messages",
  responses: "/v1/responses",
} as const;

async function send(path: string, body: object, headers: Record<string, string> = {}) {
  const sent = { model: "RelayV1", max_tokens: 9, ...body };
  const { max_tokens: _, ...plain } = sent;
  const text = JSON.stringify(path === paths.responses ? plain : sent);
  const answer = await relay.send(path, { body: text, headers });
  expect(answer.status).toBe(200);
  return answer.json;
}

/** A turn says something else, and what names the conversation stays. */
const ways: readonly [string, string, (name: string) => () => Promise<unknown>][] = [
  ...[
    ...["x-session-id", "session_id", "x-claude-code-session-id"],
    ...["x-session-affinity", "x-opencode-session", "conversation_id"],
  ].map((header): (typeof ways)[number] => [
    `the header ${header}`,
    paths.chat,
    (name) => () => send(paths.chat, { messages: [say(random())] }, { [header]: name }),
  ]),
  [
    "prompt_cache_key",
    paths.chat,
    (name) => () => send(paths.chat, { messages: [say(random())], prompt_cache_key: name }),
  ],
  [
    "session_id",
    paths.chat,
    (name) => () => send(paths.chat, { messages: [say(random())], session_id: name }),
  ],
  [
    "its first messages, behind a line that is another in each request",
    paths.messages,
    (name) => () => {
      const system = [{ type: "text", text: `x-anthropic-billing-header: cch=${random()};` }];
      const messages = [say(name), { role: "assistant", content: "OK" }, say(random())];
      return send(paths.messages, { system, messages });
    },
  ],
  [
    "prompt_cache_key",
    paths.responses,
    (name) => () => send(paths.responses, { input: random(), prompt_cache_key: name }),
  ],
  [
    "user, with the same beginning",
    paths.chat,
    (name) => {
      const messages = [say("same words")];
      return () => send(paths.chat, { messages: [...messages, say(random())], user: name });
    },
  ],
  [
    "metadata.user_id, with the same beginning",
    paths.messages,
    (name) => () => {
      const messages = [say("same words"), { role: "assistant", content: "OK" }, say(random())];
      return send(paths.messages, { messages, metadata: { user_id: name } });
    },
  ],
  [
    "its first messages",
    paths.messages,
    (name) => () => {
      const messages = [say(name), { role: "assistant", content: "OK" }, say(random())];
      return send(paths.messages, { system: "Be brief.", messages });
    },
  ],
  [
    "previous_response_id",
    paths.responses,
    (name) => {
      let before: unknown = null;
      return async () => {
        const input = before === null ? name : random();
        const given = before === null ? {} : { previous_response_id: before };
        before = (await send(paths.responses, { input, ...given })).id;
      };
    },
  ],
];

test.each(ways)(
  "%s (%s): the turns of one conversation go to one place, others elsewhere",
  async (_, __, begin) => {
    const turn = begin(random());
    for (let count = 0; count < 5; count++) await turn();
    expect(places().size).toBe(1);
    // Of 20 conversations, one place would be a chance of 5 to the power of -19.
    for (let count = 0; count < 20; count++) await begin(random())();
    expect(places().size).toBeGreaterThan(1);
  },
);
