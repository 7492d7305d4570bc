import {
  changeChannelRequest,
  channelResponse,
  channelStateRequest,
  channelsResponse,
  createChannelRequest,
  removeChannelResponse,
  testChannelRequest,
  testChannelResponse,
} from "../contract/operator-channels";
import { siteHandler } from "../http/site";
import { showChannels } from "../queries/channels";
import type { Host } from "../site/site-routes";
import { addChannel, dropChannel, editChannel, tryOneChannel, turnChannel } from "./channels";

export function channelsRoutes(host: Host) {
  const read = { session: "operator", body: null, query: null } as const;
  const write = { session: "operator", proof: "recent", query: null } as const;
  return {
    showChannels: siteHandler(host, { ...read, answer: channelsResponse, run: ({ parts }) => showChannels(parts) }),
    addChannel: siteHandler(host, { ...write, status: 201, body: createChannelRequest, answer: channelResponse, run: addChannel }),
    editChannel: siteHandler(host, { ...write, body: changeChannelRequest, answer: channelResponse, run: editChannel }),
    turnChannel: siteHandler(host, { ...write, body: channelStateRequest, answer: channelResponse, run: turnChannel }),
    testChannel: siteHandler(host, { ...write, body: testChannelRequest, answer: testChannelResponse, run: tryOneChannel }),
    removeChannel: siteHandler(host, { ...write, body: null, answer: removeChannelResponse, run: dropChannel }),
  };
}
