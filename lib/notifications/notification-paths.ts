/** On which page something can be done about what a notification says. */
import { dataOf } from "../contract/notification-data";
import type { NotificationKind } from "../contract/states";

const paths: Readonly<Record<NotificationKind, string | ((data: unknown) => string)>> = {
  balance_low: "/points",
  key_budget: "/keys",
  member_budget: "/members",
  own_budget: "/members",
  tag_budget: "/members",
  key_paused: "/keys",
  key_expiring: "/keys",
  points_ending: "/points",
  payment_paid: "/points",
  payment_failed: "/points",
  topup_paused: "/points",
  plan_unpaid: "/points",
  task_finished: (data) => `/tasks/${dataOf.task_finished.parse(data).task}`,
  device_new: "/settings",
  price_change: "/pricing",
  webhook_paused: "/notifications",
  channel_down: "/admin/channels",
  channel_back: "/admin/channels",
  credential_refused: "/admin/channels",
  upstream_balance: "/admin/channels",
  upstream_low: "/admin/channels",
  upstream_refilled: "/admin/channels",
  audit_failed: "/admin",
  spool_used: "/admin",
};

export function pathOf(kind: NotificationKind, data: unknown): string {
  const path = paths[kind];
  return typeof path === "string" ? path : path(data);
}
