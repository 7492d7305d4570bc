import { openTaskStatuses } from "../contract/states";
import type { Transaction } from "../db/client";

/** The video tasks that the channel's upstream has and that have not ended. */
export const countOpenTasks = (transaction: Transaction, channelId: string) =>
  transaction.videoTask.count({ where: { channelId, status: { in: [...openTaskStatuses] } } });
