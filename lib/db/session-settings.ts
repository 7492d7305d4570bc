/**
 * What a session of the product has set after connecting, whatever its role, its database or a
 * pooler's last client has set: statements mean the same everywhere, bounds on time are ours, and a
 * commit is on disk.
 */

/** In milliseconds. A pooler refuses these at the start of a connection, so they are set after it. */
const bounds = [
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
  "idle_session_timeout",
] as const;
export type Bounds = Partial<Record<(typeof bounds)[number], unknown>>;

/** Of newer servers only: an older one refuses the name. */
const newBound = `case when current_setting('transaction_timeout', true) is not null
  then set_config('transaction_timeout', '0', false) end`;

/**
 * A commit that is acknowledged is on disk, whatever the role has set; `remote_apply` waits for more than
 * that.
 */
const durable = `set_config('synchronous_commit',
  case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, false)`;

/** What changes the meaning of a statement, or the form of a value in an answer. */
const meaning = {
  search_path: "public",
  TimeZone: "UTC",
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  bytea_output: "hex",
  extra_float_digits: "1",
  standard_conforming_strings: "on",
  transform_null_equals: "off",
  array_nulls: "on",
  quote_all_identifiers: "off",
  default_transaction_isolation: "read committed",
  default_transaction_deferrable: "off",
};

/** The columns of a query that set all of it. Takes the bounds out of the driver's parameters. */
export function sessionColumns(parameters: Bounds): string[] {
  const times = bounds.map((name) => [name, String(Number(parameters[name]) || 0)]);
  for (const name of bounds) parameters[name] = false;
  const own = [...Object.entries(meaning), ...times].map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  );
  return [...own, newBound, durable];
}
