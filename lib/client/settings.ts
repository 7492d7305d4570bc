import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { settingsEndpoints } from "../contract/settings";
import { meQuery } from "./account";
import { call } from "./call";

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => call(settingsEndpoints.listSessions, { signal }),
});

export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(settingsEndpoints.endSession, { id }),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

export function useChangeName() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string | null) => call(settingsEndpoints.changeProfile, { body: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}

export function useChangeRetryJoins() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (joinsRetries: boolean) =>
      call(settingsEndpoints.changeAccount, { body: { joinsRetries } }),
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}

export function useChangeKeepsSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (keepsSessions: boolean) =>
      call(settingsEndpoints.changeAccount, { body: { keepsSessions } }),
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}

export function useChangeContentDays() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (contentDays: number | null) =>
      call(settingsEndpoints.changeAccount, { body: { contentDays } }),
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}

export function useChangeLowBalanceNotice() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (lowBalanceNotice: string | null) =>
      call(settingsEndpoints.changeAccount, { body: { lowBalanceNotice } }),
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}
