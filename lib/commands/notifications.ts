import type { Locale } from "@/messages/locales";
import { recordAction } from "../accounts/actions";
import { assertRoleOf } from "../accounts/actor-rules";
import type { NotificationKind } from "../contract/states";
import { inDatabaseTransaction } from "../db/transaction";
import type { CommandDeps } from "./command-deps";

interface Choice {
  readonly userId: string;
  readonly accountId: string;
  /** In which the chooser reads the pages; the mails follow it. Absent: as before. */
  readonly locale?: Locale;
  readonly mails?:
    | readonly { readonly kind: NotificationKind; readonly byMail: boolean }[]
    | undefined;
  /** Null for never. */
  readonly lowBalanceDays?: number | null | undefined;
}

/** Chooses what a person gets mails about, and when the account's balance is low. */
export function chooseNotifications(
  { database }: Pick<CommandDeps, "database">,
  actor: string,
  { userId, accountId, locale, mails = [], lowBalanceDays }: Choice,
): Promise<void> {
  return inDatabaseTransaction(database, async (transaction) => {
    if (locale !== undefined)
      await transaction.user.update({ where: { id: userId }, data: { locale } });
    for (const { kind, byMail } of mails)
      await transaction.notificationChoice.upsert({
        where: { userId_kind: { userId, kind } },
        create: { userId, kind, byMail },
        update: { byMail },
      });
    // When the balance is low is the account's, for all of its members.
    if (lowBalanceDays !== undefined) {
      const needed = { accountId, permission: "changeAccount" } as const;
      await assertRoleOf(transaction, actor, needed, "lowBalanceDays");
      await transaction.account.update({ where: { id: accountId }, data: { lowBalanceDays } });
    }
    const after = {
      ...Object.fromEntries(mails.length > 0 ? [["byMail", named(mails)]] : []),
      ...(lowBalanceDays === undefined ? {} : { lowBalanceDays }),
    };
    await recordAction(transaction, actor, "notification.choose", userId, { after });
  });
}

const named = (mails: NonNullable<Choice["mails"]>) =>
  Object.fromEntries(mails.map(({ kind, byMail }) => [kind, byMail]));
