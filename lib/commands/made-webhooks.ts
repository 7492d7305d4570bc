import { recordAction } from "../accounts/actions";
import { may } from "../contract/member-roles";
import type { MemberRole } from "../contract/states";
import type { Transaction } from "../db/client";

/** Pauses the webhooks of an account that lead where `maker` wished: a member, or a management key. */
export async function pauseWebhooksOf(
  transaction: Transaction,
  actor: string,
  { accountId, maker }: { accountId: string; maker: string },
): Promise<void> {
  const paused = await transaction.$queryRaw<{ id: string }[]>`
    select webhook_pause_made(${accountId}, ${maker}) as id`;
  for (const { id } of paused)
    await recordAction(transaction, actor, "webhook.pause", id, { detail: { account: accountId } });
}

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
  await pauseWebhooksOf(transaction, actor, { accountId, maker: userId });
}
