/** Requests to `/api/webhooks` and their answers. */
import { z } from "zod";
import { answerRows, answerText, done, moment } from "./bounds";
import { callbackAddress } from "./media-fields";
import { byUser, get, type PageEndpoints, patch, post, remove } from "./page-endpoint";
import { notificationKinds, sendingStates } from "./states";

const kind = z.enum(notificationKinds);
const kinds = z.array(kind).min(1).max(notificationKinds.length);

const webhook = z.object({
  id: answerText,
  url: answerText,
  kinds: answerRows(kind),
  createdAt: moment,
  /** Since when nothing was accepted. */
  failingSince: moment.nullable(),
  pausedAt: moment.nullable(),
  /** Whether the secret was shown to who may not have it any more: a member who left, a revoked key. */
  needsRotation: z.boolean(),
});

const delivery = z.object({
  id: answerText,
  /** Null for a test. */
  kind: kind.nullable(),
  createdAt: moment,
  state: z.enum(sendingStates),
  attempts: z.number().int(),
  /** An HTTP status, or `no answer`; null before the first attempt. */
  lastAnswer: answerText.nullable(),
});

const one = z.object({ webhook });

export const webhookEndpoints = {
  listWebhooks: {
    ...get("/api/webhooks", byUser("readWebhooks", "webhooks:read")),
    command: "webhook list",
    answer: z.object({ webhooks: answerRows(webhook) }),
  },
  createWebhook: {
    ...post("/api/webhooks", byUser("changeAccount", "webhooks:write")),
    command: "webhook create",
    proof: "recent",
    status: 201,
    body: z.strictObject({ url: callbackAddress, kinds }),
    // `secret` is in this answer and in that of a rotation only.
    answer: one.extend({ secret: answerText }),
  },
  changeWebhook: {
    ...patch("/api/webhooks/{id}", byUser("changeAccount", "webhooks:write")),
    command: "webhook change",
    proof: "recent",
    body: z
      .strictObject({ url: callbackAddress.optional(), kinds: kinds.optional() })
      .refine(
        (change) => Object.values(change).some((value) => value !== undefined),
        "send at least one field to change",
      ),
    answer: one,
  },
  pauseWebhook: {
    ...post("/api/webhooks/{id}/pause", byUser("changeAccount", "webhooks:write")),
    command: "webhook pause",
    answer: one,
  },
  resumeWebhook: {
    ...post("/api/webhooks/{id}/resume", byUser("changeAccount", "webhooks:write")),
    command: "webhook resume",
    proof: "recent",
    answer: one,
  },
  rotateWebhook: {
    ...post("/api/webhooks/{id}/rotate", byUser("changeAccount", "webhooks:write")),
    command: "webhook rotate",
    proof: "recent",
    answer: one.extend({ secret: answerText }),
  },
  removeWebhook: {
    ...remove("/api/webhooks/{id}", byUser("changeAccount", "webhooks:write")),
    command: "webhook remove",
    answer: done,
  },
  testWebhook: {
    ...post("/api/webhooks/{id}/test", byUser("changeAccount", "webhooks:write")),
    command: "webhook test",
    answer: done,
  },
  listWebhookDeliveries: {
    ...get("/api/webhooks/{id}/deliveries", byUser("readWebhooks", "webhooks:read")),
    command: "webhook deliveries",
    answer: z.object({ deliveries: answerRows(delivery) }),
  },
  redeliverWebhook: {
    ...post("/api/webhook-deliveries/{id}/again", byUser("changeAccount", "webhooks:write")),
    command: "webhook redeliver",
    answer: done,
  },
} as const satisfies PageEndpoints;

export type WebhookView = z.infer<typeof webhook>;
export type WebhookDeliveryView = z.infer<typeof delivery>;
