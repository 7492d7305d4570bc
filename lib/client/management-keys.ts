import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type CreateManagementKey, managementKeyEndpoints } from "../contract/management-keys";
import { call } from "./call";
import { useMay } from "./shown-account";

const keysQuery = queryOptions({
  queryKey: ["management-keys"],
  queryFn: ({ signal }) => call(managementKeyEndpoints.listManagementKeys, { signal }),
});

/** Nothing where the reader's role does not include it. */
export const useManagementKeys = () => useQuery({ ...keysQuery, enabled: useMay("manageByApi") });

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: keysQuery.queryKey });
}

export function useCreateManagementKey() {
  return useMutation({
    mutationFn: (body: CreateManagementKey) =>
      call(managementKeyEndpoints.createManagementKey, { body }),
    onSuccess: useRefresh(),
    // The answer contains the secret, so it must not stay in the cache after the dialog closes.
    gcTime: 0,
  });
}

export function useRevokeManagementKey() {
  return useMutation({
    mutationFn: (id: string) => call(managementKeyEndpoints.revokeManagementKey, { id }),
    onSettled: useRefresh(),
  });
}
