/** What an upstream's list asks is shown beside what is noted, and counts only once an operator accepts it. */
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";
import { sendJson, startUpstream } from "@/testing/upstream/test-upstream";
import { acceptListedRates, setPriceList } from "../commands/upstream-price-lists";
import { openPool } from "../db/pool";
import { listUpstreamRates } from "../queries/upstream-bills";
import { listUpstreamPriceLists } from "../queries/upstream-price-lists";
import { createProviders } from "../upstream/wiring/create-providers";
import { readDueLists } from "./price-lists";

let ratio: number | null = 1;
const pool = await opened(openPool(await createTestDatabase()));
const providers = await opened(createProviders());
const upstream = await opened(
  startUpstream((response, { path }) => {
    if (ratio === null || path !== "/api/pricing") return sendJson(response, "{}", 503);
    const ofRatio = (model_ratio: number) => ({ quota_type: 0, model_ratio, completion_ratio: 2 });
    const data = [
      { model_name: "up-a", ...ofRatio(ratio) },
      { model_name: "not-ours", ...ofRatio(9) },
    ];
    return sendJson(response, JSON.stringify({ data }));
  }),
);
let channel = upstream.channel({ models: { A: "up-a", B: "up-b" } });
await pool.query(
  "insert into channel (id, name, protocol, base_url, models) values ($1, 'Up', 'openai', 'http://x', '{}')",
  [channel.id],
);

const look = async () => {
  const deps = { pool, byId: () => channel, read: providers.priceList, random: () => 0.5 };
  await Promise.all([readDueLists(deps), readDueLists(deps)]);
};
const again = async () => {
  await pool.query("update upstream_price_list set next_at = now()");
  await look();
};
const differences = async () => (await listUpstreamPriceLists(pool)).differences;
const rate = (unit: string, points: string) => ({ unit, points });

test("a list is read once for all processes, and only of the channel's models", async () => {
  const list = {
    channelId: channel.id,
    format: "new-api",
    address: null,
    currency: "USD",
  } as const;
  await setPriceList({ pool }, "cli", list);
  await look();
  await look();
  expect(upstream.seen.map(({ path }) => path)).toEqual(["/api/pricing"]);
  expect(await differences()).toMatchObject([
    {
      model: "up-a",
      currency: "USD",
      noted: null,
      asked: [rate("input_token", "2.000000"), rate("output_token", "4.000000")],
    },
  ]);
  expect(await listUpstreamRates(pool, channel.id)).toEqual([]);
});

test("accepted rates count from then on; a changed list is a difference again, and none is accepted unseen", async () => {
  const [seen] = await differences();
  const accept = (digest?: string) =>
    acceptListedRates({ pool }, "cli", { channelId: channel.id, model: "up-a", digest });
  await accept(seen?.digest);
  expect(await differences()).toEqual([]);
  expect(await listUpstreamRates(pool, channel.id)).toMatchObject([
    { model: "up-a", currency: "USD", rates: [{ amount: 2_000_000 }, { amount: 4_000_000 }] },
  ]);
  ratio = 1.5;
  await again();
  await expect(accept(seen?.digest)).rejects.toMatchObject({ code: "changed_meanwhile" });
  expect(await differences()).toMatchObject([
    { noted: [rate("input_token", "2.000000"), {}], asked: [rate("input_token", "3.000000"), {}] },
  ]);
  ratio = null;
  await again();
  const { lists, differences: left } = await listUpstreamPriceLists(pool);
  expect([lists[0]?.failed, left.length]).toEqual([expect.stringMatching(/503/), 1]);
  await accept();
  expect(await differences()).toEqual([]);
  await expect(
    acceptListedRates({ pool }, "cli", { channelId: channel.id, model: "up-b" }),
  ).rejects.toMatchObject({ code: "not_found" });
});

test("another host gets neither the channel's credential nor its headers", async () => {
  ratio = 1;
  const { port } = new URL(channel.baseUrl);
  const list = { channelId: channel.id, format: "new-api", currency: "USD" } as const;
  const set = (address: string) => setPriceList({ pool }, "cli", { ...list, address });
  channel = { ...channel, apiKey: "secret", headers: { "x-team": "a" } };
  const { hostname } = new URL(channel.baseUrl);
  const other = hostname === "127.0.0.1" ? "localhost" : "127.0.0.1";
  upstream.seen.length = 0;
  await set(`http://${other}:${port}/api/pricing`);
  await look();
  await set(`http://${hostname}:${port}/api/pricing`);
  await look();
  expect(upstream.seen.map(({ headers }) => [headers.authorization, headers["x-team"]])).toEqual([
    [undefined, undefined],
    ["Bearer secret", "a"],
  ]);
  for (const address of ["ftp://a.example", "https://a:b@a.example", "prices.json"])
    await expect(set(address)).rejects.toMatchObject({ code: "invalid_value", param: "address" });
  await setPriceList({ pool }, "cli", { ...list, format: null, address: null });
  expect(await listUpstreamPriceLists(pool)).toEqual({ lists: [], differences: [] });
});
