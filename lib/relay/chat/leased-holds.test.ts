/** Tests requests whose holds are opened against leased points, from HTTP to the audit. */
import { expect, test } from "vitest";
import { auditLedger } from "@/lib/ledger/audit";
import { connect } from "@/testing/ledger/test-ledger";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import {
  chunk,
  completion,
  type Script,
  sendJson,
  streamType,
  usageChunk,
  usageOf,
} from "@/testing/upstream/test-upstream";

const setup = scriptedRelay((upstream) => ({
  channels: [upstream.channel()],
  points: "1000000",
  leasesPoints: true,
}));

const events = [
  chunk({ content: "one" }),
  chunk({}, {}, "stop"),
  usageChunk(usageOf(40, 4)),
  "data: [DONE]\n\n",
];
const answers: Script = (response, { body }) => {
  const { messages, stream } = body as { messages: { content: string }[]; stream?: boolean };
  const isBad = messages[0]?.content === "fail";
  if (isBad) sendJson(response, '{"error":{"message":"no"}}', 400);
  else if (stream) response.writeHead(200, streamType).end(events.join(""));
  else sendJson(response, completion("hi", { usage: usageOf(40, 4) }));
};
const CHARGE = 40 * 80 + 4 * 800;
const counted = async (sql: string) =>
  Number((await setup.relay.pool.query<{ n: string }>(sql)).rows[0]?.n);
const wholes = () => counted("select count(*) as n from operation where is_whole");

test("plain and streamed requests, and ones that fail, are each charged once what they cost, most of them written whole", async () => {
  setup.script = answers;
  const { relay } = setup;
  const before = await relay.balance();
  const send = async (n: number) => {
    const content = n % 5 === 4 ? "fail" : "hello";
    const { status, headers } = await relay.chat({
      messages: [{ role: "user", content }],
      stream: n % 2 === 1,
    });
    expect(status).toBe(n % 5 === 4 ? 400 : 200);
    if (status === 200 && n % 2 === 0)
      expect(headers.get("x-relay-points")).toBe(String(CHARGE / 1e6));
  };
  for (let n = 0; n < 400; n += 10)
    await Promise.all(Array.from({ length: 10 }, (_, i) => send(n + i)));
  const ends = await relay.ends();
  expect(ends).toHaveLength(400);
  expect(
    ends.filter(({ outcome, amount }) => outcome === "settled" && amount === CHARGE),
  ).toHaveLength(320);
  expect(await wholes()).toBeGreaterThan(250);
  const { available } = await relay.balance();
  expect(available).toBe(before.available - 320n * BigInt(CHARGE));
});

test("a request with an Idempotency-Key is held in the database, and its repetition costs nothing", async () => {
  setup.script = answers;
  const warm = await wholes();
  await Promise.all(Array.from({ length: 8 }, () => setup.relay.chat()));
  const before = await wholes();
  expect(before).toBeGreaterThan(warm);
  const headers = { "idempotency-key": "leased-1" };
  const first = await setup.relay.chat({}, headers);
  const again = await setup.relay.chat({}, headers);
  expect([first.text, again.headers.get("idempotent-replayed")]).toEqual([again.text, "true"]);
  expect(await wholes()).toBe(before);
});

test("after all of it the audit is clean, and every lease goes back", async () => {
  const owner = await connect(setup.relay.seeded.url);
  const failing = async () => (await auditLedger(owner)).checks.filter(({ ok }) => !ok);
  expect(await failing()).toEqual([]);
  await expect
    .poll(() => counted("select count(*) as n from points_lease"), { timeout: 8000 })
    .toBe(0);
  expect(await failing()).toEqual([]);
  await owner.end();
});
