/**
 * Tests an answer whose hold another process has released: nothing is charged for it any more, so
 * it is not completed.
 */
import { expect, test } from "vitest";
import { noOutcome } from "@/lib/ledger/core/verbs";
import { delivering, sendImage } from "@/testing/relay/images";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { type Script, saying, usageOf } from "@/testing/upstream/test-upstream";

const setup = await scriptedRelay((upstream) => ({
  channels: [
    upstream.channel({
      models: { RelayV1: "m", "Super-Relay-Image": "m", "super-relay-img": "m" },
    }),
  ],
}));

/** As a process does that took this one for dead. */
async function releaseAll(): Promise<void> {
  const { pool, ledger } = setup.relay;
  const { rows } = await pool.query<{ id: string; account: string }>(
    "select id, account_id as account from open_request",
  );
  for (const { id, account } of rows)
    await ledger.release({
      operationId: id,
      accountId: account,
      reason: "crash_unknown",
      loss: null,
      outcome: noOutcome,
    });
}

const releasing =
  (script: Script): Script =>
  async (response, request, count) => {
    if (!request.path.startsWith("/results/")) await releaseAll();
    await script(response, request, count);
  };
const usage = usageOf(10, 10);
const answered = saying("hello", usage);

async function expectUncharged(before: Awaited<ReturnType<typeof setup.relay.balance>>) {
  expect((await setup.relay.ends()).at(-1)).toMatchObject({ outcome: "released", amount: 0 });
  expect(await setup.relay.balance()).toEqual(before);
}

const refused = { status: 503, json: { error: { code: "service_busy" } } };

test("a plain answer is refused as one that may be sent again, and its repetition is charged once", async () => {
  const before = await setup.relay.balance();
  const headers = { "idempotency-key": "released-1" };
  setup.script = releasing(answered);
  expect(await setup.relay.chat({}, headers)).toMatchObject(refused);
  await expectUncharged(before);
  setup.script = answered;
  const again = await setup.relay.chat({}, headers);
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, null]);
  expect((await setup.relay.ends()).at(-1)).toMatchObject({ outcome: "settled" });
});

test("a stream ends with an error and without its last event", async () => {
  const before = await setup.relay.balance();
  setup.script = releasing(answered);
  const { text } = await setup.relay.chat({ stream: true });
  expect(text).toContain("hello");
  expect(text).toContain('"service_busy"');
  expect(text).not.toContain("[DONE]");
  await expectUncharged(before);
});

test("an image is refused, and its file is not handed out", async () => {
  const before = await setup.relay.balance();
  setup.script = releasing(delivering());
  const answer = await sendImage(setup.relay);
  expect(answer).toMatchObject(refused);
  expect(answer.text).not.toContain("/v1/media/");
  await expectUncharged(before);
});
