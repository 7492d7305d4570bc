import { redeliverWebhook, testWebhook } from "../commands/webhook-deliveries";
import * as webhooks from "../commands/webhooks";
import type { webhookEndpoints } from "../contract/webhooks";
import { listDeliveries, listWebhooks, showWebhook } from "../queries/webhooks";
import type { ProgramDeps, UseCases } from "./use-case";

const DONE = { done: true } as const;

export const webhookUseCases: UseCases<typeof webhookEndpoints, ProgramDeps> = {
  listWebhooks: async ({ deps, user }) => ({ webhooks: await listWebhooks(deps, user.accountId) }),
  async createWebhook({ deps, body, user: { accountId, userId } }) {
    const made = await webhooks.createWebhook(deps, userId, { ...body, accountId });
    return { webhook: await showWebhook(deps, made.webhook), secret: made.secret };
  },
  async changeWebhook({ deps, id, body, user: { accountId, userId } }) {
    const webhook = await webhooks.changeWebhook(deps, userId, { ...body, id, accountId });
    return { webhook: await showWebhook(deps, webhook) };
  },
  async pauseWebhook({ deps, id, user: { accountId, userId } }) {
    const webhook = await webhooks.pauseWebhook(deps, userId, { id, accountId });
    return { webhook: await showWebhook(deps, webhook) };
  },
  async resumeWebhook({ deps, id, user: { accountId, userId } }) {
    const webhook = await webhooks.resumeWebhook(deps, userId, { id, accountId });
    return { webhook: await showWebhook(deps, webhook) };
  },
  async rotateWebhook({ deps, id, user: { accountId, userId } }) {
    const made = await webhooks.rotateWebhook(deps, userId, { id, accountId });
    return { webhook: await showWebhook(deps, made.webhook), secret: made.secret };
  },
  async removeWebhook({ deps, id, user: { accountId, userId } }) {
    await webhooks.removeWebhook(deps, userId, { id, accountId });
    return DONE;
  },
  async testWebhook({ deps, id, user: { accountId } }) {
    await testWebhook(deps, { id, accountId });
    return DONE;
  },
  listWebhookDeliveries: async ({ deps, id, user: { accountId } }) => ({
    deliveries: await listDeliveries(deps, { id, accountId }),
  }),
  async redeliverWebhook({ deps, id, user: { accountId } }) {
    await redeliverWebhook(deps, { id, accountId });
    return DONE;
  },
};
