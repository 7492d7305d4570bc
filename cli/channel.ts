import { findChannel, listChannels } from "@/lib/channels/stored-channels";
import { changeChannel, createChannel, setChannelState } from "@/lib/commands/channels";
import { removeChannel } from "@/lib/commands/remove-channel";
import { streamSettings } from "@/lib/contract/channel-profile";
import { type OutputCap, outputCaps } from "@/lib/contract/chat-fields";
import { type ChannelState, channelProtocols } from "@/lib/contract/states";
import { readChannelHealth } from "@/lib/queries/channel-health";
import { isRecord } from "@/lib/values/records";
import { allowedWord, pairsOf } from "./allowed-words";
import { conform } from "./channel-conformance";
import { credentialCommands } from "./channel-credentials";
import { profileOf, readsOf, readsText } from "./channel-profile";
import { channelsText, view } from "./channel-view";
import { actor, type Command, type Flags, UsageError } from "./command";
import type { OpenInstallation } from "./open";
import { table } from "./table";

const modelsOf = (text: string): Record<string, string> =>
  Object.fromEntries(pairsOf("models", text, "MODEL=upstream-name"));

/** A word of the settings of an upstream, which the command line writes with hyphens too. */
function settingIn<Word extends string>(flags: Flags, option: string, words: readonly Word[]) {
  const text = flags.optional(option)?.replaceAll("-", "_");
  return text === undefined ? undefined : allowedWord(option, text, words);
}

function outputCapIn(flags: Flags): OutputCap | null | undefined {
  const cap = settingIn(flags, "output-cap", ["protocol", ...outputCaps]);
  return cap === "protocol" ? null : cap;
}

function readFields(text: string | null): string[] | undefined {
  if (text === null) return undefined;
  const names = text.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "");
}

function readHeaders(text: string | null): Record<string, string> | undefined {
  if (text === null) return undefined;
  const wrong = () => new UsageError(`--headers ${text} is not a JSON object of names and texts`);
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw wrong();
  }
  if (!isRecord(read)) throw wrong();
  return Object.fromEntries(
    Object.entries(read).map(([name, value]) => {
      if (typeof value !== "string") throw wrong();
      return [name, value];
    }),
  );
}

const readProxy = (text: string | null) => (text === "none" ? null : (text ?? undefined));

/** The other way to say `--api-key -`. */
const unshown = { "api-key-stdin": "boolean" } as const;

const boundsUsage =
  "[--rps N] [--rpm N] [--priority N] [--weight N] [--credential-weight N]\n      [--timeout-seconds N] " +
  `[--allow-fields thinking,…] [--headers '{"NAME":"VALUE",…}'] [--proxy -] [--output-cap protocol|${outputCaps.join("|")}]\n      [--streams ${streamSettings.join("|")}]`;
const boundsOf = (flags: Flags) => ({
  requestsPerSecond: flags.whole("rps"),
  requestsPerMinute: flags.whole("rpm"),
  priority: flags.whole("priority"),
  weight: flags.whole("weight"),
  credentialWeight: flags.whole("credential-weight"),
  headers: readHeaders(flags.optional("headers")),
  allowedFields: readFields(flags.optional("allow-fields")),
  outputCap: outputCapIn(flags),
  streams: settingIn(flags, "streams", streamSettings),
});

const create: Command = {
  usage: `--name N --protocol ${channelProtocols.join("|")} --base-url U [--api-key -] --models MODEL=upstream-name,…\n      ${boundsUsage}   (the key comes from standard input or RELAY_UPSTREAM_KEY, a proxy\n      with its user and password from RELAY_UPSTREAM_PROXY or, by edit, from standard input)`,
  unshown,
  async run({ database, secrets }, flags) {
    const request = {
      ...boundsOf(flags),
      timeoutSeconds: flags.whole("timeout-seconds") ?? null,
      name: flags.text("name"),
      protocol: allowedWord("protocol", flags.text("protocol"), channelProtocols),
      baseUrl: flags.text("base-url"),
      apiKey: await flags.secret("api-key", "RELAY_UPSTREAM_KEY"),
      proxy: await flags.secret("proxy", "RELAY_UPSTREAM_PROXY"),
      models: modelsOf(flags.text("models")),
    };
    const channel = view(await createChannel({ database, secrets: secrets() }, actor, request));
    return { json: { channel }, text: channelsText([channel]) };
  },
};

const edit: Command = {
  usage: `--id C [--name N] [--base-url U] [--api-key -] [--models MODEL=upstream-name,…]\n      ${boundsUsage}   (--timeout-seconds 0: the protocol's default; --proxy none: directly)`,
  unshown,
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
      proxy: readProxy(await flags.secret("proxy", null)),
      models: models === null ? undefined : modelsOf(models),
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
      cached_share: health?.cachedShare ?? null,
      last_error: health?.lastError?.text ?? null,
      last_error_at: health?.lastError?.at.toISOString() ?? null,
      in_flight: health?.inFlight ?? 0,
      open_tasks: health?.openTasks ?? 0,
      cooldown_until: health?.cooldownUntil?.toISOString() ?? null,
      credentials_cooling_down: health?.coolingDown ?? [],
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
  async run(installation, flags) {
    await setChannelState(installation, actor, { id: flags.text("id"), state });
    return list(installation);
  },
});

const test: Command = {
  usage:
    "--id C [--model M] [--credential N] [--real]   (of text: also finds out how the upstream counts and bounds answers;\n      --real orders an image or a video, which the upstream may bill)",
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
        credential: flags.optional("credential") ?? undefined,
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
  async run(installation, flags) {
    const id = flags.text("id");
    const result = await removeChannel(installation, actor, { id });
    return { json: { id, result }, text: `${id} ${result}` };
  },
};

export const channelCommands = {
  create,
  list: { usage: "", run: list },
  show,
  edit,
  disable: turn("disabled"),
  enable: turn("active"),
  drain: turn("draining"),
  test,
  conform,
  ...credentialCommands,
  remove,
} satisfies Record<string, Command>;
