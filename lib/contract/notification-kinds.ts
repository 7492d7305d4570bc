import { type NotificationKind, notificationKinds } from "./states";

interface KindRule {
  /** Whether people get a mail who have not chosen. */
  readonly byMail: boolean;
}

/** Every kind of notification. Who gets one: everyone of the account, or the person it is about. */
export const kindRules: Readonly<Record<NotificationKind, KindRule>> = {
  balance_low: { byMail: true },
  key_budget: { byMail: true },
  key_paused: { byMail: true },
  key_expiring: { byMail: true },
  payment_paid: { byMail: true },
  payment_failed: { byMail: true },
  topup_paused: { byMail: true },
  task_finished: { byMail: false },
  device_new: { byMail: true },
  price_change: { byMail: true },
  webhook_paused: { byMail: true },
};

export const mailedByDefault = notificationKinds.filter((kind) => kindRules[kind].byMail);

/** The `type` of a kind's webhook, such as `balance.low`. */
export const eventOf = (kind: NotificationKind): string => kind.replace("_", ".");
