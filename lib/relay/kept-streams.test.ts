/** A streamed answer that a page could not read to its end: it is read later, and charged once. */
import { expect, test } from "vitest";
import { findSession, keepSession } from "@/lib/content/studio-sessions";
import { answerPlayground } from "@/lib/http/playground-lane";
import { keepingRelay } from "@/testing/relay/scripted-relay";
import { saying, usageOf } from "@/testing/upstream/test-upstream";

const setup = await keepingRelay();
const { secrets } = setup;
const whole = saying("content", usageOf(10, 10));

const origin = "http://relay.test";
const asked = (content: string) => ({
  model: "RelayV1",
  stream: true,
  stream_options: { include_usage: true },
  messages: [{ role: "user", content }],
});

function ask(key: string, body: object, signal?: AbortSignal, userId = "user_a") {
  const request = new Request(`${origin}/api/playground/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: {
      "content-type": "application/json",
      "sec-fetch-site": "same-origin",
      "idempotency-key": key,
    },
    ...(signal && { signal }),
  });
  const signedIn = async () => ({ accountId: setup.relay.accountId, userId });
  return answerPlayground({ publicUrl: origin, find: setup.relay.find, signedIn }, request);
}

const chargesOf = async () =>
  (await setup.relay.ends()).filter(({ outcome }) => outcome === "settled").length;

test("a page that went before the first word asks again with its key: it waits for the same answer, under its id, without a charge", async () => {
  const before = await chargesOf();
  const gone = new AbortController();
  const body = asked("Say hello.");
  let finish = () => {};
  const dispatched = new Promise<void>((resolve) => {
    setup.script = (...call) => {
      finish = () => void whole(...call);
      resolve();
    };
  });
  const first = ask("gone", body, gone.signal);
  await dispatched;
  gone.abort();
  const waiting = ask("gone", body);
  finish();
  const later = await waiting;
  const text = await later.text();
  expect(later.status, text).toBe(200);
  expect(later.headers.get("content-type")).toContain("text/event-stream");
  expect(text).toMatch(/"points":[\d.]+/);
  expect(text.trimEnd()).toMatch(/data: \[DONE\]$/);
  await first.catch(() => null);
  const id = later.headers.get("x-relay-request-id");
  const again = await ask("gone", body);
  expect([await again.text(), again.headers.get("x-relay-request-id")]).toEqual([text, id]);
  expect(await chargesOf()).toBe(before + 1);
  const { rows } = await setup.relay.pool.query(
    "select r.body, o.request_id from idempotent_request r join request_known o on o.id = r.operation_id where r.key = 'gone'",
  );
  expect(rows).toMatchObject([{ request_id: id }]);
  expect(rows[0].body.toString("latin1")).not.toContain("data:");
});

test("an answer that was read to its end is the same when it is read again; another body with its key is refused", async () => {
  setup.script = whole;
  const read = await (await ask("read", asked("Say hello."))).text();
  await setup.relay.ends();
  expect(await (await ask("read", asked("Say hello."))).text()).toBe(read);
  expect((await ask("read", asked("Say goodbye."))).status).toBe(422);
});

test("one that failed cost nothing, and is asked for anew", async () => {
  const before = await chargesOf();
  setup.script = (response) => {
    response.writeHead(500).end();
  };
  expect((await ask("failed", asked("Say hello."))).status).toBe(502);
  expect(await chargesOf()).toBe(before);
  setup.script = whole;
  expect(await (await ask("failed", asked("Say hello."))).text()).toContain("[DONE]");
  expect(await chargesOf()).toBe(before + 1);
});

test("of a page that went and does not ask again, its session has the answer and its request's id", async () => {
  const { pool, accountId } = setup.relay;
  const owner = { accountId, userId: "user_session" };
  await pool.query(
    `insert into "user" (id, email, account_id) values ($1, 'session@example.com', $2)`,
    [owner.userId, accountId],
  );
  await pool.query(
    `insert into account_member (account_id, user_id, role) values ($1, $2, 'developer') on conflict do nothing`,
    [accountId, owner.userId],
  );
  const deps = { pool, secrets };
  const session = { kind: "text" as const, revision: 0, title: "Hello", content: "{}" };
  await keepSession(deps, owner, { ...session, id: "waiting", awaited: ["waits"] });
  const before = await chargesOf();
  const gone = new AbortController();
  setup.script = (...call) => {
    gone.abort();
    return whole(...call);
  };
  const asking = ask("waits", asked("Say hello."), gone.signal, owner.userId);
  await asking.catch(() => null);
  await expect.poll(chargesOf).toBe(before + 1);
  await setup.flush();
  const { rows } = await pool.query<{ id: string }>(
    "select request_id as id from request_known order by id desc limit 1",
  );
  expect(await findSession(deps, owner, "waiting")).toMatchObject({
    answers: [{ orderKey: "waits", requestId: rows[0]?.id, text: "content" }],
  });
});
