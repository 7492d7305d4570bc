import { recordAction } from "@/lib/accounts/actions";
import { type ChannelView, createChannel, listChannels, setChannelEnabled } from "@/lib/channels/manage-channels";
import { type Command, UsageError } from "./command";
import type { Opened } from "./open";
import { table } from "./table";

const view = (channel: ChannelView) => ({
  id: channel.id,
  name: channel.name,
  protocol: channel.protocol,
  base_url: channel.baseUrl,
  models: channel.models,
  enabled: channel.isEnabled,
  has_api_key: channel.hasApiKey,
  rps: channel.requestsPerSecond,
  rpm: channel.requestsPerMinute,
  priority: channel.priority,
  weight: channel.weight,
  timeout_seconds: channel.timeoutSeconds,
});
const channelsText = (channels: ReturnType<typeof view>[]) =>
  table(
    channels.map((channel) => ({
      ...channel,
      models: Object.entries(channel.models)
        .map((pair) => pair.join("="))
        .join(","),
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

function readProtocol(text: string): ChannelView["protocol"] {
  if (text === "openai" || text === "ark" || text === "relay") return text;
  throw new UsageError(`--protocol ${text} is not one of openai, ark, relay`);
}

const create: Command = {
  usage:
    "--name N --protocol openai|ark|relay --base-url U [--api-key K] --models RelayV1=upstream-name,…\n      [--rps N] [--rpm N] [--priority N] [--weight N] [--timeout-seconds N]",
  options: {
    name: "string",
    protocol: "string",
    "base-url": "string",
    "api-key": "string",
    models: "string",
    rps: "string",
    rpm: "string",
    priority: "string",
    weight: "string",
    "timeout-seconds": "string",
  },
  async run({ database, secret }, given) {
    const channel = view(
      await createChannel(database, secret(), {
        name: given.text("name"),
        protocol: readProtocol(given.text("protocol")),
        baseUrl: given.text("base-url"),
        apiKey: given.optional("api-key"),
        models: readModels(given.text("models")),
        requestsPerSecond: given.whole("rps"),
        requestsPerMinute: given.whole("rpm"),
        priority: given.whole("priority"),
        weight: given.whole("weight"),
        timeoutSeconds: given.whole("timeout-seconds") ?? null,
      }),
    );
    await recordAction(database, { actor: "cli", action: "channel.create", subject: channel.id, detail: { name: channel.name } });
    return { json: { channel }, text: channelsText([channel]) };
  },
};

async function list({ database }: Opened) {
  const channels = (await listChannels(database)).map(view);
  return { json: { channels }, text: channelsText(channels) };
}

const turn = (isEnabled: boolean): Command => ({
  usage: "--id C",
  options: { id: "string" },
  async run(opened, given) {
    const { id } = await setChannelEnabled(opened.database, given.text("id"), isEnabled);
    await recordAction(opened.database, { actor: "cli", action: isEnabled ? "channel.enable" : "channel.disable", subject: id });
    return list(opened);
  },
});

export const channelCommands = {
  create,
  list: { usage: "", options: {}, run: list },
  disable: turn(false),
  enable: turn(true),
} satisfies Record<string, Command>;
