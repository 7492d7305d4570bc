/** Compares the usage pages in zones of half and quarter hours with plain sums over all requests. */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import {
  brokenZones,
  busyAccount,
  changeWindows,
  createBusyDays,
  endBusy,
} from "@/testing/ledger/busy-days";
import { connect } from "@/testing/ledger/test-ledger";
import { countAll, countPiece } from "../ledger/usage/usage-counter";
import { knownRequests } from "./history";
import { timeOf } from "./step-time";
import { usageChart } from "./usage-chart";
import { conditionOf, type UsageFilter } from "./usage-filter";
import { type UsageSum, usageSummary } from "./usage-summary";

let owner: pg.Client;
let pool: pg.Pool;
beforeAll(async () => {
  const url = await createBusyDays();
  owner = await connect(url);
  pool = new pg.Pool({ connectionString: url, max: 4 });
  await owner.query("alter table api_key disable trigger api_key_maker_fixed");
  await owner.query("update api_key set created_by = 'user_a' where id like '%1'");
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await owner?.end();
});

const filters: Partial<UsageFilter>[] = [
  {},
  { status: "settled", model: "other-model" },
  { status: "released" },
  { key: "none" },
  { key: `key_${busyAccount}_2`, dialect: "messages" },
  { member: "user_a" },
];
/** Their days have all of a day's blocks of four hours, or five of six. */
const wholeZones = ["UTC", "Asia/Shanghai", "Asia/Tokyo", "America/New_York"] as const;
const groupSql = {
  day: "to_char(r.created_at at time zone $4, 'YYYY-MM-DD')",
  model: "r.model",
  key: "coalesce(r.api_key_id, '')",
};
const medianSql = (column: string, isWanted: string) =>
  `percentile_disc(0.5) within group (order by floor(16 * ln(greatest(r.${column}, 1)::float8) / ln(2::float8) + 1e-9)) filter (where r.outcome = 'settled'${isWanted})`;

type Group = keyof typeof groupSql;
type PlainSum = Pick<UsageSum, "requests" | "charged"> & { readonly id: string };
const groupsOf = ["day", "model", "key"] as const;

/** For each of the groupings its rows, from the requests themselves, which are read once. */
async function plainSums(filter: UsageFilter): Promise<Record<Group, PlainSum[]>> {
  const { sql, values } = conditionOf(busyAccount, filter);
  const { rows } = await pool.query(
    `select case 0 when grouping(day) then 'day' when grouping(model) then 'model' else 'key' end as "by", coalesce(day, model, key) as id,
            count(*)::int as requests, (count(*) filter (where outcome = 'settled'))::int as settled,
            (count(*) filter (where outcome = 'released'))::int as released, coalesce(sum(input_tokens), 0)::int as "inputTokens",
            coalesce(sum(output_tokens), 0)::int as "outputTokens", coalesce(sum(amount), 0)::text as charged
       from (select ${groupsOf.map((group) => `${groupSql[group]} as ${group}`)}, r.outcome, r.input_tokens, r.output_tokens, r.amount
               from ${knownRequests} where ${sql}) r
      group by grouping sets ((day), (model), (key)) order by 2`,
    values,
  );
  const of = (group: Group) =>
    rows
      .filter((row) => row.by === group)
      .map(({ by: _, charged, ...row }) => ({ ...row, charged: BigInt(charged) }));
  return { day: of("day"), model: of("model"), key: of("key") };
}

/** The days of the models with their medians, from the requests themselves. */
async function plainDays(filter: UsageFilter) {
  const { sql, values } = conditionOf(busyAccount, filter);
  const { rows } = await pool.query(
    `select r.model || ' ' || ${groupSql.day} as id, count(*)::int as requests, ${medianSql("duration_ms", "")} as latency,
            ${medianSql("first_byte_ms", " and r.is_stream")} as first from ${knownRequests} where ${sql} group by 1 order by 1`,
    values,
  );
  return rows.map(({ id, requests, latency, first }) => [
    id,
    requests,
    timeOf(latency),
    timeOf(first),
  ]);
}

async function assertSums(filter: UsageFilter): Promise<void> {
  const sums = await plainSums(filter);
  for (const group of groupsOf) {
    const { total, groups } = await usageSummary(pool, busyAccount, filter, group);
    const plain = sums[group];
    const named = groups.map(({ name: _, held: __, running: ___, ...sum }) => sum);
    const where = JSON.stringify([filter, group]);
    expect(
      named.sort((a, b) => (a.id < b.id ? -1 : 1)),
      where,
    ).toEqual(plain.sort((a, b) => (a.id < b.id ? -1 : 1)));
    expect(total.requests, where).toBe(plain.reduce((sum, { requests }) => sum + requests, 0));
  }
}

async function assertChart(filter: UsageFilter): Promise<void> {
  const series = await usageChart(pool, busyAccount, filter, "model");
  const days = series.flatMap((each) =>
    each.days.map(({ day, requests, latencyMs, firstTokenMs }) => [
      `${each.id} ${day}`,
      requests,
      latencyMs,
      firstTokenMs,
    ]),
  );
  expect(
    days.sort(([a], [b]) => ((a ?? "") < (b ?? "") ? -1 : 1)),
    JSON.stringify(filter),
  ).toEqual((await plainDays(filter)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** In each state a twelfth of the zones' years and of their changes, or all of them. */
const share = extent(12, 1);
/** Of the charts and sums of which there is one a zone. */
const fewer = extent(4, 1);
let round = 0;
let looked = 0;
const nextFilter = () => filters[looked++ % filters.length];

/** Each call looks at other zones' years and changes than the one before, with every filter. */
async function assertAll(): Promise<void> {
  const windows = changeWindows();
  const whole = { from: windows[0]?.from ?? "", to: windows.at(-1)?.to ?? "" };
  round++;
  for (const [place, zone] of brokenZones.entries()) {
    if ((place + round) % share === 0) await assertChart({ ...whole, zone });
    for (const window of windows.filter((_, at) => (at + place + round) % share === 0)) {
      const filter = { ...window, zone };
      await assertSums({ ...filter, ...nextFilter() });
      // Its ends are within busy days.
      await assertSums({ ...filter, from: filter.to });
    }
    if ((place + round) % fewer === 0)
      await assertChart({ ...(windows[(place + round) % windows.length] ?? whole), zone });
  }
  for (const [place, zone] of wholeZones.entries()) {
    if ((place + round) % share === 0) await assertChart({ ...whole, zone });
    if ((place + round) % fewer === 0) await assertSums({ ...whole, zone, ...nextFilter() });
  }
}

const cuts = async () =>
  Number((await owner.query("select count(*) as n from usage_cut")).rows[0]?.n);

test.each([
  ["while all requests run", async () => {}],
  ["while some of them wait", async () => void (await endBusy(owner, 3400))],
  ["when those are counted", () => countAll(pool)],
  ["when more end in hours whose parts were made", async () => void (await endBusy(owner, 900))],
  ["while some of those are counted", async () => void (await countPiece(pool, 1700))],
  ["when all are counted", () => countAll(pool)],
])(
  "%s, the days of zones of half and quarter hours have the requests that were made in them",
  async (_, reach) => {
    await reach();
    await assertAll();
  },
  180_000,
);

test("the requests of hours with parts are not read", async () => {
  while ((await endBusy(owner, 10_000)) !== 0);
  await countAll(pool);
  expect(await cuts()).toBeGreaterThan(100);
  // Which hours were busy enough when their parts were made is told by how far the counting was.
  const { rows: midnights } = await owner.query<{ day: string }>(
    `select distinct to_char(at at time zone 'Asia/Kolkata', 'YYYY-MM-DD') as day from usage_part
      where at = date_trunc('day', at, 'Asia/Kolkata')`,
  );
  const window = changeWindows().find(({ from, to }) =>
    midnights.some(({ day }) => from < day && day <= to),
  );
  const filter = { from: window?.from ?? "", to: window?.to ?? "" };
  const read = (zone: string) => usageSummary(pool, busyAccount, { ...filter, zone }, "day");
  const add = (amount: number) =>
    owner.query(`begin; set local session_replication_role = replica;
      update usage_part set amount = amount + ${amount} * extract(day from at)::int; commit`);
  await add(1_000_000);
  for (const zone of brokenZones) {
    const { total, groups } = await read(zone);
    expect(total.charged).toBe(groups.reduce((sum, { charged }) => sum + charged, 0n));
  }
  const { day: plain } = await plainSums({ ...filter, zone: "Asia/Kolkata" });
  const { groups } = await read("Asia/Kolkata");
  expect(groups.map(({ charged }) => charged)).not.toEqual(plain.map(({ charged }) => charged));
  await add(-1_000_000);
});

test("the sums of hours are not read where those of four hours are kept", async () => {
  // Made again now that everything has ended, so that more hours are busy.
  await owner.query(`begin; set local session_replication_role = replica;
    delete from usage_block; delete from usage_block_mark;
    update usage_block_head set at = '-infinity', audited = '-infinity'; commit`);
  await countAll(pool);
  await assertAll();
  const [window] = changeWindows();
  const filter = { from: window?.from ?? "", to: window?.to ?? "" };
  const hoursOfDay = { UTC: 0, "Asia/Tokyo": 4, "Asia/Kolkata": 4 };
  const more = 1_000_000_000;
  const change = async (amount: number) => {
    await owner.query("begin; set local session_replication_role = replica");
    await owner.query(
      `update usage_hour h set amount = amount + ${amount} where exists (
         select from usage_block_mark m where m.account_id = h.account_id and m.at = usage_block_of(h.hour))`,
    );
    await owner.query("commit");
  };
  await change(more);
  for (const [zone, hours] of Object.entries(hoursOfDay)) {
    const { groups } = await usageSummary(pool, busyAccount, { ...filter, zone }, "day");
    const { rows } = await owner.query<{ day: string; sums: number }>(
      `select to_char(hour at time zone $1, 'YYYY-MM-DD') as day, count(*)::int as sums from usage_hour where account_id = $2 group by 1`,
      [zone, busyAccount],
    );
    // A day in the middle of the window, whose hours are all busy.
    const day = groups[2];
    const changed = Number((day?.charged ?? 0n) / BigInt(more));
    const sums = rows.find((row) => row.day === day?.id)?.sums ?? 0;
    expect(sums, zone).toBeGreaterThan(100);
    expect(changed, zone).toBeLessThanOrEqual((sums / 24) * hours * 1.5);
    if (hours > 0) expect(changed, zone).toBeGreaterThan(0);
  }
  await change(-more);
}, 180_000);

test("parts are kept for every midnight of a time zone that lies within an hour", async () => {
  const { rows } = await owner.query<{ minutes: number[] }>(
    "select usage_cut_minutes() as minutes",
  );
  const now = new Date();
  const midnights = new Set<number>();
  for (const timeZone of Intl.supportedValuesOf("timeZone"))
    for (const month of [0, 6]) {
      const at = new Date(Date.UTC(now.getUTCFullYear(), month, 1));
      const [hour = 0, minute = 0] = new Intl.DateTimeFormat("en", {
        timeZone,
        hour: "numeric",
        minute: "numeric",
        hourCycle: "h23",
      })
        .format(at)
        .split(":")
        .map(Number);
      const midnight = (1440 - hour * 60 - minute) % 1440;
      if (midnight % 60 !== 0) midnights.add(midnight);
    }
  expect([...midnights].sort((a, b) => a - b)).toEqual(rows[0]?.minutes);
});
