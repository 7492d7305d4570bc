import { taskStatuses } from "@/lib/contract/states";
import { checkTaskNow } from "@/lib/operator/tasks";
import { pointsNumber } from "@/lib/points";
import { findUser } from "./account";
import { type Command, UsageError } from "./command";
import type { Opened } from "./open";
import { table } from "./table";

const LIMIT_DEFAULT = 50;

interface TaskLine {
  readonly id: string;
  readonly status: string;
  readonly model: string;
  readonly account: string;
  readonly channel: string | null;
  readonly upstream_ref: string | null;
  readonly polls: number;
  readonly poll_failures: number;
  readonly error_code: string | null;
  readonly points: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

interface TaskRow extends Omit<TaskLine, "points" | "created_at" | "updated_at"> {
  readonly amount: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `t.id, t.status, t.model, t.account_id as account, coalesce(c.name, t.channel_id) as channel, t.upstream_ref, t.polls, t.poll_failures,
  t.error_code, s.amount, t.created_at as "createdAt", t.updated_at as "updatedAt"`;
const source = "video_task t left join settlement s on s.operation_id = t.operation_id left join channel c on c.id = t.channel_id";

function lineOf({ amount, createdAt, updatedAt, ...row }: TaskRow): TaskLine {
  return {
    ...row,
    points: amount === null ? null : pointsNumber(BigInt(amount)),
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

const list: Command = {
  usage: "[--email E] [--status S] [--limit N]",
  options: { email: "string", status: "string", limit: "string" },
  async run(opened, given) {
    const email = given.optional("email");
    const status = given.optional("status");
    if (status !== null && !taskStatuses.some((each) => each === status))
      throw new UsageError(`--status is one of ${taskStatuses.join(", ")}`);
    const limit = given.whole("limit") ?? LIMIT_DEFAULT;
    if (limit < 1) throw new UsageError("--limit must be at least 1");
    const accountId = email === null ? null : (await findUser(opened, email)).accountId;
    const { rows } = await opened.pool.query<TaskRow>(
      `select ${columns} from ${source}
        where ($1::text is null or t.account_id = $1) and ($2::text is null or t.status = $2) order by t.created_at desc, t.id desc limit $3`,
      [accountId, status, limit],
    );
    const tasks = rows.map(lineOf);
    const short = tasks.map(({ id, status: state, model, channel, points, created_at }) => ({
      id,
      status: state,
      model,
      channel,
      points,
      created_at,
    }));
    return { json: { tasks }, text: table(short) };
  },
};

async function findTask(opened: Opened, id: string) {
  const { rows } = await opened.pool.query(
    `select ${columns}, t.operation_id, t.submit_state, t.spec, t.media_id, t.result_expires_at, t.lease_owner, t.lease_until, t.next_poll_at, t.hidden_at,
            o.hold_amount, (select coalesce(json_agg(l.cause), '[]') from operator_loss l where l.operation_id = t.operation_id) as losses
       from ${source} join operation o on o.id = t.operation_id where t.id = $1`,
    [id],
  );
  return rows[0];
}

const show: Command = {
  usage: "--id cgt-…",
  options: { id: "string" },
  async run(opened, given) {
    const id = given.text("id");
    const found = await findTask(opened, id);
    if (!found) throw new Error(`There is no task ${id}.`);
    const { hold_amount, ...rest } = found;
    const task: Record<string, unknown> = { ...lineOf(rest), held_points: pointsNumber(BigInt(hold_amount)) };
    const lines = Object.entries(task).map(([name, value]) => {
      const text =
        value instanceof Date
          ? value.toISOString()
          : typeof value === "object" && value !== null
            ? JSON.stringify(value)
            : String(value ?? "–");
      return { field: name, value: text };
    });
    return { json: { task }, text: table(lines) };
  },
};

const check: Command = {
  usage: "--id cgt-…   (asks the upstream at once)",
  options: { id: "string" },
  async run(opened, given) {
    await checkTaskNow(opened.database, { id: given.text("id"), actor: "cli" });
    return show.run(opened, given);
  },
};

export const taskCommands = { list, show, check };
