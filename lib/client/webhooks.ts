import { queryOptions, useQuery } from "@tanstack/react-query";
import type { NotificationKind } from "../contract/states";
import { webhookEndpoints } from "../contract/webhooks";
import { call } from "./call";
import { reading } from "./read";
import { useWrite } from "./write";

const LOG_EVERY_MS = 3000;

export const webhooksQuery = reading(["webhooks"], webhookEndpoints.listWebhooks, {});

const logQuery = (id: string) =>
  queryOptions({
    queryKey: ["webhooks", id, "log"],
    queryFn: ({ signal }) => call(webhookEndpoints.listWebhookDeliveries, { id, signal }),
    refetchInterval: LOG_EVERY_MS,
  });

export const useDeliveries = (id: string) => useQuery(logQuery(id));

/** `isSecret`: the answer has the endpoint's secret. */
const useWebhookWrite = <Input, Answer>(
  send: (input: Input) => Promise<Answer>,
  isSecret = false,
) => useWrite(send, webhooksQuery.queryKey, isSecret);

export interface WebhookTerms {
  readonly url: string;
  readonly kinds: NotificationKind[];
}

export const useCreateWebhook = () =>
  useWebhookWrite((body: WebhookTerms) => call(webhookEndpoints.createWebhook, { body }), true);
export const useChangeWebhook = (id: string) =>
  useWebhookWrite((body: WebhookTerms) => call(webhookEndpoints.changeWebhook, { id, body }));
export const useRotateWebhook = (id: string) =>
  useWebhookWrite(() => call(webhookEndpoints.rotateWebhook, { id }), true);
export const useRemoveWebhook = (id: string) =>
  useWebhookWrite(() => call(webhookEndpoints.removeWebhook, { id }));
export const useTestWebhook = (id: string) =>
  useWebhookWrite(() => call(webhookEndpoints.testWebhook, { id }));
export const useSwitchWebhook = (id: string) =>
  useWebhookWrite((isOn: boolean) =>
    call(isOn ? webhookEndpoints.resumeWebhook : webhookEndpoints.pauseWebhook, { id }),
  );
export const useRedeliver = () =>
  useWebhookWrite((id: string) => call(webhookEndpoints.redeliverWebhook, { id }));
