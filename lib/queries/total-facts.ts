/**
 * The ended requests of all accounts as rows that can be added up: the sums of days and hours, and
 * single requests that are in no sum yet. Each request is in exactly one row of a statement.
 */

const columns =
  "r.model, r.channel_id, r.settled, r.released, r.input_tokens, r.output_tokens, r.amount";
const waitingRows = "usage_waiting w join usage_row r on r.id = w.operation_id where";

/** By the day (UTC) on which they ended, from the midnight `$1` on. */
export const endedDays = `days (day, model, channel_id, settled, released, input_tokens, output_tokens, amount) as (
  select r.day, ${columns} from usage_total_day r where r.day >= ($1::timestamptz at time zone 'UTC')::date
  union all
  select (r.ended_at at time zone 'UTC')::date, ${columns} from ${waitingRows} r.ended_at >= $1)`;

const hourColumns = "r.model, r.hour, r.settled, r.released, r.failed, r.amount";

/** By the hour (UTC) in which they were made, from the hour `$1` on. */
export const madeHours = `hours (model, hour, settled, released, failed, amount) as (
  select ${hourColumns} from usage_total_hour r where r.hour >= $1
  union all
  select ${hourColumns} from ${waitingRows} r.created_at >= $1)`;

const arrays = "r.model, array[r.latency], array[r.first_token]";

/** The histograms of the days (UTC) on which they ended, from the midnight before `$1` on. Entries may be null. */
export const endedTimes = `times (model, latency, first_token) as (
  select r.model, r.latency, r.first_token from usage_total_day r where r.day >= ($1::timestamptz at time zone 'UTC')::date
  union all
  select ${arrays} from ${waitingRows} r.ended_at >= $1)`;
