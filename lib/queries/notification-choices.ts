import { customerKinds, kindRules } from "../contract/notification-kinds";
import type { NotificationChoices } from "../contract/notifications";
import { notificationKinds } from "../contract/states";
import type { QueryDeps } from "./query-deps";

/** What a person gets mails about, and where mails go at all. */
export async function notificationChoices(
  { database, settings }: Pick<QueryDeps, "database" | "settings">,
  { userId, accountId, isOperator }: { userId: string; accountId: string; isOperator: boolean },
): Promise<NotificationChoices> {
  const [user, account, chosen] = await Promise.all([
    database.user.findUniqueOrThrow({
      where: { id: userId },
      select: { emailVerifiedAt: true },
    }),
    database.account.findUniqueOrThrow({
      where: { id: accountId },
      select: { lowBalanceDays: true },
    }),
    database.notificationChoice.findMany({ where: { userId } }),
  ]);
  const verified = user.emailVerifiedAt === null ? "unverified" : "on";
  return {
    mail: settings.SMTP_URL === undefined ? "off" : verified,
    lowBalanceDays: account.lowBalanceDays,
    kinds: (isOperator ? notificationKinds : customerKinds).map((kind) => ({
      kind,
      byMail: chosen.find((each) => each.kind === kind)?.byMail ?? kindRules[kind].byMail,
    })),
  };
}
