/** A bill of a channel's upstream against the calls that a relay really made. */
import { expect, test } from "vitest";
import { connect } from "@/testing/ledger/test-ledger";
import { openTestRelay } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import { completion, sendJson, startUpstream, usageOf } from "@/testing/upstream/test-upstream";
import { createAttemptRecorder } from "../channels/attempt-recorder";
import { listUpstreamBills, showUpstreamBill } from "../queries/upstream-bills";
import { mapModel } from "./map-model";
import { noteUpstreamRates, reconcileBill } from "./upstream-bills";

const CHANNEL = "ch_billed";
const NAME = "upstream-name";

const upstream = await opened(
  startUpstream((response, _, count) => {
    if (count === 3) sendJson(response, '{"error":{"message":"down"}}', 500);
    else {
      const usage = { ...usageOf(1000, 10 * count), prompt_tokens_details: { cached_tokens: 400 } };
      sendJson(response, completion("OK", { id: `call-${count}`, usage }));
    }
  }),
);
const channel = upstream.channel({ id: CHANNEL, models: { RelayV1: NAME } });
let recorder: ReturnType<typeof createAttemptRecorder> | undefined;
const relay = await opened(
  openTestRelay({
    channels: [channel],
    points: "1000",
    noteAttempt: (attempt) => recorder?.note(attempt),
  }),
);
recorder = createAttemptRecorder(relay.pool, () => {});
const owner = await connect(relay.seeded.url);
await owner.query(
  "insert into channel (id, name, protocol, base_url, models) values ($1, 'billed', 'openai', 'https://a.example', $2)",
  [CHANNEL, { RelayV1: NAME }],
);
await owner.end();
for (let made = 0; made < 5; made++)
  await relay.chat({ messages: [{ role: "user", content: crypto.randomUUID() }] });
await recorder.close();
const noted = { channelId: CHANNEL, model: NAME, currency: "USD", effectiveAt: new Date(0) };
await noteUpstreamRates(relay, "cli", {
  ...noted,
  rates: [
    { unit: "input_token", amount: 2_000_000n },
    { unit: "cached_input_token", amount: 500_000n },
    { unit: "output_token", amount: 8_000_000n },
  ],
});
const at = new Date().toISOString();
const csv = ["id,time,model,input_tokens,cached_tokens,output_tokens,cost"];
// 600 at 2, 400 at 0.5, 10 a call at 8: dollars per million.
for (const count of [1, 2, 4, 5])
  csv.push(`call-${count},${at},${NAME},1000,400,${10 * count},${(1400 + 80 * count) / 1e6}`);

const bill = (text: string, name = "november.csv", more: object = {}) =>
  reconcileBill(relay, "cli", {
    channelId: CHANNEL,
    name,
    text,
    format: "csv",
    currency: "USD",
    ...more,
  });

test("a right bill agrees with the book, and is kept with who compared it", async () => {
  const found = await bill(csv.join("\n"));
  expect(found).toMatchObject({ lines: 4, agreed: 4, billed: 6560n, owed: 6560n, causes: {} });
  expect(await listUpstreamBills(relay.pool, CHANNEL)).toMatchObject([
    { id: found.id, channel: "billed", name: "november.csv", madeBy: "cli", billed: "6560" },
  ]);
});

test("two rates of an upstream for the same are refused, and the noted ones stay", async () => {
  const noting = noteUpstreamRates(relay, "cli", {
    ...noted,
    rates: [
      { unit: "input_token", amount: 2_000_000n },
      { unit: "output_token", amount: 8_000_000n },
      { unit: "input_token", amount: 3_000_000n },
    ],
  });
  await expect(noting).rejects.toMatchObject({ code: "invalid_value", param: "rates[2]" });
  expect((await bill(csv.join("\n"))).causes).toEqual({});
});

test("what a channel calls a model now is not what it asked for before", async () => {
  const map = (upstreamModel: string) =>
    mapModel(relay, "cli", { id: "RelayV1", channelId: CHANNEL, upstreamModel });
  await map("newer-name");
  const later = csv.map((line) => line.replace(NAME, "newer-name"));
  expect((await bill(csv.join("\n"))).causes).toEqual({});
  await relay.pool.query("delete from upstream_bill");
  expect((await bill(later.join("\n"), "later.csv")).causes).toMatchObject({
    other_model: { count: 4 },
  });
  await map(NAME);
  await relay.pool.query("delete from upstream_bill");
});

test("a bill with a failed call, a line twice and cached tokens in full has each, with its amount", async () => {
  const [head = "", first = "", second = "", third = "", fourth = ""] = csv;
  const at = new Date().toISOString();
  const failed = `call-3,${at},${NAME},1000,0,0,0.002`;
  const full = first.replace("1000,400,10,0.00148", "1000,0,10,0.00208");
  const wrong = [head, full, second, second, third, fourth, failed].join("\n");
  const found = await bill(wrong);
  expect(found.causes).toEqual({
    cached_as_fresh: { count: 1, amount: "600" },
    billed_twice: { count: 1, amount: "1560" },
    unknown_call: { count: 1, amount: "2000" },
  });
  expect(found.billed - found.owed).toBe(600n + 1560n + 2000n);
  const { differences } = await showUpstreamBill(relay.pool, found.id, "cached_as_fresh");
  expect(differences).toMatchObject([
    {
      ref: "call-1",
      amount: "600",
      billed: { cachedInputTokens: 0 },
      owed: { cachedInputTokens: 400 },
    },
  ]);
  // The same file again takes the place of its earlier result.
  const again = await bill(wrong);
  expect((await listUpstreamBills(relay.pool)).filter(({ id }) => id === found.id)).toEqual([]);
  expect(again.causes).toEqual(found.causes);
});

test("a call in two bills is billed twice; a later cut of a bill takes the place of the earlier one", async () => {
  const ids = async () => (await listUpstreamBills(relay.pool, CHANNEL)).map(({ id }) => id);
  const [head = "", ...lines] = csv;
  const part = await bill([head, ...lines.slice(0, 2)].join("\n"), "week.csv");
  expect(part.causes).toMatchObject({ billed_twice: { count: 2 } });
  await relay.pool.query("delete from upstream_bill");
  const first = await bill([head, ...lines.slice(0, 2)].join("\n"), "month.csv");
  const cut = await bill(csv.join("\n"), "month.csv");
  expect([first.causes, cut.causes]).toEqual([{}, {}]);
  expect(await ids()).toEqual([cut.id]);
  // The same calls under another name, and some of them under the same one, are of another bill.
  const again = await bill(csv.join("\r\n"), "december.csv");
  expect(again.causes).toMatchObject({ billed_twice: { count: 4 } });
  expect(again.billed - again.owed).toBe(6560n);
  const less = await bill([head, ...lines.slice(1)].join("\r\n"), "month.csv");
  expect(less.causes).toMatchObject({ billed_twice: { count: 3 } });
  expect(await ids()).toHaveLength(3);
  await relay.pool.query("delete from upstream_bill");
});

test("a bill of another month is found where the bill's time is named, and times are of its zone", async () => {
  const day = 24 * 3_600_000;
  const times = { from: new Date(Date.now() + day), to: new Date(Date.now() + 30 * day) };
  expect((await bill(csv.join("\n"), "next.csv", times)).causes).toMatchObject({
    unknown_call: { count: 4, amount: "6560" },
  });
  await relay.pool.query("delete from upstream_bill");
  const local = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 19).replace("T", " ");
  const shifted = csv.map((line) => line.replace(/\d{4}-[^,]*Z/, local)).join("\n");
  expect((await bill(shifted, "local.csv", { zone: "Asia/Shanghai" })).causes).toEqual({});
  await relay.pool.query("delete from upstream_bill");
});

test("a channel that does not exist, and a currency that is none, are refused by name", async () => {
  const given = { name: "a.csv", text: csv.join("\n"), format: "csv" as const };
  await expect(
    reconcileBill(relay, "cli", { ...given, channelId: "ch_none", currency: "USD" }),
  ).rejects.toMatchObject({ code: "not_found" });
  await expect(
    reconcileBill(relay, "cli", { ...given, channelId: CHANNEL, currency: "dollars" }),
  ).rejects.toMatchObject({ param: "currency" });
});
