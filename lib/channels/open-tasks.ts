import { openTaskStatuses } from "../contract/states";
import type { Transaction } from "../db/client";

/** The video tasks of a channel that have not ended; with a name, those ordered with that credential. */
export const countOpenTasks = (transaction: Transaction, channelId: string, credential?: string) =>
  transaction.videoTask.count({
    where: {
      channelId,
      status: { in: [...openTaskStatuses] },
      ...(credential !== undefined && { channelCredential: credential }),
    },
  });
