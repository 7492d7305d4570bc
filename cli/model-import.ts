import { filesOfListed, multiplierOfMargin } from "@/lib/channels/listed-models";
import { importModels } from "@/lib/commands/import-models";
import { listUpstreamModels } from "@/lib/queries/upstream-models";
import { createProviders } from "@/lib/upstream/wiring/create-providers";
import { pairsOf } from "./allowed-words";
import { actor, type Command, type Flags, UsageError } from "./command";
import type { OpenInstallation } from "./open";
import { table } from "./table";

const LISTED_MAX = 200;

async function listedBy({ pool, secrets }: OpenInstallation, channelId: string) {
  const providers = createProviders();
  try {
    return await listUpstreamModels({ pool, secrets: secrets(), providers }, channelId);
  } finally {
    await providers.close();
  }
}

function multiplierOf(flags: Flags): number {
  const margin = flags.pointsNotNegative("margin");
  if (margin === null)
    throw new UsageError("--margin is missing: percent over the upstream's price");
  return multiplierOfMargin(margin);
}

function priceOf(flags: Flags) {
  const [input, output] = [flags.pointsNotNegative("input"), flags.pointsNotNegative("output")];
  if (input === null && output === null) return null;
  if (input === null || output === null)
    throw new UsageError("--input and --output belong together");
  return { input, output };
}

export const importCommand: Command = {
  usage:
    "--channel C [--models NEW-ID=upstream-name,… --margin PERCENT [--input N --output N]]\n      (without --models: what the upstream lists; with them: drafts, mapped by the channel, at its price\n      and the margin; --input and --output: its price of text in points, where its list has none)",
  async run(installation, flags) {
    const channelId = flags.text("channel");
    const names = flags.optional("models");
    const pairs =
      names === null
        ? null
        : pairsOf("models", names, "NEW-ID=upstream-name").map(([id, upstreamModel]) => ({
            id,
            upstreamModel,
          }));
    const terms = pairs && { multiplierPpm: multiplierOf(flags), price: priceOf(flags) };
    const found = await listedBy(installation, channelId);
    if (pairs === null || terms === null) {
      const models = found.slice(0, LISTED_MAX).map(({ id, family, pricing }) => ({
        upstream_name: id,
        family: family ?? "text",
        has_price: pricing !== null,
      }));
      return { json: { models, count: found.length }, text: table(models) };
    }
    const models = filesOfListed(found, pairs, terms);
    const made = await importModels(installation, actor, { channelId, models });
    const drafts = made.map(({ id, family, state }) => ({ id, family, state }));
    return { json: { models: drafts }, text: table(drafts) };
  },
};
