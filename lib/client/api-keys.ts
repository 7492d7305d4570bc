import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import {
  type changeKeyRequest,
  type createKeyRequest,
  keyEndpoints,
  type keysResponse,
} from "../contract/api-keys";
import { call } from "./call";
import { reading } from "./read";
import { useMay } from "./shown-account";

type Keys = z.infer<typeof keysResponse>;
export type CreateKey = z.infer<typeof createKeyRequest>;
export type ChangeKey = z.infer<typeof changeKeyRequest>;

const keysQuery = reading(["keys"], keyEndpoints.listKeys, {});

/** Nothing where the reader's role does not include it. */
export function useKeys() {
  return useQuery({ ...keysQuery, enabled: useMay("readKeys") });
}

/**
 * Applies a change to the cached list at once, and restores the previous list if the change is
 * refused.
 */
function useOptimisticKeys() {
  const client = useQueryClient();
  return {
    async write(id: string, change: Partial<Keys["keys"][number]>) {
      await client.cancelQueries({ queryKey: keysQuery.queryKey });
      const before = client.getQueryData(keysQuery.queryKey);
      client.setQueryData(keysQuery.queryKey, (list) =>
        list
          ? { ...list, keys: list.keys.map((key) => (key.id === id ? { ...key, ...change } : key)) }
          : list,
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
    mutationFn: (body: CreateKey) => call(keyEndpoints.createKey, { body }),
    onSuccess: refresh,
    // The answer contains the secret, so it must not stay in the cache after the dialog closes.
    gcTime: 0,
  });
}

export function useChangeKey(id: string) {
  const list = useOptimisticKeys();
  return useMutation({
    mutationFn: (body: ChangeKey) => call(keyEndpoints.changeKey, { id, body }),
    onSuccess: list.refresh,
  });
}

export function useRevokeKey() {
  const list = useOptimisticKeys();
  return useMutation({
    mutationFn: (id: string) => call(keyEndpoints.revokeKey, { id }),
    onMutate: (id) => list.write(id, { status: "revoked" }),
    onError: (_error, _id, saved) => list.restore(saved?.before),
    onSettled: list.refresh,
  });
}

export function useResumeKey() {
  const list = useOptimisticKeys();
  return useMutation({
    mutationFn: (id: string) => call(keyEndpoints.resumeKey, { id }),
    onMutate: (id) => list.write(id, { status: "active", pausedSpend: null }),
    onError: (_error, _id, saved) => list.restore(saved?.before),
    onSettled: list.refresh,
  });
}
