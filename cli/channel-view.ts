/** A channel as the commands show it. */
import type { ChannelView } from "@/lib/channels/stored-channels";
import { profileOf, readsOf } from "./channel-profile";
import { table } from "./table";

export const view = (channel: ChannelView) => ({
  id: channel.id,
  name: channel.name,
  protocol: channel.protocol,
  base_url: channel.baseUrl,
  models: channel.models,
  enabled: channel.state === "active",
  state: channel.state,
  has_api_key: channel.hasApiKey,
  credential_weight: channel.credentialWeight,
  credentials: channel.credentials.map(({ name, weight, setAt }) => ({
    name,
    weight,
    set_at: setAt,
  })),
  headers: channel.headers,
  proxy: channel.proxy,
  has_proxy_user: channel.hasProxyUser,
  rps: channel.requestsPerSecond,
  rpm: channel.requestsPerMinute,
  priority: channel.priority,
  weight: channel.weight,
  timeout_seconds: channel.timeoutSeconds,
  allowed_fields: channel.allowedFields,
  output_cap: channel.outputCap,
  streams: channel.streams,
  refused: channel.refusal,
  profile: profileOf(channel.profile),
  reads: readsOf(channel.profile),
  profiled_at: channel.profiledAt?.toISOString() ?? null,
});
export const channelsText = (channels: ReturnType<typeof view>[]) =>
  table(
    channels.map(({ enabled: _, profile: _profile, reads: _reads, ...channel }) => ({
      ...channel,
      profiled_at: channel.profiled_at ?? "not tested yet",
      models: Object.entries(channel.models)
        .map((pair) => pair.join("="))
        .join(","),
      allowed_fields: channel.allowed_fields.join(","),
      headers: JSON.stringify(channel.headers),
      credentials: channel.credentials.map(({ name, weight }) => `${name}=${weight}`).join(","),
    })),
  );
