import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { type ChangeAccountBody, settingsEndpoints } from "../contract/settings";
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

export function useChangeAccount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ChangeAccountBody) => call(settingsEndpoints.changeAccount, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}
