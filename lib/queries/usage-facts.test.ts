/** Compares the figures of the usage pages with plain sums over all requests, in every state of the sums. */
import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { extent } from "@/testing/extent/extent";
import { analyzeRequests, writeHistory } from "@/testing/ledger/history";
import { connect, seedPrice } from "@/testing/ledger/test-ledger";
import { dayFromNow } from "@/testing/unit/day-from-now";
import { opened } from "@/testing/unit/opened";
import { countAll, countPiece } from "../ledger/usage/usage-counter";
import { knownRequests } from "./history";
import { usageCsv } from "./usage";
import { usageChart } from "./usage-chart";
import { conditionOf, type UsageFilter } from "./usage-filter";
import { usagePage } from "./usage-log";
import { usageSummary } from "./usage-summary";

const url = await createTestDatabase();
const owner = await opened(connect(url));
const pool = await opened(new pg.Pool({ connectionString: url, max: 4 }));
await seedPrice(owner);
await owner.query(
  "insert into price_version (model, output_price, created_by, effective_at) values ('an-image', 9000000, 'test', '2026-01-01'), ('super-2.5', 1, 'test', '2026-01-01')",
);
await writeHistory(owner, { accounts: 3, requests: 4000, days: 30, open: 40, seed: 7 });
await nameMembers();
await analyzeRequests(owner);

/** Two makers of the keys, one key of nobody, and notes for some of what was ordered in the playground. */
async function nameMembers(): Promise<void> {
  await owner.query("alter table api_key disable trigger api_key_maker_fixed");
  await owner.query(
    "update api_key set created_by = case right(id, 1) when '1' then 'user_a' when '2' then 'user_b' end",
  );
  await owner.query("alter table api_key enable trigger api_key_maker_fixed");
  await owner.query(
    `insert into playground_operation (operation_id, account_id, user_id, created_at)
     select id, account_id, (array['user_a', 'user_b'])[1 + n % 3], created_at - interval '1 second'
       from (select *, row_number() over (order by id) as n from request_known where api_key_id is null) r where n % 3 < 2`,
  );
}

const account = "acct_history_1";
const day = (ago: number) => dayFromNow(-ago);
const zones = [
  "UTC",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "America/St_Johns",
  "Australia/Lord_Howe",
  "America/New_York",
  "Pacific/Apia",
];
const filters: Partial<UsageFilter>[] = [
  {},
  { status: "held" },
  { status: "settled" },
  { status: "released", model: "test-model" },
  { key: "none" },
  { key: `key_${account}_2`, status: "settled" },
  { dialect: "messages" },
  { member: "user_a" },
  { member: "user_b", status: "settled" },
  { member: "user_b", key: "none" },
  { model: "an-image", from: day(9), to: day(3) },
  { pointsMin: "0.0002" },
  { pointsMin: "0.00005", pointsMax: "0.0005", member: "user_a" },
  { pointsMax: "0.0001", key: "none", model: "test-model" },
];
const groupSql = {
  day: "to_char(r.created_at at time zone $4, 'YYYY-MM-DD')",
  model: "r.model",
  key: "coalesce(r.api_key_id, '')",
  family: "r.family",
  member: `coalesce((select k.created_by from api_key k where k.id = r.api_key_id),
    (select p.user_id from playground_operation p where r.api_key_id is null and p.operation_id = r.id), '')`,
};

type Group = keyof typeof groupSql;

/** For each of the groupings its rows, from the requests themselves, which are read once. */
async function plainSums(filter: UsageFilter, groups: readonly Group[]) {
  const { sql, values } = conditionOf(account, filter);
  const { rows } = await pool.query(
    `select array_position(array[${groups.map((group) => `grouping("${group}")`)}], 0) - 1 as place, coalesce(${groups.map((group) => `"${group}"`)}) as id,
            count(*)::int as requests, (count(*) filter (where outcome = 'settled'))::int as settled,
            (count(*) filter (where outcome = 'released'))::int as released, (count(*) filter (where outcome is null))::int as running,
            coalesce(sum(input_tokens), 0)::int as "inputTokens", coalesce(sum(output_tokens), 0)::int as "outputTokens",
            coalesce(sum(amount), 0)::text as charged, coalesce(sum(hold_amount) filter (where outcome is null), 0)::text as held
       from (select ${groups.map((group) => `${groupSql[group]} as "${group}"`)}, r.outcome, r.input_tokens, r.output_tokens, r.amount, r.hold_amount
               from ${knownRequests} where ${sql}) r
      group by grouping sets (${groups.map((group) => `("${group}")`)})`,
    values,
  );
  return groups.map((_, at) =>
    rows
      .filter(({ place }) => place === at)
      .map(({ place: __, charged, held, ...row }) => ({
        ...row,
        charged: BigInt(charged),
        held: BigInt(held),
      })),
  );
}

/** Each state uses a third of the filters in each zone, and the next state another third; or all. */
let round = 0;
const chosenFilters = (place: number) =>
  filters.filter((_, at) => (at + place + round) % extent(3, 1) === 0);

/** By day, and by one of the others in turn, or by all of them. */
const otherGroups = ["model", "key", "member"] as const;
let summed = 0;
type OtherGroup = (typeof otherGroups)[number];
const chosenGroups = (): ("day" | OtherGroup)[] => {
  const next = otherGroups[summed++ % otherGroups.length] ?? "model";
  return ["day", ...extent<readonly OtherGroup[]>([next], otherGroups)];
};

async function assertFigures(zone: string): Promise<void> {
  for (const changes of chosenFilters(zones.indexOf(zone))) {
    const filter = { from: day(20), to: day(-1), zone, ...changes };
    const groups = chosenGroups();
    const plainOf = await plainSums(filter, groups);
    for (const [at, group] of groups.entries()) {
      const found = await usageSummary(pool, account, filter, group);
      const plain = plainOf[at] ?? [];
      const named = found.groups.map(({ name: _, ...sum }) => sum);
      const where = JSON.stringify([filter, group]);
      expect(
        named.sort((a, b) => (a.id < b.id ? -1 : 1)),
        where,
      ).toEqual(plain.sort((a, b) => (a.id < b.id ? -1 : 1)));
      const { requests, charged } = found.total;
      expect(requests, where).toBe(plain.reduce((sum, each) => sum + each.requests, 0));
      expect(charged, where).toBe(plain.reduce((sum, each) => sum + each.charged, 0n));
    }
  }
}

async function assertChart(zone: string): Promise<void> {
  const filter = { from: day(20), to: day(-1), zone };
  const { sql, values } = conditionOf(account, filter);
  const { rows } = await pool.query(
    `select ${groupSql.family} as id, ${groupSql.day} as day, count(*)::int as requests,
            percentile_disc(0.5) within group (order by r.duration_ms) filter (where r.outcome = 'settled') as latency,
            percentile_disc(0.5) within group (order by r.first_byte_ms) filter (where r.outcome = 'settled' and r.is_stream) as first
       from ${knownRequests} where ${sql} group by 1, 2`,
    values,
  );
  const plain = new Map(rows.map((row) => [`${row.id} ${row.day}`, row]));
  for (const each of await usageChart(pool, account, filter, "family")) {
    for (const ofDay of each.days) {
      const row = plain.get(`${each.id} ${ofDay.day}`);
      plain.delete(`${each.id} ${ofDay.day}`);
      expect(ofDay.requests).toBe(row?.requests);
      for (const [shown, exact] of [
        [ofDay.latencyMs, row.latency],
        [ofDay.firstTokenMs, row.first],
      ]) {
        if (exact === null) expect(shown).toBeNull();
        else expect(Math.abs(Number(shown) / Number(exact) - 1)).toBeLessThan(0.03);
      }
    }
  }
  expect([...plain.keys()]).toEqual([]);
}

/** Every page of the log, and the requests of the same filter. */
async function assertLog(zone: string): Promise<void> {
  for (const changes of chosenFilters(zones.indexOf(zone))) {
    const filter = { from: day(12), to: day(-1), zone, ...changes };
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await usagePage(pool, account, filter, { cursor, limit: 90 });
      ids.push(...page.lines.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    const { sql, values } = conditionOf(account, filter);
    const { rows } = await pool.query<{ id: string }>(
      `select r.id from ${knownRequests} where ${sql} order by r.created_at desc, r.id desc`,
      values,
    );
    expect(ids, JSON.stringify(filter)).toEqual(rows.map(({ id }) => id));
  }
}

test.each([
  ["while all requests wait", async () => {}],
  ["while some wait", async () => void (await countPiece(pool, 1500))],
  ["when all are counted", () => countAll(pool)],
])(
  "%s, the figures of every zone and filter are those of the requests",
  async (_, reach) => {
    await reach();
    round++;
    for (const [place, zone] of zones.entries()) {
      await assertFigures(zone);
      if ((place + round) % extent(3, 1) === 0) await assertChart(zone);
    }
    for (const zone of ["UTC", "Asia/Kathmandu"]) await assertLog(zone);
  },
  60_000,
);

test("a file has every request of its filter once, in pages that are read when they are taken", async () => {
  const filter = { from: day(31), to: day(-1), zone: "UTC" };
  const { total } = await usageSummary(pool, account, filter, "day");
  let reads = 0;
  const countRead = () => {
    reads += 1;
  };
  pool.on("acquire", countRead);
  const file = () => usageCsv({ pool }, { accountId: account, ...filter });
  let text = "";
  for await (const part of await file()) text += part;
  const lines = text.trimEnd().split("\r\n");
  expect(total.requests).toBeGreaterThan(1000);
  expect([lines.length, new Set(lines).size]).toEqual([total.requests + 1, total.requests + 1]);
  // The last one finds out which months are archived.
  expect(reads).toBe(Math.ceil(total.requests / 1000) + 1);

  reads = 0;
  const left = await file();
  await left.next();
  await left.return(undefined);
  expect([await left.next(), reads]).toEqual([{ done: true, value: undefined }, 1]);
  pool.off("acquire", countRead);
});
