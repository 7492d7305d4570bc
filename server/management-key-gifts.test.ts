/** What a management key gave ends with it, by the rule for members: who revokes it may keep keys and webhooks. */
import { expect, test } from "vitest";
import { revokeManagementKey } from "@/lib/commands/management-keys";
import { changeMemberRole } from "@/lib/commands/members";
import { createWebhook, rotateWebhook } from "@/lib/commands/webhooks";
import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { managementKeyViews } from "@/lib/queries/management-keys";
import { listWebhooks } from "@/lib/queries/webhooks";
import { managedSite } from "@/testing/composition/managed-site";

const site = await managedSite();
const { ask, create, composed } = site;
const { accountId, database } = composed;
const hook = { url: "https://example.com/told", kinds: ["balance_low"] as const };
const inUse = (id: string) => database.apiKey.count({ where: { id, revokedAt: null } });
const webhookOf = async (id: string) =>
  (await listWebhooks(pagesDeps(), accountId)).find((webhook) => webhook.id === id);
const removeWebhooks = () => database.webhookEndpoint.deleteMany({ where: { accountId } });
const revoke = (keepsKeys: boolean) =>
  revokeManagementKey(composed, "test", { id: site.manager.id, accountId, keepsKeys });
const ownerId = async () =>
  (await database.accountMember.findFirstOrThrow({ where: { accountId, role: "owner" } })).userId;

test.each([false, true])(
  "API keys and webhooks that a management key made go with it, unless they are kept (%s)",
  async (keepsKeys) => {
    const made = (await create()).json.id;
    const { webhook } = (await ask("POST", "/v1/account/webhooks", hook)).json;
    const other = await createWebhook(pagesDeps(), await ownerId(), { ...hook, accountId });
    const [shown] = await managementKeyViews(pagesDeps(), accountId);
    expect(shown).toMatchObject({ id: site.manager.id, made: 2 });
    expect((await webhookOf(webhook.id))?.needsRotation).toBe(false);
    await revoke(keepsKeys);
    expect([await inUse(made), await inUse(composed.key.id)]).toEqual([keepsKeys ? 1 : 0, 1]);
    const told = await webhookOf(webhook.id);
    expect([told?.pausedAt === null, told?.needsRotation]).toEqual([keepsKeys, true]);
    expect(await webhookOf(other.webhook.id)).toMatchObject({
      pausedAt: null,
      needsRotation: false,
    });
    // Revoked first and kept, it may still be taken later.
    await revoke(false);
    expect(await inUse(made)).toBe(0);
    expect((await webhookOf(webhook.id))?.pausedAt).not.toBeNull();
    await removeWebhooks();
  },
);

test("a webhook says when its secret is known to who may not have it any more, until there is a new one", async () => {
  const stranger = { accountId: { not: accountId } };
  const { id: userId } = await database.user.findFirstOrThrow({ where: stranger });
  await database.accountMember.create({ data: { accountId, userId, role: "admin" } });
  const { webhook } = await createWebhook(pagesDeps(), await ownerId(), { ...hook, accountId });
  const named = { id: webhook.id, accountId };
  await rotateWebhook(pagesDeps(), userId, named);
  expect((await webhookOf(webhook.id))?.needsRotation).toBe(false);
  const input = { accountId, userId, role: "viewer", keepsKeys: true } as const;
  await changeMemberRole(composed, "test", input);
  expect((await webhookOf(webhook.id))?.needsRotation).toBe(true);
  await rotateWebhook(pagesDeps(), await ownerId(), named);
  expect((await webhookOf(webhook.id))?.needsRotation).toBe(false);
  await removeWebhooks();
});
