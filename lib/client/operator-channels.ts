import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import {
  type ChangeChannelBody,
  type ChannelView,
  type CreateChannelBody,
  channelEndpoints,
} from "../contract/operator-channels";
import { call } from "./call";

const LIVE_MS = 5000;

export const channelsQuery = queryOptions({
  queryKey: ["operator", "channels"],
  queryFn: ({ signal }) => call(channelEndpoints.listChannels, { signal }),
  refetchInterval: LIVE_MS,
});

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ["operator"] });
}

/** Adds a channel, or changes the one whose id is given. */
export function useSaveChannel() {
  return useMutation({
    mutationFn: (
      save: { id: null; body: CreateChannelBody } | { id: string; body: ChangeChannelBody },
    ) =>
      save.id === null
        ? call(channelEndpoints.createChannel, { body: save.body })
        : call(channelEndpoints.changeChannel, { id: save.id, body: save.body }),
    onSuccess: useRefresh(),
    // The input contains the credential, so it must not stay in the cache after the dialog closes.
    gcTime: 0,
  });
}

export function useSetChannelState() {
  return useMutation({
    mutationFn: ({ id, state }: { id: string; state: ChannelView["state"] }) =>
      call(channelEndpoints.setChannelState, { id, body: { state } }),
    onSuccess: useRefresh(),
  });
}

export function useTestChannel(id: string) {
  return useMutation({
    mutationFn: (body: { model: string; isReal: boolean; credential?: string }) =>
      call(channelEndpoints.testChannel, { id, body }),
    onSuccess: useRefresh(),
  });
}

export function useRemoveChannel() {
  return useMutation({
    mutationFn: (id: string) => call(channelEndpoints.removeChannel, { id }),
    onSuccess: useRefresh(),
  });
}
