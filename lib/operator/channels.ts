import type { z } from "zod";
import { type ChannelHealth, readChannelHealth } from "../channels/channel-health";
import { type ChannelView, listChannels } from "../channels/stored-channels";
import { changeChannel, createChannel, removeChannel, setChannelState } from "../commands/channels";
import { testChannel } from "../commands/test-channel";
import type {
  changeChannelRequest,
  channel as channelSchema,
  channelStateRequest,
  createChannelRequest,
  testChannelRequest,
} from "../contract/operator-channels";
import type { Call } from "../site/call";

const iso = (moment: Date | null) => moment?.toISOString() ?? null;
const none = { succeeded: 0, failed: 0, refused: 0 };

function viewOf(channel: ChannelView, health: ChannelHealth | undefined): z.input<typeof channelSchema> {
  return {
    ...channel,
    credentialSetAt: iso(channel.credentialSetAt),
    drainingSince: iso(channel.drainingSince),
    createdAt: channel.createdAt.toISOString(),
    health: {
      last15Minutes: health?.last15Minutes ?? none,
      last24Hours: health?.last24Hours ?? none,
      latencyMedianMs: health?.latencyMedianMs ?? null,
      latency95Ms: health?.latency95Ms ?? null,
      lastError: health?.lastError ? { text: health.lastError.text, at: health.lastError.at.toISOString() } : null,
      inFlight: health?.inFlight ?? 0,
      openTasks: health?.openTasks ?? 0,
      restsUntil: iso(health?.restsUntil ?? null),
    },
  };
}

async function shown({ parts }: Call, channel: ChannelView) {
  return { channel: viewOf(channel, (await readChannelHealth(parts.pool, channel.id)).get(channel.id)) };
}

export async function showChannels({ parts }: Call) {
  const [channels, health] = await Promise.all([listChannels(parts.database), readChannelHealth(parts.pool)]);
  return { channels: channels.map((channel) => viewOf(channel, health.get(channel.id))) };
}

export async function addChannel(call: Call<z.output<typeof createChannelRequest>>) {
  const { parts, body, user } = call;
  return shown(call, await createChannel(parts, user().userId, body));
}

export async function editChannel(call: Call<z.output<typeof changeChannelRequest>>) {
  const { parts, body, id, user } = call;
  return shown(call, await changeChannel(parts, user().userId, { ...body, id }));
}

export async function turnChannel(call: Call<z.output<typeof channelStateRequest>>) {
  const { parts, body, id, user } = call;
  return shown(call, await setChannelState(parts, user().userId, { id, state: body.state }));
}

export async function tryOneChannel({ parts, body, id, user }: Call<z.output<typeof testChannelRequest>>) {
  return testChannel(parts, user().userId, { ...body, id });
}

export async function dropChannel({ parts, id, user }: Call) {
  return { result: await removeChannel(parts, user().userId, { id }) };
}
