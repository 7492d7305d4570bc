import { recordAction } from "../accounts/actions";
import { countOpenTasks } from "../channels/open-tasks";
import { channelView, findChannelRow, noSuchChannel } from "../channels/stored-channels";
import { HOLD_DAYS_MAX } from "../contract/limits";
import { firstOperationId } from "../crypto/ids";
import type { Transaction } from "../db/client";
import type { Channel as ChannelRow } from "../db/generated/client";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import type { CommandDeps } from "./command-deps";
import { toldChannel } from "./told-channel";

type Deps = Pick<CommandDeps, "database">;

const HOLD_MS_MAX = HOLD_DAYS_MAX * 24 * 3_600_000;

async function isReferenced(transaction: Transaction, row: ChannelRow): Promise<boolean> {
  if (
    row.firstUsedAt !== null ||
    (await transaction.videoTask.count({ where: { channelId: row.id } })) > 0
  )
    return true;
  // A request can name the channel only if it was open after the channel was created.
  const since = firstOperationId(row.createdAt.getTime() - HOLD_MS_MAX);
  const where = { id: { gte: since }, channelId: row.id };
  return (
    (await transaction.request.findFirst({ where, select: { id: true } })) !== null ||
    // Requests of old months may be only in archived files; the sums have them.
    (await transaction.usageTotalDay.findFirst({
      where: { channelId: row.id },
      select: { day: true },
    })) !== null
  );
}

/**
 * Deletes a channel that was never used. Any other is archived: its credential is destroyed, and
 * its row stays because requests refer to it. Rejects with `not_found`, or with `invalid_value`
 * while the channel is active or has work in progress.
 */
export function removeChannel(
  { database }: Deps,
  actor: string,
  { id }: { id: string },
): Promise<"deleted" | "archived"> {
  return inDatabaseTransaction(database, async (transaction) => {
    const row = await findChannelRow(transaction, id);
    if (row.isEnabled)
      throw new RelayError("invalid_value", {
        message: `${row.name} is active: drain or disable it first.`,
        fault: { name: "channel_takes_work" },
      });
    const open = await countOpenTasks(transaction, id);
    if (open > 0)
      throw new RelayError("invalid_value", {
        message: `${row.name} still has ${open} open video tasks: wait until they have ended.`,
        fault: { name: "channel_has_tasks", count: open },
      });
    const isUsed = await isReferenced(transaction, row);
    const where = { id, isEnabled: false };
    const gone = {
      archivedAt: new Date(),
      drainingSince: null,
      credential: null,
      credentialNonce: null,
      credentials: [],
      proxyCredential: null,
    };
    const { count } = isUsed
      ? await transaction.channel.updateMany({ where, data: gone })
      : await transaction.channel.deleteMany({ where });
    if (count === 0) throw noSuchChannel(id);
    const action = isUsed ? "channel.archive" : "channel.delete";
    await recordAction(transaction, actor, action, id, {
      detail: { before: toldChannel(channelView(row)) },
    });
    return isUsed ? "archived" : "deleted";
  });
}
