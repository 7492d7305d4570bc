import { queryOptions } from "@tanstack/react-query";
import {
  type ChangeChannelBody,
  type ChannelView,
  type CreateChannelBody,
  channelEndpoints,
} from "../contract/operator-channels";
import { call } from "./call";
import { useWrite } from "./write";

const LIVE_MS = 5000;

export const channelsQuery = queryOptions({
  queryKey: ["operator", "channels"],
  queryFn: ({ signal }) => call(channelEndpoints.listChannels, { signal }),
  refetchInterval: LIVE_MS,
});

/** Adds a channel, or changes the one whose id is given. What is sent has its credential. */
export const useSaveChannel = () =>
  useWrite(
    (save: { id: null; body: CreateChannelBody } | { id: string; body: ChangeChannelBody }) =>
      save.id === null
        ? call(channelEndpoints.createChannel, { body: save.body })
        : call(channelEndpoints.changeChannel, { id: save.id, body: save.body }),
    ["operator"],
    true,
  );

export const useSetChannelState = () =>
  useWrite(
    ({ id, state }: { id: string; state: ChannelView["state"] }) =>
      call(channelEndpoints.setChannelState, { id, body: { state } }),
    ["operator"],
  );

export const useTestChannel = (id: string) =>
  useWrite(
    (body: { model: string; isReal: boolean; credential?: string }) =>
      call(channelEndpoints.testChannel, { id, body }),
    ["operator"],
  );

export const useRemoveChannel = () =>
  useWrite((id: string) => call(channelEndpoints.removeChannel, { id }), ["operator"]);
