import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { NotificationKind } from "../contract/states";
import { webhookEndpoints } from "../contract/webhooks";
import { call } from "./call";

const LOG_EVERY_MS = 3000;

export const webhooksQuery = queryOptions({
  queryKey: ["webhooks"],
  queryFn: ({ signal }) => call(webhookEndpoints.listWebhooks, { signal }),
});

const logQuery = (id: string) =>
  queryOptions({
    queryKey: ["webhooks", id, "log"],
    queryFn: ({ signal }) => call(webhookEndpoints.listWebhookDeliveries, { id, signal }),
    refetchInterval: LOG_EVERY_MS,
  });

export const useDeliveries = (id: string) => useQuery(logQuery(id));

/** `keepsNothing`: the answer has a secret, which must not stay in the cache. */
function useWebhookMutation<Input, Answer>(
  send: (input: Input) => Promise<Answer>,
  keepsNothing = false,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: () => client.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
    ...(keepsNothing && { gcTime: 0 }),
  });
}

export interface WebhookTerms {
  readonly url: string;
  readonly kinds: NotificationKind[];
}

export const useCreateWebhook = () =>
  useWebhookMutation((body: WebhookTerms) => call(webhookEndpoints.createWebhook, { body }), true);
export const useChangeWebhook = (id: string) =>
  useWebhookMutation((body: WebhookTerms) => call(webhookEndpoints.changeWebhook, { id, body }));
export const useRotateWebhook = (id: string) =>
  useWebhookMutation(() => call(webhookEndpoints.rotateWebhook, { id }), true);
export const useRemoveWebhook = (id: string) =>
  useWebhookMutation(() => call(webhookEndpoints.removeWebhook, { id }));
export const useTestWebhook = (id: string) =>
  useWebhookMutation(() => call(webhookEndpoints.testWebhook, { id }));
export const useSwitchWebhook = (id: string) =>
  useWebhookMutation((isOn: boolean) =>
    call(isOn ? webhookEndpoints.resumeWebhook : webhookEndpoints.pauseWebhook, { id }),
  );
export const useRedeliver = () =>
  useWebhookMutation((id: string) => call(webhookEndpoints.redeliverWebhook, { id }));
