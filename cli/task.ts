import { openArchivedRequests } from "@/lib/archive/archived-requests";
import { checkTask } from "@/lib/commands/tasks";
import { taskStatuses } from "@/lib/contract/states";
import { pointsNumber } from "@/lib/money/points";
import { findTaskRow, newestTasks, type TaskRow } from "@/lib/queries/stored-tasks";
import { findTask } from "@/lib/queries/tasks";
import { findUserByEmail } from "@/lib/queries/users";
import { hideResult } from "@/lib/results/kept-settings";
import { ACCOUNT, accountNamed } from "./account-option";
import { actor, type Command, UsageError } from "./command";
import { table } from "./table";
import { withBlobs } from "./with-blobs";

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
  /** Null before there is a charge, and when the request is archived. */
  readonly points: number | null;
  readonly archived: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

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
  async run(installation, flags) {
    const email = flags.optional("email");
    const status = flags.optional("status");
    if (status !== null && !taskStatuses.some((each) => each === status))
      throw new UsageError(`--status must be one of ${taskStatuses.join(", ")}`);
    const limit = flags.whole("limit") ?? LIMIT_DEFAULT;
    if (limit < 1) throw new UsageError("--limit must be at least 1");
    const accountId =
      email === null ? null : (await findUserByEmail(installation, email)).accountId;
    const tasks = (await newestTasks(installation.pool, { accountId, status, limit })).map(lineOf);
    const short = tasks.map(
      ({ id, status: state, model, channel, archived, created_at, ...task }) => ({
        id,
        status: state,
        model,
        channel,
        points: archived ? "archived" : task.points,
        created_at,
      }),
    );
    return { json: { tasks }, text: table(short) };
  },
};

const show: Command = {
  usage: "--id cgt-…",
  options: { id: "string" },
  async run(installation, flags) {
    const id = flags.text("id");
    const found = await findTaskRow(installation.pool, id);
    if (found === null) throw new Error(`There is no task ${id}.`);
    const { hold_amount, ...rest } = found;
    const task: Record<string, unknown> = {
      ...lineOf(rest),
      held_points: hold_amount === null ? null : pointsNumber(BigInt(hold_amount)),
    };
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
  usage: "--id cgt-…   (polls the upstream at once)",
  options: { id: "string" },
  async run(installation, flags) {
    await checkTask(installation, actor, { id: flags.text("id") });
    return show.run(installation, flags);
  },
};

const remove: Command = {
  usage: `--id T ${ACCOUNT}; hides an ended video or image from its account's list`,
  options: { id: "string", account: "string" },
  async run(installation, flags) {
    const accountId = await accountNamed(installation, flags);
    const { settings, pool } = installation;
    const { task } = await withBlobs(settings, (blobs) =>
      findTask(
        { ...installation, archive: openArchivedRequests(pool, blobs) },
        { accountId, id: flags.text("id"), reader: null },
      ),
    );
    await hideResult(pool, task.family, accountId, task.id);
    return { json: { removed: task.id }, text: `${task.id} is removed from the list.` };
  },
};

export const taskCommands = { list, show, check, remove };
