import type { Database } from "../db/client";
import { recordAction } from "./actions";

/** Lets client libraries' retries of the account join the video or image that they repeat, or makes each an order of its own. */
export async function changeRetryJoins(
  database: Database,
  { accountId, joinsRetries, actor }: { accountId: string; joinsRetries: boolean; actor: string },
): Promise<void> {
  const { joinsRetries: before } = await database.account.findUniqueOrThrow({ where: { id: accountId } });
  if (before === joinsRetries) return;
  await database.account.update({ where: { id: accountId }, data: { joinsRetries } });
  await recordAction(database, {
    actor,
    action: "account.retry_joins",
    subject: accountId,
    before: { joinsRetries: before },
    after: { joinsRetries },
  });
}
