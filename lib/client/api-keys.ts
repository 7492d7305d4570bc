import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { type changeKeyRequest, type createKeyRequest, createKeyResponse, keyResponse, keysResponse } from "../contract/api-keys";
import { request } from "./request";

type Keys = z.infer<typeof keysResponse>;
export type CreateKey = z.infer<typeof createKeyRequest>;
export type ChangeKey = z.infer<typeof changeKeyRequest>;

const keysQuery = queryOptions({ queryKey: ["keys"], queryFn: ({ signal }) => request("/api/keys", keysResponse, { signal }) });

export function useKeys() {
  return useQuery(keysQuery);
}

/** Writes a change into the list at once and gives back what stood there, should the change be refused. */
function useOptimisticKeys() {
  const client = useQueryClient();
  return {
    async write(id: string, change: Partial<Keys["keys"][number]>) {
      await client.cancelQueries({ queryKey: keysQuery.queryKey });
      const before = client.getQueryData(keysQuery.queryKey);
      client.setQueryData(keysQuery.queryKey, (list) =>
        list ? { ...list, keys: list.keys.map((key) => (key.id === id ? { ...key, ...change } : key)) } : list,
      );
      return { before };
    },
    restore: (before: Keys | undefined) => client.setQueryData(keysQuery.queryKey, before),
    refresh: () => client.invalidateQueries({ queryKey: keysQuery.queryKey }),
  };
}

export function useCreateKey() {
  const { refresh } = useOptimisticKeys();
  return useMutation({
    mutationFn: (body: CreateKey) => request("/api/keys", createKeyResponse, { method: "POST", body }),
    onSuccess: refresh,
    // The answer carries the secret: nothing may keep it once its dialog is closed.
    gcTime: 0,
  });
}

export function useChangeKey(id: string) {
  const list = useOptimisticKeys();
  return useMutation({
    mutationFn: (body: ChangeKey) => request(`/api/keys/${encodeURIComponent(id)}`, keyResponse, { method: "PATCH", body }),
    onSuccess: list.refresh,
  });
}

export function useRevokeKey() {
  const list = useOptimisticKeys();
  return useMutation({
    mutationFn: (id: string) => request(`/api/keys/${encodeURIComponent(id)}/revoke`, keyResponse, { method: "POST" }),
    onMutate: (id) => list.write(id, { status: "revoked" }),
    onError: (_error, _id, saved) => list.restore(saved?.before),
    onSettled: list.refresh,
  });
}

export function useResumeKey() {
  const list = useOptimisticKeys();
  return useMutation({
    mutationFn: (id: string) => request(`/api/keys/${encodeURIComponent(id)}/resume`, keyResponse, { method: "POST" }),
    onMutate: (id) => list.write(id, { status: "active", pausedSpend: null }),
    onError: (_error, _id, saved) => list.restore(saved?.before),
    onSettled: list.refresh,
  });
}
