import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { changeAccountResponse, changeProfileResponse, sessionsResponse } from "../contract/settings";
import { signOutEverywhereResponse } from "../contract/users";
import { meQuery } from "./account";
import { request } from "./request";

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => request("/api/sessions", sessionsResponse, { signal }),
});

export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(`/api/sessions/${encodeURIComponent(id)}/end`, signOutEverywhereResponse, { method: "POST" }),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

export function useChangeName() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string | null) => request("/api/profile", changeProfileResponse, { method: "PATCH", body: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}

export function useChangeRetryJoins() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (joinsRetries: boolean) => request("/api/account", changeAccountResponse, { method: "PATCH", body: { joinsRetries } }),
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}

export function useChangeLowBalanceNotice() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (lowBalanceNotice: string | null) =>
      request("/api/account", changeAccountResponse, { method: "PATCH", body: { lowBalanceNotice } }),
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}
