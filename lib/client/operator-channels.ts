import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import {
  type ChangeChannelBody,
  type ChannelView,
  type CreateChannelBody,
  channelResponse,
  channelsResponse,
  removeChannelResponse,
  testChannelResponse,
} from "../contract/operator-channels";
import { requestWithProof } from "./proof";
import { request } from "./request";

const LIVE_MS = 5000;

export const channelsQuery = queryOptions({
  queryKey: ["operator", "channels"],
  queryFn: ({ signal }) => request("/api/admin/channels", channelsResponse, { signal }),
  refetchInterval: LIVE_MS,
});

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: channelsQuery.queryKey });
}

/** Adds a channel, or changes the one whose id is given. */
export function useSaveChannel() {
  return useMutation({
    mutationFn: (save: { id: null; body: CreateChannelBody } | { id: string; body: ChangeChannelBody }) =>
      save.id === null
        ? requestWithProof("/api/admin/channels", channelResponse, { method: "POST", body: save.body })
        : requestWithProof(`/api/admin/channels/${save.id}`, channelResponse, { method: "PATCH", body: save.body }),
    onSuccess: useRefresh(),
    // What was sent carries the credential: nothing may keep it once the dialog is closed.
    gcTime: 0,
  });
}

export function useTurnChannel() {
  return useMutation({
    mutationFn: ({ id, state }: { id: string; state: ChannelView["state"] }) =>
      requestWithProof(`/api/admin/channels/${id}/state`, channelResponse, { method: "POST", body: { state } }),
    onSuccess: useRefresh(),
  });
}

export function useTestChannel(id: string) {
  return useMutation({
    mutationFn: (body: { model: string; isReal: boolean }) =>
      requestWithProof(`/api/admin/channels/${id}/test`, testChannelResponse, { method: "POST", body }),
  });
}

export function useRemoveChannel() {
  return useMutation({
    mutationFn: (id: string) => requestWithProof(`/api/admin/channels/${id}`, removeChannelResponse, { method: "DELETE" }),
    onSuccess: useRefresh(),
  });
}
