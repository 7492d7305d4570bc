/**
 * Many requests written at once on one connection, and retries that wait for each other. Bound:
 * 5,000 requests (brief: 500), 60 s; 20 retries of 30 MiB (brief: 8 of 2 MiB).
 */
import { randomUUID } from "node:crypto";
import { PIPELINED_MAX } from "@/server/in-turn";
import type { Attack, Means, Tally } from "../attack";
import { bytesOf, head, JSON_HEADERS, MEBIBYTE, repeated, request } from "../requests";
import { AnswerReader, exchange, openSocket, type Target } from "../wire";

const WAIT_MS = 60_000;

const message = {
  model: "relay-v1",
  messages: [{ role: "user", content: "Hello" }],
  max_tokens: 16,
};

/** Just below the number of requests that may wait on a connection. */
const WINDOW = PIPELINED_MAX - 4;

/**
 * Sends all at once, which may cost the connection; then on a second connection never more than may
 * wait there.
 */
async function pipeline(
  { target, isBrief }: Means,
  tally: Tally,
  label: string,
  requests: readonly Buffer[],
  giveUpMs = WAIT_MS,
) {
  const count = isBrief ? 500 : 5000;
  const pieces = Array.from(
    { length: count },
    (_, index) => requests[index % requests.length] as Buffer,
  );
  tally.sending(count);
  const options = { answers: count, timeoutMs: giveUpMs };
  const { answers, ending } = await tally.step(`${label} at once`, () =>
    exchange(target, pieces, options),
  );
  for (const answer of answers) tally.judge(answer, label);
  const missing = count - answers.length;
  for (let index = 0; index < missing; index++)
    tally.count(giveUpMs === WAIT_MS ? ending : "given up");
  if (missing > 0 && ending === "silent" && giveUpMs === WAIT_MS)
    tally.fault(`${label}: ${missing} of ${count} unanswered after ${WAIT_MS / 1000} s`);
  await tally.step(`${label} by ${WINDOW}`, () =>
    windowed(target, tally, label, requests, isBrief ? 2_000 : 15_000),
  );
}

function windowed(
  target: Target,
  tally: Tally,
  label: string,
  requests: readonly Buffer[],
  milliseconds: number,
): Promise<void> {
  const until = Date.now() + milliseconds;
  const socket = openSocket(target);
  let sent = 0;
  const send = () => {
    tally.sending();
    socket.write(requests[sent++ % requests.length] as Buffer);
  };
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.destroy(), milliseconds);
    const reader = new AnswerReader((answer) => {
      tally.judge(answer, label);
      if (Date.now() < until) send();
    });
    socket.on("data", (part) => reader.push(part));
    socket.once("connect", () => {
      for (let index = 0; index < WINDOW; index++) send();
    });
    socket.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function chat({ target, apiKey }: Means, isStream: boolean): Buffer {
  return request(
    target,
    "POST",
    "/v1/chat/completions",
    { authorization: `Bearer ${apiKey}` },
    { ...message, stream: isStream },
  );
}

function signIn({ target, origin }: Means, email: string): Buffer {
  const form = `csrfToken=none&json=true&password=wrong&email=${email}`;
  const headers = { origin, "content-type": "application/x-www-form-urlencoded" };
  return Buffer.concat([
    head(target, "POST", "/api/auth/callback/credentials", headers, form.length),
    Buffer.from(form),
  ]);
}

export const pipelineChat: Attack = {
  name: "pipeline-chat",
  what: "5,000 chats written at once on one connection",
  run: (means, tally) => pipeline(means, tally, "pipelined chats", [chat(means, false)]),
};

export const pipelineSlowChat: Attack = {
  name: "pipeline-slow-chat",
  what: "the same, each of which takes its upstream some seconds",
  run(means, tally) {
    const body = { ...message, messages: [{ role: "user", content: "[[delay:3]] Hello" }] };
    const bytes = request(
      means.target,
      "POST",
      "/v1/chat/completions",
      { authorization: `Bearer ${means.apiKey}` },
      body,
    );
    // In sequence they take longer than anyone waits.
    return pipeline(means, tally, "pipelined slow chats", [bytes], means.isBrief ? 4_000 : 20_000);
  },
};

export const pipelineSignIn: Attack = {
  name: "pipeline-sign-in",
  what: "5,000 sign-ins written at once on one connection",
  run: (means, tally) =>
    pipeline(
      means,
      tally,
      "pipelined sign-ins",
      Array.from({ length: 50 }, (_, index) => signIn(means, `pipelined-${index}@example.com`)),
    ),
};

export const pipelineMixed: Attack = {
  name: "pipeline-mixed",
  what: "chats, streams, refusals and pages written at once on one connection",
  run(means, tally) {
    const { target, apiKey } = means;
    const keyed = { authorization: `Bearer ${apiKey}` };
    return pipeline(means, tally, "pipelined requests of all kinds", [
      chat(means, false),
      request(target, "GET", "/v1/models", keyed),
      chat(means, true),
      request(target, "POST", "/v1/chat/completions", keyed, "{"),
      request(target, "GET", "/v1/nothing/here", {}),
      request(target, "GET", "/pricing", {}),
      request(target, "POST", "/v1/quote", keyed, { endpoint: "createChatCompletion", ...message }),
      signIn(means, "mixed@example.com"),
    ]);
  },
};

export const retriesOfOneKey: Attack = {
  name: "retries-one-key",
  what: "20 retries of 30 MiB with one Idempotency-Key, all waiting for the first",
  async run({ target, apiKey, isBrief }, tally) {
    const bytes = isBrief ? 2 * MEBIBYTE : 30 * MEBIBYTE;
    const body =
      '{"model":"super-relay-img","prompt":"[[delay:4]] a fox","size":"512x512","image":"data:image/png;base64,';
    const pieces = repeated(body, "AAAA", '"}', bytes);
    const headers = {
      ...JSON_HEADERS,
      authorization: `Bearer ${apiKey}`,
      "idempotency-key": randomUUID(),
      connection: "close",
    };
    const sent = [
      head(target, "POST", "/v1/images/generations", headers, bytesOf(pieces)),
      ...pieces,
    ];
    const count = isBrief ? 8 : 20;
    tally.sending(count);
    const one = async () =>
      tally.settle(
        await exchange(target, sent, { timeoutMs: WAIT_MS }),
        "a retry with one Idempotency-Key",
      );
    await tally.step("retries with one Idempotency-Key", () =>
      Promise.all(Array.from({ length: count }, one)),
    );
  },
};
