import { type ChannelView, findChannel, listChannels } from "@/lib/channels/stored-channels";
import {
  changeChannel,
  createChannel,
  removeChannel,
  setChannelState,
} from "@/lib/commands/channels";
import { type StreamSetting, streamSettings } from "@/lib/contract/channel-profile";
import { type OutputCap, outputCaps } from "@/lib/contract/chat-fields";
import { type ChannelProtocol, type ChannelState, channelProtocols } from "@/lib/contract/states";
import { readChannelHealth } from "@/lib/queries/channel-health";
import { conform } from "./channel-conformance";
import { profileOf, readsOf, readsText } from "./channel-profile";
import { actor, type Command, type Flags, UsageError } from "./command";
import type { OpenInstallation } from "./open";
import { table } from "./table";

const view = (channel: ChannelView) => ({
  id: channel.id,
  name: channel.name,
  protocol: channel.protocol,
  base_url: channel.baseUrl,
  models: channel.models,
  enabled: channel.state === "active",
  state: channel.state,
  has_api_key: channel.hasApiKey,
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
const channelsText = (channels: ReturnType<typeof view>[]) =>
  table(
    channels.map(({ enabled: _, profile: _profile, reads: _reads, ...channel }) => ({
      ...channel,
      profiled_at: channel.profiled_at ?? "not tested yet",
      models: Object.entries(channel.models)
        .map((pair) => pair.join("="))
        .join(","),
      allowed_fields: channel.allowed_fields.join(","),
    })),
  );

function readModels(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(",").map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new UsageError(`--models ${pair} is not MODEL=upstream-name`);
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
}

function readProtocol(text: string): ChannelProtocol {
  const protocol = channelProtocols.find((each) => each === text);
  if (protocol !== undefined) return protocol;
  throw new UsageError(`--protocol ${text} is not one of ${channelProtocols.join(", ")}`);
}

function readOutputCap(text: string | null): OutputCap | null | undefined {
  if (text === null) return undefined;
  if (text === "protocol") return null;
  const found = outputCaps.find((name) => name === text.replaceAll("-", "_"));
  if (found === undefined)
    throw new UsageError(`--output-cap ${text} is not one of protocol, ${outputCaps.join(", ")}`);
  return found;
}

function readStreams(text: string | null): StreamSetting | undefined {
  if (text === null) return undefined;
  const found = streamSettings.find((name) => name === text.replaceAll("-", "_"));
  if (found !== undefined) return found;
  throw new UsageError(`--streams ${text} is not one of ${streamSettings.join(", ")}`);
}

function readFields(text: string | null): string[] | undefined {
  if (text === null) return undefined;
  const names = text.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "");
}

const boundsUsage =
  "[--rps N] [--rpm N] [--priority N] [--weight N] [--timeout-seconds N]\n" +
  `      [--allow-fields thinking,…] [--output-cap protocol|${outputCaps.join("|")}]\n      [--streams ${streamSettings.join("|")}]`;
const fields = {
  name: "string",
  "base-url": "string",
  "api-key": "string",
  "api-key-stdin": "boolean",
  models: "string",
  rps: "string",
  rpm: "string",
  priority: "string",
  weight: "string",
  "timeout-seconds": "string",
  "allow-fields": "string",
  "output-cap": "string",
  streams: "string",
} as const;

const boundsOf = (flags: Flags) => ({
  requestsPerSecond: flags.whole("rps"),
  requestsPerMinute: flags.whole("rpm"),
  priority: flags.whole("priority"),
  weight: flags.whole("weight"),
  allowedFields: readFields(flags.optional("allow-fields")),
  outputCap: readOutputCap(flags.optional("output-cap")),
  streams: readStreams(flags.optional("streams")),
});

const create: Command = {
  usage: `--name N --protocol ${channelProtocols.join("|")} --base-url U [--api-key -] --models MODEL=upstream-name,…\n      ${boundsUsage}   (the key comes from standard input or RELAY_UPSTREAM_KEY)`,
  options: { ...fields, protocol: "string" },
  async run({ database, secrets }, flags) {
    const request = {
      ...boundsOf(flags),
      timeoutSeconds: flags.whole("timeout-seconds") ?? null,
      name: flags.text("name"),
      protocol: readProtocol(flags.text("protocol")),
      baseUrl: flags.text("base-url"),
      apiKey: await flags.secret("api-key", "RELAY_UPSTREAM_KEY"),
      models: readModels(flags.text("models")),
    };
    const channel = view(await createChannel({ database, secrets: secrets() }, actor, request));
    return { json: { channel }, text: channelsText([channel]) };
  },
};

const edit: Command = {
  usage: `--id C [--name N] [--base-url U] [--api-key -] [--models MODEL=upstream-name,…]\n      ${boundsUsage}   (--timeout-seconds 0: the protocol's default)`,
  options: { ...fields, id: "string" },
  async run({ database, secrets }, flags) {
    const models = flags.optional("models");
    const timeout = flags.whole("timeout-seconds");
    const change = {
      ...boundsOf(flags),
      timeoutSeconds: timeout === 0 ? null : timeout,
      name: flags.optional("name") ?? undefined,
      baseUrl: flags.optional("base-url") ?? undefined,
      // The environment variable is not read here: it may still be set for another command, and
      // would replace the key by accident.
      apiKey: (await flags.secret("api-key", null)) ?? undefined,
      models: models === null ? undefined : readModels(models),
    };
    if (Object.values(change).every((value) => value === undefined))
      throw new UsageError("no option to change is given");
    const channel = view(
      await changeChannel({ database, secrets: secrets() }, actor, {
        ...change,
        id: flags.text("id"),
      }),
    );
    return { json: { channel }, text: channelsText([channel]) };
  },
};

async function list({ database }: OpenInstallation) {
  const channels = (await listChannels(database)).map(view);
  return { json: { channels }, text: channelsText(channels) };
}

const show: Command = {
  usage: "--id C",
  options: { id: "string" },
  async run({ database, pool }, flags) {
    const found = await findChannel(database, flags.text("id"));
    const health = (await readChannelHealth(pool, found.id)).get(found.id);
    const sums = (of: { succeeded: number; failed: number; refused: number } | undefined) =>
      of ?? { succeeded: 0, failed: 0, refused: 0 };
    const channel = {
      ...view(found),
      credential_set_at: found.credentialSetAt?.toISOString() ?? null,
      draining_since: found.drainingSince?.toISOString() ?? null,
      last_15_minutes: sums(health?.last15Minutes),
      last_24_hours: sums(health?.last24Hours),
      latency_p50_ms: health?.latencyMedianMs ?? null,
      latency_p95_ms: health?.latency95Ms ?? null,
      last_error: health?.lastError?.text ?? null,
      last_error_at: health?.lastError?.at.toISOString() ?? null,
      in_flight: health?.inFlight ?? 0,
      open_tasks: health?.openTasks ?? 0,
      rests_until: health?.restsUntil?.toISOString() ?? null,
    };
    const lines = Object.entries(channel).map(([name, value]) => ({
      field: name,
      value: typeof value === "object" && value !== null ? JSON.stringify(value) : value,
    }));
    return { json: { channel }, text: table(lines) };
  },
};

const turn = (state: ChannelState): Command => ({
  usage: "--id C",
  options: { id: "string" },
  async run(installation, flags) {
    await setChannelState(installation, actor, { id: flags.text("id"), state });
    return list(installation);
  },
});

const test: Command = {
  usage:
    "--id C [--model M] [--real]   (of text: also finds out how the upstream counts and bounds answers;\n      --real orders an image or a video, which the upstream may bill)",
  options: { id: "string", model: "string", real: "boolean" },
  async run({ database, pool, secrets }, flags) {
    const [{ createProviders }, { testChannel }] = await Promise.all([
      import("@/lib/upstream/wiring/create-providers"),
      import("@/lib/commands/test-channel"),
    ]);
    const id = flags.text("id");
    const model =
      flags.optional("model") ?? Object.keys((await findChannel(database, id)).models)[0] ?? "";
    const providers = createProviders();
    try {
      const result = await testChannel({ pool, secrets: secrets(), providers }, actor, {
        id,
        model,
        isReal: flags.flag("real"),
      });
      const told = {
        model: result.model,
        upstream_model: result.upstreamModel,
        ok: result.failure === null,
        stage: result.stage,
        latency_ms: result.latencyMs,
        input_tokens: result.usage?.inputTokens ?? null,
        output_tokens: result.usage?.outputTokens ?? null,
        error: result.failure?.code ?? null,
        detail: result.failure?.internal ?? null,
        cancelled: result.cancelled,
      };
      const profile = profileOf(result.profile);
      const refused = (await findChannel(database, id)).refusal;
      const stored = result.isStored;
      const reads = readsOf(result.profile);
      const shown =
        profile === null
          ? []
          : [table([profile]), ...readsText(result.profile), table([{ stored, refused }])];
      return {
        json: { test: { ...told, profile, reads, stored, refused } },
        text: [table([told]), ...shown].join("\n\n"),
        isGood: told.ok && refused === null,
      };
    } finally {
      await providers.close();
    }
  },
};

const remove: Command = {
  usage:
    "--id C   (a channel that was used is archived: its credential is destroyed, and its name can be used again)",
  options: { id: "string" },
  async run(installation, flags) {
    const id = flags.text("id");
    const result = await removeChannel(installation, actor, { id });
    return { json: { id, result }, text: `${id} ${result}` };
  },
};

export const channelCommands = {
  create,
  list: { usage: "", options: {}, run: list },
  show,
  edit,
  disable: turn("disabled"),
  enable: turn("active"),
  drain: turn("draining"),
  test,
  conform,
  remove,
} satisfies Record<string, Command>;
