import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { type CreateOperatorKey, operatorKeyEndpoints } from "../contract/operator-keys";
import { call } from "./call";

export const operatorKeysQuery = queryOptions({
  queryKey: ["operator", "keys"],
  queryFn: ({ signal }) => call(operatorKeyEndpoints.listOperatorKeys, { signal }),
});

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: operatorKeysQuery.queryKey });
}

export function useCreateOperatorKey() {
  return useMutation({
    mutationFn: (body: CreateOperatorKey) => call(operatorKeyEndpoints.createOperatorKey, { body }),
    onSuccess: useRefresh(),
    // The answer contains the secret, so it must not stay in the cache after the dialog closes.
    gcTime: 0,
  });
}

export function useRevokeOperatorKey() {
  return useMutation({
    mutationFn: (id: string) => call(operatorKeyEndpoints.revokeOperatorKey, { id }),
    onSettled: useRefresh(),
  });
}
