import { may, type Permission } from "./member-roles";
import { type MemberRole, type NotificationKind, notificationKinds, operatorKinds } from "./states";

interface KindRule {
  /** Whether people get a mail who have not chosen. */
  readonly byMail: boolean;
  /** What a member needs to be told; null where it is about the person. */
  readonly needs: Permission | null;
}

/** Every kind of notification. Who gets one: the account's members who may, or the person it is about. */
export const kindRules: Readonly<Record<NotificationKind, KindRule>> = {
  balance_low: { byMail: true, needs: "readAccount" },
  key_budget: { byMail: true, needs: "readKeys" },
  member_budget: { byMail: true, needs: "manageMembers" },
  own_budget: { byMail: true, needs: null },
  tag_budget: { byMail: true, needs: "readUsage" },
  key_paused: { byMail: true, needs: "readKeys" },
  key_expiring: { byMail: true, needs: "readKeys" },
  points_ending: { byMail: true, needs: "readPoints" },
  payment_paid: { byMail: true, needs: "readPoints" },
  payment_failed: { byMail: true, needs: "readPoints" },
  topup_paused: { byMail: true, needs: "readPoints" },
  plan_unpaid: { byMail: true, needs: "readPoints" },
  task_finished: { byMail: false, needs: "readUsage" },
  device_new: { byMail: true, needs: null },
  price_change: { byMail: true, needs: "readUsage" },
  webhook_paused: { byMail: true, needs: "readWebhooks" },
  channel_down: { byMail: true, needs: null },
  channel_back: { byMail: true, needs: null },
  credential_refused: { byMail: true, needs: null },
  upstream_balance: { byMail: true, needs: null },
  upstream_low: { byMail: true, needs: null },
  upstream_refilled: { byMail: true, needs: null },
  audit_failed: { byMail: true, needs: null },
  spool_used: { byMail: true, needs: null },
};

export const mailedByDefault = notificationKinds.filter((kind) => kindRules[kind].byMail);

/** The kinds sent to members with the role, besides those about the person. */
export const kindsFor = (role: MemberRole): NotificationKind[] =>
  notificationKinds.filter((kind) => {
    const { needs } = kindRules[kind];
    return needs !== null && may(role, needs);
  });

type CustomerKind = Exclude<NotificationKind, (typeof operatorKinds)[number]>;

/** The kinds that anybody may choose: the others are for operators only. */
export const customerKinds = notificationKinds.filter(
  (kind): kind is CustomerKind => !operatorKinds.some((each) => each === kind),
);

/** The `type` of a kind's webhook, such as `balance.low`. */
export const eventOf = (kind: NotificationKind): string => kind.replace("_", ".");
