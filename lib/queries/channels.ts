import type { z } from "zod";
import { type ChannelView, listChannels } from "../channels/stored-channels";
import type { channel as channelSchema } from "../contract/operator-channels";
import { type ChannelHealth, readChannelHealth } from "./channel-health";
import type { QueryDeps } from "./query-deps";

const iso = (moment: Date | null) => moment?.toISOString() ?? null;
const none = { succeeded: 0, failed: 0, refused: 0 };

function viewOf(
  channel: ChannelView,
  health: ChannelHealth | undefined,
): z.input<typeof channelSchema> {
  return {
    ...channel,
    credentials: [...channel.credentials],
    headers: { ...channel.headers },
    credentialSetAt: iso(channel.credentialSetAt),
    drainingSince: iso(channel.drainingSince),
    profiledAt: iso(channel.profiledAt),
    createdAt: channel.createdAt.toISOString(),
    health: {
      last15Minutes: health?.last15Minutes ?? none,
      last24Hours: health?.last24Hours ?? none,
      latencyMedianMs: health?.latencyMedianMs ?? null,
      latency95Ms: health?.latency95Ms ?? null,
      cachedShare: health?.cachedShare ?? null,
      lastError: health?.lastError
        ? { text: health.lastError.text, at: health.lastError.at.toISOString() }
        : null,
      inFlight: health?.inFlight ?? 0,
      openTasks: health?.openTasks ?? 0,
      cooldownUntil: iso(health?.cooldownUntil ?? null),
      coolingDown: health?.coolingDown ?? [],
    },
  };
}

export async function showChannel({ pool }: Pick<QueryDeps, "pool">, channel: ChannelView) {
  return { channel: viewOf(channel, (await readChannelHealth(pool, channel.id)).get(channel.id)) };
}

/** All channels with their health, in the order in which they are tried. */
export async function showChannels({ pool, database }: Pick<QueryDeps, "pool" | "database">) {
  const [channels, health] = await Promise.all([listChannels(database), readChannelHealth(pool)]);
  return { channels: channels.map((channel) => viewOf(channel, health.get(channel.id))) };
}
