/**
 * Days of an account on which every hour has requests at random times, as the owner of the database:
 * around both changes of summer time in the zones whose midnights lie within an hour.
 */
import type pg from "pg";
import { createPreparedDatabase } from "../db/test-database";
import { analyzeRequests } from "./history";
import { connect, seedPrice } from "./test-ledger";

/** Zones of half and quarter hours. The first four have summer time. */
export const brokenZones = [
  "Australia/Adelaide",
  "America/St_Johns",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Asia/Tehran",
  "Australia/Eucla",
] as const;

export const busyAccount = "acct_busy";
const DAY_MS = 86_400_000;
const WINDOW_DAYS = 2;

/** Of a moment in the zone, such as `GMT+09:30`. */
function offsetsOf(zone: string): (at: number) => string {
  const parts = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
  return (at) => parts.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/** The first and last days (UTC) around each change of summer time of the last year, in order. */
export function changeWindows(now = Date.now()): { from: string; to: string }[] {
  const today = now - (now % DAY_MS);
  const days = new Set<number>();
  for (const zone of brokenZones) {
    const offsetAt = offsetsOf(zone);
    for (let ago = 360; ago > 5; ago--) {
      const at = today - ago * DAY_MS;
      if (offsetAt(at) !== offsetAt(at + DAY_MS)) days.add(at);
    }
  }
  const text = (at: number) => new Date(at).toISOString().slice(0, 10);
  return [...days]
    .sort((a, b) => a - b)
    .map((at) => ({
      from: text(at - WINDOW_DAYS * DAY_MS),
      to: text(at + WINDOW_DAYS * DAY_MS),
    }));
}

const holdsSql = `
  insert into open_request (id, account_id, api_key_id, source, request_id, family, model, dialect, price_version_id, multiplier_ppm, quote_amount,
                            hold_amount, request_sha256, created_at, deadline)
    select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(noise, 1, 3) || '8' || substr(noise, 4, 15))::uuid,
           $1, case when a < 0.2 then null else 'key_' || $1 || '_' || case when a < 0.6 then 1 else 2 end end,
           case when a < 0.2 then 'playground' else 'api' end, 'req_' || noise, 'text', p.model,
           case when c < 0.3 then 'messages' end, p.id, 1000000, 1000, 1000, sha256(noise::bytea), at, at + interval '2 hours'
      from (select h + random() * interval '1 hour' as at, md5(random()::text || h || n) as noise, random() as a, random() as b, random() as c
              from (select distinct generate_series(w.from::date::timestamp at time zone 'UTC', (w.to::date + 1)::timestamp at time zone 'UTC' - interval '1 hour',
                                                    interval '1 hour') as h from json_to_recordset($2) w ("from" text, "to" text)) hours
                   cross join lateral generate_series(1, 8) n) r
           join price_version p on p.created_by = 'test' and p.model = case when b < 0.6 then 'test-model' else 'other-model' end
     where at < now() - interval '3 hours'`;

const endsSql = `
  with e as (
    delete from open_request where id in (select id from open_request where account_id = $1 order by md5(id::text) limit $2)
      returning *, random() as r, random() < 0.9 as is_good, random() < 0.5 as is_stream
  ), waiting as (
    insert into usage_waiting (operation_id, account_id) select id, account_id from e
  )
  insert into request
    select id, account_id, api_key_id, source, request_id, family, dialect, model, price_version_id, model_version_id, multiplier_ppm, quote_amount,
           hold_amount, request_sha256, node_id, created_at, deadline, case when is_good then 'settled' else 'released' end, case when is_good then 1 + floor(r * 999) else 0 end,
           case when is_good then floor(r * 5000) end, case when is_good then floor(r * 700) end, case when is_good then '{}'::jsonb end,
           case when not is_good then 'upstream_failed' end, null, null, is_stream, null, exp(5 + 3 * r)::int, case when is_stream then exp(4 + 3 * r)::int end,
           created_at + interval '5 seconds'
      from e`;

/** Eight requests in each hour of the windows, which all run. */
async function openBusyDays(owner: pg.ClientBase): Promise<void> {
  await owner.query("select setseed(0.008)");
  await owner.query("insert into account (id) values ($1)", [busyAccount]);
  await owner.query("select ledger_open_wallet($1)", [busyAccount]);
  await owner.query(
    `insert into api_key (id, account_id, name, key_hash, hint)
       select 'key_' || $1 || '_' || n, $1, 'key', sha256(('busy' || n)::bytea), 'hint' from generate_series(1, 2) n`,
    [busyAccount],
  );
  await seedPrice(owner);
  await owner.query(
    "insert into price_version (model, output_price, created_by, effective_at) values ('other-model', 1, 'test', '2026-01-01')",
  );
  await owner.query(holdsSql, [busyAccount, JSON.stringify(changeWindows())]);
  await analyzeRequests(owner);
}

/** A database of its own with them; they are written once in a test run. */
export const createBusyDays = (): Promise<string> =>
  createPreparedDatabase("busy_days", async (url) => {
    const owner = await connect(url);
    await openBusyDays(owner).finally(() => owner.end());
  });

/** Ends some of those that run, of all hours, and returns how many. */
export async function endBusy(owner: pg.ClientBase, most: number): Promise<number | null> {
  const { rowCount } = await owner.query(endsSql, [busyAccount, most]);
  await analyzeRequests(owner);
  return rowCount;
}
