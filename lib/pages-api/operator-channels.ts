import * as channels from "../commands/channels";
import { removeChannel } from "../commands/remove-channel";
import { testChannel } from "../commands/test-channel";
import type { channelEndpoints } from "../contract/operator-channels";
import { showChannel, showChannels } from "../queries/channels";
import { listUnserved } from "../queries/unserved";
import type { UseCases } from "./use-case";

export const channelUseCases: UseCases<typeof channelEndpoints> = {
  listChannels: async ({ deps }) => ({
    ...(await showChannels(deps)),
    unserved: await listUnserved(deps),
  }),
  async createChannel({ deps, body, user }) {
    return showChannel(deps, await channels.createChannel(deps, user.userId, body));
  },
  async changeChannel({ deps, body, id, user }) {
    return showChannel(deps, await channels.changeChannel(deps, user.userId, { ...body, id }));
  },
  async removeChannel({ deps, id, user }) {
    return { result: await removeChannel(deps, user.userId, { id }) };
  },
  async setChannelState({ deps, body: { state }, id, user }) {
    return showChannel(deps, await channels.setChannelState(deps, user.userId, { id, state }));
  },
  testChannel: ({ deps, body, id, user }) => testChannel(deps, user.userId, { ...body, id }),
};
