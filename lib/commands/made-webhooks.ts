import { recordAction } from "../accounts/actions";
import { may } from "../contract/member-roles";
import type { MemberRole } from "../contract/states";
import type { Transaction } from "../db/client";

/**
 * Pauses the webhooks of an account that lead where a member wished, also by a management key, unless the
 * new role may change it (null: no member any more): else this person would be told what happens there.
 */
export async function pauseMadeWebhooks(
  transaction: Transaction,
  actor: string,
  { accountId, userId }: { accountId: string; userId: string },
  { role, keepsKeys }: { role: MemberRole | null; keepsKeys: boolean },
): Promise<void> {
  if (keepsKeys || (role !== null && may(role, "changeAccount"))) return;
  const paused = await transaction.$queryRaw<{ id: string }[]>`
    update webhook_endpoint w set paused_at = now()
     where w.account_id = ${accountId} and w.paused_at is null and (
       select a.actor from operator_action a
        where a.subject = w.id and a.action in ('webhook.create', 'webhook.change')
          and a.detail #>> '{after,url}' = w.url and a.detail #>> '{before,url}' is distinct from w.url
        order by a.id desc limit 1) in (
       select ${userId} union all
       select id from management_key where account_id = ${accountId} and created_by = ${userId})
    returning w.id`;
  for (const { id } of paused)
    await recordAction(transaction, {
      actor,
      action: "webhook.pause",
      subject: id,
      detail: { account: accountId },
    });
}
