/**
 * Metrics of the whole installation, the same from every process: read from the database, with one
 * bounded query for each.
 */
import type pg from "pg";
import { lossCauses } from "../contract/states";
import { unsealedSeconds } from "../ledger/audit/last-seal";
import { type KeepTimes, overdueOf } from "../upkeep/short-lived";
import type { Reading, Registry } from "./registry";
import { addBalanceGauges, type BalanceFigure, balanceFigures } from "./upstream-figures";

export interface KeptFor extends KeepTimes {
  /** `RELAY_KEEP_REQUEST_MONTHS`; 0: for ever. */
  readonly requestMonths: number;
}

interface Row {
  readonly holds: number;
  readonly held: string;
  readonly oldest_seconds: number | null;
  readonly tasks: Record<string, number>;
  readonly poll_lag_seconds: number;
  readonly callbacks: number;
  readonly callback_lag_seconds: number;
  readonly losses: readonly { cause: string; count: number; micropoints: number }[];
  readonly processes: number;
  readonly spools_lost: number;
  readonly uncounted: number;
  readonly unsealed_seconds: number;
  readonly overdue: Record<string, number | null>;
  readonly partitions_seconds: number;
  readonly strays: number;
  readonly months_overdue: number;
  readonly balances: readonly BalanceFigure[];
}

/** The first possible id of a month's requests. */
const firstIdOf = (month: string) =>
  `rpad(lpad(to_hex((extract(epoch from ${month}) * 1000)::bigint), 12, '0'), 32, '0')::uuid`;
const DROP_GRACE_DAYS = 2;
/** The months with requests and partitions of their own that should have been dropped. Months that share a partition cannot be. */
const monthsOverdue = (months: number) => `(
  select count(*)::int from (
    select to_date(substring(c.relname from '\\d{4}_\\d{2}$'), 'YYYY_MM')::timestamp as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'request'::regclass and c.relname ~ '^request_\\d{4}_\\d{2}$') m
   where ${months} > 0 and month + make_interval(months => ${months} + 1, days => ${DROP_GRACE_DAYS}) <= now() at time zone 'UTC'
     and exists (select from request r where r.id >= ${firstIdOf("month")} and r.id < ${firstIdOf("month + interval '1 month'")}))`;

const queryOf = (keep: KeptFor) => `
select h.holds, h.held, h.oldest_seconds,
  t.tasks, t.poll_lag_seconds, c.callbacks, c.callback_lag_seconds, l.losses,
  (select count(*)::int from node where lease_until > now()) as processes,
  (select count(*)::int from node where lease_until < now() - interval '10 minutes') as spools_lost,
  (select count(*)::int from usage_waiting) as uncounted, ${unsealedSeconds} as unsealed_seconds,
  ${overdueOf(keep)} as overdue,
  extract(epoch from p.until - now())::float8 as partitions_seconds, p.strays,
  ${monthsOverdue(keep.requestMonths)} as months_overdue,
  ${balanceFigures} as balances
from (select count(*)::int as holds, coalesce(sum(hold_amount), 0)::text as held,
        extract(epoch from now() - min(created_at))::float8 as oldest_seconds from open_request) h,
  (select json_build_object('queued', count(*) filter (where status = 'queued'), 'running', count(*) filter (where status = 'running')) as tasks,
     coalesce(greatest(extract(epoch from now() - min(next_poll_at)), 0), 0)::float8 as poll_lag_seconds
     from video_task where status in ('queued', 'running')) t,
  (select count(*)::int as callbacks, coalesce(greatest(extract(epoch from now() - min(next_attempt_at)), 0), 0)::float8 as callback_lag_seconds
     from callback_delivery where delivered_at is null and given_up_at is null) c,
  (select coalesce(json_agg(s), '[]') as losses from (
     select cause, count(*)::int as count, sum(estimate)::float8 as micropoints from operator_loss
      where created_at > now() - interval '24 hours' group by cause) s) l,
  ledger_partition_state() p`;

const MICROPOINTS = 1e6;
const FRESH_MS = 1000;

type AddGauge = (name: string, help: string, read: (from: Row) => Reading[]) => void;

/** What is done after requests, and how far it is. */
function addBehindGauges(gauge: AddGauge): void {
  gauge(
    "relay_usage_waiting",
    "Ended requests that are not in the sums yet; pages read them one by one.",
    ({ uncounted }) => [{ value: uncounted }],
  );
  gauge(
    "relay_ledger_unsealed_seconds",
    "Age of the oldest request that no audit has checked and put into a piece; up to 75 minutes.",
    ({ unsealed_seconds }) => [{ value: unsealed_seconds }],
  );
  gauge(
    "relay_removal_behind_seconds",
    "For how long the oldest row that should be removed has been there too long, by table.",
    ({ overdue }) =>
      Object.entries(overdue).map(([table, value]) => ({ labels: { table }, value: value ?? 0 })),
  );
}

function addPartitionGauges(gauge: AddGauge): void {
  gauge(
    "relay_partitions_ahead_seconds",
    "For how long from now requests have partitions of their months.",
    ({ partitions_seconds }) => [{ value: partitions_seconds }],
  );
  gauge(
    "relay_partition_strays",
    "Requests, up to 1000, that are in no month's partition: made with a clock that is months ahead.",
    ({ strays }) => [{ value: strays }],
  );
  gauge(
    "relay_request_months_overdue",
    "Months that are in the database for two days longer than RELAY_KEEP_REQUEST_MONTHS says.",
    ({ months_overdue }) => [{ value: months_overdue }],
  );
}

/** `readRow` returns the row that was read last; null when nothing could be read. */
function addGauges(registry: Registry, readRow: () => Row | null, isWritable: () => boolean): void {
  const gauge: AddGauge = (name, help, read) =>
    registry.gauge(name, help, () => {
      const row = readRow();
      return row === null ? [] : read(row);
    });
  registry.gauge(
    "relay_database_up",
    "1 when the database answered and takes writes; without an answer the installation's metrics are absent.",
    () => [{ value: Number(readRow() !== null && isWritable()) }],
    "min",
  );
  gauge("relay_holds_open", "Open holds of all processes.", ({ holds }) => [{ value: holds }]);
  gauge("relay_holds_open_points", "Points in open holds.", ({ held }) => [
    { value: Number(held) / MICROPOINTS },
  ]);
  gauge(
    "relay_hold_oldest_seconds",
    "Age of the oldest open hold; 0 when there is none.",
    ({ oldest_seconds }) => [{ value: oldest_seconds ?? 0 }],
  );
  gauge("relay_video_tasks_open", "Video tasks that have not ended, by state.", ({ tasks }) =>
    Object.entries(tasks).map(([state, value]) => ({ labels: { state }, value })),
  );
  gauge(
    "relay_video_poll_lag_seconds",
    "How long the poll of the most overdue task is overdue.",
    ({ poll_lag_seconds }) => [{ value: poll_lag_seconds }],
  );
  gauge("relay_callbacks_pending", "Callbacks neither delivered nor given up.", ({ callbacks }) => [
    { value: callbacks },
  ]);
  gauge(
    "relay_callback_lag_seconds",
    "How long the most overdue callback is overdue.",
    ({ callback_lag_seconds }) => [{ value: callback_lag_seconds }],
  );
  const lossOf = (from: Row, cause: string) => from.losses.find((loss) => loss.cause === cause);
  gauge(
    "relay_operator_losses_day",
    "Work of the last 24 hours that could not be charged, by cause.",
    (from) =>
      lossCauses.map((cause) => ({ labels: { cause }, value: lossOf(from, cause)?.count ?? 0 })),
  );
  gauge(
    "relay_operator_losses_day_points",
    "Maximum cost in points of the work that could not be charged.",
    (from) =>
      lossCauses.map((cause) => ({
        labels: { cause },
        value: (lossOf(from, cause)?.micropoints ?? 0) / MICROPOINTS,
      })),
  );
  gauge("relay_processes", "Processes that may hold points now.", ({ processes }) => [
    { value: processes },
  ]);
  gauge(
    "relay_processes_lost",
    "Processes that have been gone for ten minutes, and whose holds or spool no other process took over.",
    ({ spools_lost }) => [{ value: spools_lost }],
  );
  addBehindGauges(gauge);
  addPartitionGauges(gauge);
  addBalanceGauges(gauge);
}

/** Returns the function that refreshes them; it never rejects. */
export function addInstallationFigures(
  registry: Registry,
  pool: Pick<pg.ClientBase, "query">,
  keep: KeptFor,
  isWritable: () => boolean,
): () => Promise<void> {
  const query = queryOf(keep);
  let row: Row | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  addGauges(registry, () => row, isWritable);

  async function read(): Promise<void> {
    row = await pool.query<Row>(query).then(
      ({ rows }) => rows[0] ?? null,
      () => null,
    );
    readAt = performance.now();
  }
  return async () => {
    if (performance.now() - readAt < FRESH_MS) return;
    reading ??= read().finally(() => {
      reading = null;
    });
    await reading;
  };
}
