import type { z } from "zod";
import type { TaskView, tasksQuery } from "../contract/operator-requests";
import type { Reader } from "../db/pool";
import { formatPoints } from "../money/points";
import { ownerEmail } from "./owner-email";
import type { QueryDeps } from "./query-deps";
import { type SettingsRow, settingsOfTask, settingsView } from "./result-settings";

const PAGE = 50;
const STUCK_MAX = 50;
/** After this many failed polls in a row an operator should look at the upstream. */
const FAILURES_MIN = 5;

interface TaskRow
  extends Omit<
    TaskView,
    "account" | "made" | "charged" | "held" | "createdAt" | "endedAt" | "deadline"
  > {
  readonly made: SettingsRow;
  readonly accountId: string;
  readonly email: string | null;
  readonly amount: string | null;
  readonly hold: string | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly deadline: Date | null;
}

const select = `select t.id, t.account_id as "accountId", ${ownerEmail("t.account_id")} as email, t.model, t.status, coalesce(c.name, t.channel_id) as channel, t.upstream_ref as "upstreamRef",
    t.polls, t.poll_failures as "pollFailures", t.error_code as "errorCode", r.amount, r.hold_amount as hold, t.created_at as "createdAt",
    t.ended_at as "endedAt", r.deadline, r.id is null as "isArchived", ${settingsOfTask("t")}
  from video_task t left join request_known r on r.id = t.operation_id left join channel c on c.id = t.channel_id`;

const viewOf = ({
  accountId,
  email,
  made,
  amount,
  hold,
  createdAt,
  endedAt,
  deadline,
  ...task
}: TaskRow): TaskView => ({
  ...task,
  account: { id: accountId, email },
  made: settingsView(made),
  charged: amount === null ? null : formatPoints(BigInt(amount)),
  held: hold === null ? null : formatPoints(BigInt(hold)),
  createdAt: createdAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
  deadline: deadline?.toISOString() ?? null,
});

/** The tasks of all accounts, newest first. Task ids sort by time. */
export async function listAllTasks(
  { pool }: Pick<QueryDeps, "pool">,
  query: z.output<typeof tasksQuery>,
) {
  const values: unknown[] = [PAGE + 1];
  const conditions = ["true"];
  if (query.q) conditions.push(`t.id = $${values.push(query.q)}`);
  if (query.status !== undefined) conditions.push(`t.status = $${values.push(query.status)}`);
  if (query.account !== undefined) conditions.push(`t.account_id = $${values.push(query.account)}`);
  if (query.cursor !== undefined) conditions.push(`t.id < $${values.push(query.cursor)}`);
  const { rows } = await pool.query<TaskRow>(
    `${select} where ${conditions.join(" and ")} order by t.id desc limit $1`,
    values,
  );
  const tasks = rows.slice(0, PAGE).map(viewOf);
  return { tasks, nextCursor: rows.length > PAGE ? (tasks.at(-1)?.id ?? null) : null };
}

/**
 * Tasks that are past their deadline or whose upstream does not answer, the oldest first, at most
 * 50.
 */
export async function stuckTasks(pool: Reader): Promise<TaskView[]> {
  const { rows } = await pool.query<TaskRow>(
    `${select} where t.status in ('queued', 'running') and (r.deadline < now() or t.poll_failures >= ${FAILURES_MIN}) order by t.id limit ${STUCK_MAX}`,
  );
  return rows.map(viewOf);
}
