/** The rows that are removed by age, and for how long each kind is kept. */

export interface KeepTimes {
  /** Of callbacks and webhook deliveries that have ended. */
  readonly deliveryDays: number;
  /** At least the longest window in which failures are counted, an hour. */
  readonly signInFailureHours: number;
}

export interface ShortLived {
  readonly table: string;
  /** Removes the oldest rows whose time is over, at most `$1`. */
  readonly removal: string;
  /** For how many seconds the oldest row's time has been over; null or below zero for none. */
  readonly overdue: string;
}

const NOTIFICATION_DAYS = 90;
/** As long as an upstream's bill may be disputed. */
const ATTEMPT_DAYS = 92;

/** `due` is an indexed column, or one that grows with an indexed one named by `order`. */
function byAge(table: string, key: string, due: string, kept: string, order = due): ShortLived {
  return {
    table,
    removal: `delete from ${table} where ${key} in (
      select ${key} from (select * from ${table} order by ${order} limit $1) oldest
       where ${due} < now() - ${kept})`,
    overdue: `select extract(epoch from now() - ${kept} - ${due}) from ${table} order by ${order} limit 1`,
  };
}

/** An answer that a living process still works on stays. */
const idempotentRequests: ShortLived = {
  table: "idempotent_request",
  removal: `delete from idempotent_request r where (r.account_id, r.key, r.asked_by) in (
    select e.account_id, e.key, e.asked_by from idempotent_request e where e.expires_at <= now()
      and (e.state = 'answered' or not exists (select from node n where n.id = e.node_id and n.lease_until > clock_timestamp()))
     order by e.expires_at limit $1 for update skip locked)`,
  overdue:
    "select extract(epoch from now() - expires_at) from idempotent_request order by expires_at limit 1",
};

/** Marks whose time is over, a day later. */
const told: ShortLived = {
  table: "notification_told",
  removal: `delete from notification_told where (account_id, subject) in (
    select account_id, subject from notification_told where until < now() - interval '1 day' order by until limit $1)`,
  overdue:
    "select extract(epoch from now() - interval '1 day' - until) from notification_told where until is not null order by until limit 1",
};

/** Values go with their name. The sums keep what requests were tagged with. */
const tagNames: ShortLived = {
  table: "tag_name",
  removal: `delete from tag_name where (account_id, month, name) in (
    select account_id, month, name from tag_name where month < now() - interval '13 months' order by month limit $1)`,
  overdue:
    "select extract(epoch from now() - interval '13 months' - month) from tag_name order by month limit 1",
};

const days = (count: number) => `make_interval(days => ${count})`;
const hours = (count: number) => `make_interval(hours => ${count})`;

/** One expression: a JSON object with the seconds by table. */
export const overdueOf = (keep: KeepTimes): string =>
  `json_build_object(${shortLived(keep)
    .map(({ table, overdue }) => `'${table}', greatest((${overdue}), 0)::float8`)
    .join(", ")})`;

/** A delivery ends within 16 hours, so whatever is a day old has ended. */
export const shortLived = ({ deliveryDays, signInFailureHours }: KeepTimes): ShortLived[] => [
  idempotentRequests,
  byAge("callback_delivery", "id", "created_at", days(deliveryDays), "id"),
  byAge("webhook_delivery", "id", "created_at", days(deliveryDays)),
  byAge("notification", "id", "created_at", days(NOTIFICATION_DAYS)),
  told,
  byAge("request_content", "operation_id", "expires_at", hours(0)),
  byAge("upstream_attempt", "id", "ended_at", days(ATTEMPT_DAYS)),
  tagNames,
  byAge("sign_in_failure", "id", "at", hours(signInFailureHours)),
];
