/**
 * A plain request for text whose client timed out is charged once: the retry of the client's library
 * joins it, in every dialect.
 */
import OpenAI from "openai";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestRelay } from "@/testing/relay/test-relay";
import { type Form, forms } from "@/testing/relay/text-forms";
import { serveFind } from "@/testing/stage/serve-find";
import { opened } from "@/testing/unit/opened";
import { type Script, saying, startUpstream, usageOf } from "@/testing/upstream/test-upstream";

/** A second process on the same database. */
let script: Script;
let known = 0;
/** The answers that the upstream has not given yet. */
let waiting: (() => void)[] = [];

const SECRET_WORD = "marzipan";
const answer = saying(SECRET_WORD, usageOf(100, 20));
const held: Script = (...given) => void waiting.push(() => void answer(...given));

const upstream = await opened(startUpstream((...given) => script(...given)));
const relay = await opened(openTestRelay({ channels: [upstream.channel()] }));
const other = await opened(openTestRelay({ channels: [upstream.channel()], beside: relay }));
const web = await opened(serveFind(relay.find));
beforeEach(async () => {
  script = held;
  waiting = [];
  upstream.seen.length = 0;
  known = (await relay.ends()).length;
});
afterEach(() => relay.pool.query("delete from idempotent_request").catch(() => {}));

const retried = { "x-stainless-retry-count": "1" };
const joined = ({ headers }: { headers: Headers }) => headers.get("idempotent-joined");
const newEnds = async () => (await relay.ends()).slice(known);
const finish = () => {
  for (const one of waiting.splice(0)) one();
};
const rows = async () =>
  (
    await relay.pool.query<{ state: string; body: Buffer | null }>(
      "select state, body from idempotent_request where caller_id is null",
    )
  ).rows;

let bodies = 0;
const bodyOf = (form: Form, fields: object = {}) =>
  JSON.stringify(form.body({ user: `u${++bodies}`, ...fields }));

/** Sends a request over a real connection; "gone" when the client leaves, as `signal` says. */
const sendUntil = (signal: AbortSignal, form: Form, body: string, more: object = {}) =>
  fetch(web.origin + form.path, {
    method: "POST",
    body,
    signal,
    headers: { authorization: "Bearer good", "content-type": "application/json", ...more },
  }).catch(() => "gone");

/** Sends a request over a real connection, and leaves when the upstream has it. */
async function leave(form: Form, body: string): Promise<void> {
  const leaving = new AbortController();
  const sent = sendUntil(leaving.signal, form, body);
  const before = upstream.seen.length;
  await expect.poll(() => upstream.seen.length - before + waiting.length).toBeGreaterThan(0);
  leaving.abort();
  expect(await sent).toBe("gone");
}

test.each(forms)("$name: a retry joins a running request, and gets its answer", async (form) => {
  const body = bodyOf(form);
  await leave(form, body);
  await expect.poll(async () => (await rows()).length).toBe(1);
  const retry = relay.send(form.path, { body, headers: retried });
  await expect.poll(async () => (await rows()).length).toBe(0);
  finish();
  const answered = await retry;
  expect([answered.status, joined(answered)]).toEqual([200, "true"]);
  expect(answered.text).toContain(SECRET_WORD);
  expect(upstream.seen).toHaveLength(1);
  expect(await newEnds()).toMatchObject([{ outcome: "settled", isAbandoned: true }]);
});

test.each(forms)(
  "$name: a retry gets the answer that came after its client left, in another process too",
  async (form) => {
    const body = bodyOf(form);
    await leave(form, body);
    await expect.poll(async () => (await rows()).length).toBe(1);
    finish();
    await expect.poll(async () => (await rows()).map(({ state }) => state)).toEqual(["answered"]);
    expect((await rows())[0]?.body?.toString("latin1")).not.toContain(SECRET_WORD);
    for (const one of [relay, other]) {
      const answered = await one.send(form.path, { body, headers: retried });
      expect([answered.status, joined(answered)]).toEqual([200, "true"]);
      expect(answered.text).toContain(SECRET_WORD);
      expect(Number(answered.headers.get("x-relay-points"))).toBeGreaterThan(0);
    }
    expect(upstream.seen).toHaveLength(1);
    expect(await newEnds()).toHaveLength(1);
  },
);

test("the unmodified openai package, timing out twice on a slow answer, is charged for one and gets it", async () => {
  const client = new OpenAI({
    ...{ apiKey: "good", baseURL: `${web.origin}/v1`, maxRetries: 2, timeout: 2500 },
  });
  let asked = 0;
  script = held;
  const counted = await serveFind((...given) => {
    if (++asked === 3) setTimeout(finish, 100);
    return relay.find(...given);
  });
  client.baseURL = `${counted.origin}/v1`;
  const completion = await client.chat.completions.create({
    model: "RelayV1",
    messages: [{ role: "user", content: "hi" }],
  });
  expect(completion.choices[0]?.message.content).toBe(SECRET_WORD);
  expect(upstream.seen).toHaveLength(1);
  expect(await newEnds()).toHaveLength(1);
  await counted.close();
}, 30_000);

test("a retry gets the answer when the retry before it has just left, or leaves while both wait", async () => {
  const form = forms[0] as Form;
  const callers = async () =>
    (await relay.pool.query("select caller_id from idempotent_request")).rows.map(
      ({ caller_id }) => caller_id,
    );
  for (const isBefore of [true, false]) {
    const body = bodyOf(form);
    await leave(form, body);
    await expect.poll(async () => (await rows()).length).toBe(1);
    const leaving = new AbortController();
    const left = sendUntil(leaving.signal, form, body, retried);
    await expect.poll(callers).toEqual([expect.any(String)]);
    const [second] = await callers();
    if (isBefore) leaving.abort();
    const third = relay.send(form.path, { body, headers: retried });
    await expect.poll(callers).toEqual([expect.not.stringMatching(second)]);
    leaving.abort();
    expect(await left).toBe("gone");
    finish();
    const answered = await third;
    expect([answered.status, joined(answered)]).toEqual([200, "true"]);
    await relay.pool.query("delete from idempotent_request");
  }
  expect(upstream.seen).toHaveLength(2);
  expect(await newEnds()).toHaveLength(2);
});

test("nothing is written while clients wait, and what is not the same request joins nothing", async () => {
  const form = forms[0] as Form;
  script = answer;
  const body = bodyOf(form);
  expect((await relay.send(form.path, { body })).status).toBe(200);
  const { rowCount } = await relay.pool.query("select from idempotent_request");
  expect(rowCount).toBe(0);
  const again = await relay.send(form.path, { body, headers: retried });
  expect(joined(again)).toBe("false");
  const stream = await relay.send(form.path, {
    body: bodyOf(form, { stream: true }),
    headers: retried,
  });
  expect(joined(stream)).toBe("false");
  expect(await newEnds()).toHaveLength(3);
});

test("a request that failed after its client left is no request to join", async () => {
  const form = forms[0] as Form;
  const body = bodyOf(form);
  script = (response) => void waiting.push(() => void response.writeHead(500).end("{}"));
  await leave(form, body);
  await expect.poll(async () => (await rows()).length).toBe(1);
  finish();
  await expect.poll(async () => (await rows()).length).toBe(0);
  script = answer;
  const retry = await relay.send(form.path, { body, headers: retried });
  expect([retry.status, joined(retry)]).toEqual([200, "false"]);
  expect((await newEnds()).map(({ outcome }) => outcome)).toEqual(["released", "settled"]);
});
