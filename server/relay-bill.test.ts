/** The statement of a relay agrees with the book of the relay that it is the upstream of. */
import { expect, test } from "vitest";
import { builtInModels as models } from "@/lib/catalog/built-in";
import { noteUpstreamRates, reconcileBill } from "@/lib/commands/upstream-bills";
import { usageQuery } from "@/lib/contract/usage";
import { ratesOf } from "@/lib/pricing/rate";
import { usageCsv } from "@/lib/queries/usage";
import { connect } from "@/testing/ledger/test-ledger";
import { openRelayBehind } from "@/testing/relay/relay-behind";

const { inner, outer, channel } = await openRelayBehind();

const owner = await connect(outer.seeded.url);
await owner.query(
  "insert into channel (id, name, protocol, base_url, models) values ($1, 'inner', 'relay', $2, $3)",
  [channel.id, channel.baseUrl, channel.models],
);
await owner.end();
for (const { id, alias, family } of models) {
  const price = inner.video.priceBook.current(id)?.price;
  if (price === undefined) throw new Error(`${id} has no price`);
  const terms = { channelId: channel.id, model: alias, currency: "PTS", effectiveAt: new Date(0) };
  await noteUpstreamRates(outer, "cli", { ...terms, rates: ratesOf(family, price) });
}

const post = (path: string, body: object) => outer.send(path, { body: JSON.stringify(body) });
const say = (content: string, more: object = {}) =>
  post("/v1/chat/completions", {
    ...{ model: "relay-v1", messages: [{ role: "user", content }] },
    ...more,
  });

async function statement(): Promise<string> {
  const day = new Date().toISOString().slice(0, 10);
  const query = usageQuery.parse({ from: day, to: day, zone: "UTC" });
  let text = "";
  for await (const lines of await usageCsv(inner, { accountId: inner.accountId, ...query }))
    text += lines;
  return text;
}

const compare = (text: string, name: string) =>
  reconcileBill(outer, "cli", {
    ...{ channelId: channel.id, name, text, format: "relay", currency: "PTS" },
  });

test("texts, images and videos agree by their ids, tokens and points; failed ones are listed for nothing", async () => {
  const answers = await Promise.all([
    say("hi"),
    say("stream", { stream: true }),
    post("/v1/images/generations", { model: "super-relay-img", prompt: "a fox", size: "512x512" }),
    post("/v1/videos/generations", {
      ...{ model: "super-relay-fast", prompt: "a fox", resolution: "480p", duration: 3 },
      ratio: "1:1",
    }),
    say("[[fail]]"),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 502]);
  expect((await outer.ends()).filter(({ outcome }) => outcome === "settled")).toHaveLength(4);
  await inner.ends();
  const text = await statement();
  const found = await compare(text, "right.csv");
  expect(found.differences).toEqual([]);
  expect([found.agreed, found.billed]).toEqual([4, found.owed]);

  const [head = "", ...lines] = text.split("\r\n");
  const charged = head.split(",").indexOf("charged_points");
  const raise = (line: string) => line.split(",").with(charged, "9999").join(",");
  const at = lines.findIndex((line) => line.includes(",settled,"));
  const dearer = [head, ...lines.with(at, raise(lines[at] ?? ""))].join("\r\n");
  await outer.pool.query("delete from upstream_bill");
  expect((await compare(dearer, "dear.csv")).causes).toMatchObject({ other_rate: { count: 1 } });
}, 60_000);
