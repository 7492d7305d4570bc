/** Balances at upstreams are read once for all processes, and operators are told where one crosses their amount. */
import { beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";
import { sendJson, startUpstream } from "@/testing/upstream/test-upstream";
import { setUpstreamAlarm } from "../commands/upstream-alarm";
import { openPool } from "../db/pool";
import { listUpstreamBalances } from "../queries/upstream-balances";
import type { Channel } from "../upstream/provider";
import { createProviders } from "../upstream/wiring/create-providers";
import { readDue } from "./balances";

const pool = await opened(openPool(await createTestDatabase()));
const providers = await opened(createProviders());
const upstream = await opened(
  startUpstream((response, { path }) => {
    if (left === null) return sendJson(response, "{}", 503);
    const answers: Record<string, object> = {
      "/v1/dashboard/billing/subscription": { hard_limit_usd: left + 10 },
      "/v1/dashboard/billing/usage": { total_usage: 1000 },
    };
    const answer = answers[path];
    return sendJson(response, JSON.stringify(answer ?? {}), answer === undefined ? 404 : 200);
  }),
);
let left: number | null = 50;
let channels: Channel[] = [];

beforeAll(async () => {
  await pool.query("insert into account (id) values ('acct_op')");
  await pool.query(
    `insert into "user" (id, account_id, email, is_operator) values ('u_op', 'acct_op', 'op@example.com', true)`,
  );
  await pool.query(
    "insert into account_member (account_id, user_id, role) values ('acct_op', 'u_op', 'owner') on conflict do nothing",
  );
  const channel = upstream.channel();
  const choices = ["main", "spare"].map((name) => ({
    ...channel,
    id: "ch_two",
    credential: { name, weight: 1 },
    apiKey: name,
  }));
  channels = [
    channel,
    { ...channel, id: "ch_two", name: "Two", choices },
    { ...channel, id: "ch_none", name: "None", protocol: "relay" },
  ];
  for (const { id } of channels)
    await pool.query(
      "insert into channel (id, name, protocol, base_url, models) values ($1, $1, 'openai', 'http://x', '{}')",
      [id],
    );
});

const look = () =>
  readDue({ pool, channels: () => channels, read: providers.balance, random: () => 0.5 });
const due = () => pool.query("update upstream_balance set next_at = now()");
const told = async () =>
  (
    await pool.query<{ kind: string; data: object }>(
      "select kind, data from notification order by created_at, kind",
    )
  ).rows;
const shown = async () =>
  (await listUpstreamBalances(pool)).map(({ channelId, credential, balance, lowSince }) => [
    channelId === channels[0]?.id ? "one" : channelId,
    credential,
    balance,
    lowSince !== null,
  ]);

test("each credential's balance is read once for all processes, until it is due again", async () => {
  await Promise.all([look(), look()]);
  await look();
  // Two addresses for three credentials, and one that the upstream does not have.
  expect(upstream.seen).toHaveLength(7);
  expect((await shown()).toSorted()).toEqual([
    ["ch_none", null, null, false],
    ["ch_two", "main", "50.000000", false],
    ["ch_two", "spare", "50.000000", false],
    ["one", null, "50.000000", false],
  ]);
});

test("operators are told once below their amount, and once above it again; a failure changes nothing", async () => {
  const [{ id: channelId } = { id: "" }] = channels;
  const alarm = (below: bigint | null) => setUpstreamAlarm({ pool }, "cli", { channelId, below });
  await alarm(20_000_000n);
  await look();
  expect(await told()).toEqual([]);
  left = 19.5;
  await due();
  await look();
  await due();
  await look();
  const data = { channel: channelId, credential: null, below: "20", currency: "USD" };
  expect(await told()).toMatchObject([
    { kind: "upstream_low", data: { ...data, balance: "19.5" } },
  ]);
  left = null;
  await due();
  await look();
  expect((await shown()).find(([name]) => name === "one")).toEqual([
    "one",
    null,
    "19.500000",
    true,
  ]);
  left = 20;
  await due();
  await look();
  expect(await told()).toMatchObject([
    { kind: "upstream_low" },
    { kind: "upstream_refilled", data: { ...data, balance: "20" } },
  ]);
  await alarm(null);
  await expect(setUpstreamAlarm({ pool }, "cli", { channelId, below: 0n })).rejects.toMatchObject({
    code: "invalid_value",
    param: "below",
  });
  await expect(
    setUpstreamAlarm({ pool }, "cli", { channelId: "ch_x", below: null }),
  ).rejects.toMatchObject({ code: "not_found" });
});
