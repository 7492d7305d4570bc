/** Compares the usage pages with plain sums over all requests, in zones whose days begin within an hour and in others. */
import pg from "pg";
import { expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { seeded } from "@/testing/extent/random";
import {
  brokenZones,
  busyAccount,
  changeWindows,
  createBusyDays,
  endBusy,
} from "@/testing/ledger/busy-days";
import { connect } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { countAll, countPiece } from "../ledger/usage/usage-counter";
import { knownRequests } from "./history";
import { timeOf } from "./step-time";
import { usageChart } from "./usage-chart";
import { beginOf, conditionOf, type UsageFilter } from "./usage-filter";
import { type UsageSum, usageSummary } from "./usage-summary";

const url = await createBusyDays();
const owner = await opened(connect(url));
const pool = await opened(new pg.Pool({ connectionString: url, max: 4 }));
await owner.query("alter table api_key disable trigger api_key_maker_fixed");
await owner.query("update api_key set created_by = 'user_a' where id like '%1'");

const filters: Partial<UsageFilter>[] = [
  {},
  { status: "settled", model: "other-model" },
  { status: "released" },
  { key: "none" },
  { key: `key_${busyAccount}_2`, dialect: "messages" },
  { member: "user_a" },
];
/** In Havana clocks go back at one, so a midnight comes twice. */
const wholeZones = ["UTC", "Asia/Tokyo", "America/New_York", "America/Havana"] as const;
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

const daysFrom = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** As `conditionOf`, with the days told by the date of each request. */
function plainCondition(filter: UsageFilter) {
  const [from, to] = [daysFrom(filter.from, -2), daysFrom(filter.to, 2)];
  const { sql, values } = conditionOf(busyAccount, { ...filter, from, to });
  const days = `$${values.push(filter.from)}::date and $${values.push(filter.to)}::date`;
  return { sql: `${sql} and (r.created_at at time zone $4)::date between ${days}`, values };
}

/** For each of the groupings its rows, from the requests themselves, which are read once. */
async function plainSums(filter: UsageFilter): Promise<Record<Group, PlainSum[]>> {
  const { sql, values } = plainCondition(filter);
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
  const { sql, values } = plainCondition(filter);
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

/** Any zone and filter, from and to any of the busy days. */
async function assertRandom(): Promise<void> {
  const { pick, between } = seeded(round);
  const zones = Intl.supportedValuesOf("timeZone");
  const days = changeWindows().flatMap(({ from }) => [0, 1, 2, 3, 4].map((n) => daysFrom(from, n)));
  const anyOf = <T>(list: readonly T[]) => pick(list.map((each) => [each, 1] as const));
  for (let n = 0; n < extent(6, 40); n++) {
    const first = between(0, days.length - 1);
    const last = pick([
      [first, 2],
      [Math.min(first + between(1, 5), days.length - 1), 2],
      [days.length - 1, 1],
    ]);
    const zone = pick([
      [anyOf(zones), 4],
      [anyOf(brokenZones), 2],
      ["America/Havana", 1],
    ]);
    const range = { from: days[first] ?? "", to: days[last] ?? "", zone };
    const filter = { ...range, ...anyOf(filters) };
    await assertSums(filter);
    await assertChart(filter);
  }
}

test.each([
  ["while all requests run", async () => {}],
  ["while some of them wait", async () => void (await endBusy(owner, 3400))],
  ["when those are counted", () => countAll(pool)],
  ["when more end in hours that have sums", async () => void (await endBusy(owner, 900))],
  ["while some of those are counted", async () => void (await countPiece(pool, 1700))],
  ["when all are counted", () => countAll(pool)],
])(
  "%s, the days of every zone have the requests that were made in them",
  async (_, reach) => {
    await reach();
    await assertAll();
    await assertRandom();
  },
  180_000,
);

test("rows are read of the hour in which a day begins, and sums of all others", async () => {
  while ((await endBusy(owner, 10_000)) !== 0);
  await countAll(pool);
  const more = 1_000_000_000;
  await owner.query(`begin; set local session_replication_role = replica;
    update usage_hour set amount = amount + ${more}; commit`);
  const [window] = changeWindows();
  for (const zone of ["UTC", "Asia/Tokyo", "Asia/Kolkata", "Asia/Kathmandu"]) {
    const filter = { from: window?.from ?? "", to: window?.to ?? "", zone };
    const { groups } = await usageSummary(pool, busyAccount, filter, "day");
    const { rows } = await owner.query<{ day: string; sums: number }>(
      `select to_char(hour at time zone $1, 'YYYY-MM-DD') as day, count(*)::int as sums from usage_hour
        where account_id = $2 and (hour at time zone $1)::date = ((hour + interval '59 minutes') at time zone $1)::date
        group by 1`,
      [zone, busyAccount],
    );
    expect(groups.length).toBeGreaterThan(3);
    for (const { id, charged } of groups)
      expect(Number(charged / BigInt(more)), `${zone} ${id}`).toBe(
        rows.find(({ day }) => day === id)?.sums,
      );
  }
});

test("a day begins at the first moment of its date, in every zone", async () => {
  const { rows } = await pool.query<{ wrong: string }>(
    `select z || ' ' || d as wrong
       from unnest($1::text[]) z(z) cross join generate_series(timestamp '2026-01-01', timestamp '2027-12-31', interval '1 day') d
            cross join lateral (select ${beginOf("d").replaceAll("$4", "z")} as at offset 0) b
      where (at at time zone z)::date <> d or ((at - interval '1 microsecond') at time zone z)::date >= d`,
    [Intl.supportedValuesOf("timeZone")],
  );
  expect(rows).toEqual([]);
});
