/** Sums of what the log charged, by day: the time before, which is no part of the books. */
import { noteMoved } from "../commands/note-moved";
import { MODEL_LENGTH_MAX } from "../contract/limits";
import { transact } from "../db/transaction";
import type { ImportContext } from "./context";
import { pointsOfQuota } from "./rate";
import { isCharge, isGivenBack } from "./ratios";
import { moment, type SourceRow, text, whole } from "./sources/source";

/** Rows whose sums are written in one transaction. */
const ROWS_PER_WRITE = 50_000;

interface DaySum {
  readonly accountId: string;
  readonly day: string;
  readonly model: string;
  readonly apiKeyId: string;
  requests: bigint;
  input: bigint;
  output: bigint;
  quota: bigint;
}

/** What is read and not written yet. */
interface Pending {
  readonly sums: Map<string, DaySum>;
  rows: number;
  charges: number;
  last: bigint;
}

const nothing = (last: bigint): Pending => ({ sums: new Map(), rows: 0, charges: 0, last });

/** False for a line of a user who did not move. */
function add({ moved }: ImportContext, { sums }: Pending, row: SourceRow): boolean {
  const accountId = moved.users.get(text(row, "user_id"));
  if (accountId === undefined) return false;
  const day = (moment(row, "created_at") ?? new Date(0)).toISOString().slice(0, 10);
  const model = text(row, "model_name").slice(0, MODEL_LENGTH_MAX);
  const apiKeyId = moved.keys.get(text(row, "token_id")) ?? "";
  const key = `${accountId} ${day} ${apiKeyId} ${model}`;
  let sum = sums.get(key);
  if (sum === undefined) {
    sum = { accountId, day, model, apiKeyId, requests: 0n, input: 0n, output: 0n, quota: 0n };
    sums.set(key, sum);
  }
  sum.requests += 1n;
  sum.input += whole(row, "prompt_tokens");
  sum.output += whole(row, "completion_tokens");
  sum.quota += whole(row, "quota");
  return true;
}

/** The sums, and how far the log is read, in one commit. */
async function write({ client, source, actor }: ImportContext, pending: Pending): Promise<void> {
  const sums = [...pending.sums.values()];
  const column = <Value>(of: (sum: DaySum) => Value) => sums.map(of);
  await client.query(
    `insert into import_usage as u (source, account_id, day, model, api_key_id, requests, input_tokens, output_tokens, quota)
     select $1, * from unnest($2::text[], $3::date[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[])
     on conflict (source, account_id, day, model, api_key_id) do update
       set requests = u.requests + excluded.requests, input_tokens = u.input_tokens + excluded.input_tokens,
           output_tokens = u.output_tokens + excluded.output_tokens, quota = u.quota + excluded.quota`,
    [
      source.name,
      column(({ accountId }) => accountId),
      column(({ day }) => day),
      column(({ model }) => model),
      column(({ apiKeyId }) => apiKeyId),
      column(({ requests }) => requests),
      column(({ input }) => input),
      column(({ output }) => output),
      column(({ quota }) => quota),
    ],
  );
  await client.query("update import_source set logs_to = $2 where name = $1", [
    source.name,
    pending.last,
  ]);
  if (pending.charges > 0)
    await noteMoved(client, actor, { source: source.name, what: "logs", count: pending.charges });
}

/** Counts the lines after `logsTo`. */
export async function moveLogs(context: ImportContext, logsTo: bigint): Promise<void> {
  const { client, from, report, isDry, source } = context;
  let pending = nothing(logsTo);
  const flush = async () => {
    if (!isDry && pending.rows > 0) await transact(client, () => write(context, pending));
    pending = nothing(pending.last);
    report.progress("logs");
  };
  for await (const rows of from.rows("logs", logsTo)) {
    for (const row of rows) {
      pending.last = whole(row, "id");
      pending.rows++;
      if (isGivenBack(row))
        report.remark(
          "logs",
          `${text(row, "id")}: ${whole(row, "quota")}`,
          "gives a charge back: not in the sums, which are of what was charged",
        );
      if (!isCharge(row)) continue;
      report.counts.logs.found++;
      if (!add(context, pending, row)) {
        report.leave("logs", text(row, "id"), "its user did not move");
        continue;
      }
      pending.charges++;
      report.took("logs", { quota: whole(row, "quota") });
    }
    if (pending.rows >= ROWS_PER_WRITE) await flush();
  }
  await flush();
  report.counts.logs.points = pointsOfQuota(report.counts.logs.quota, source.quotaPerPoint);
}
