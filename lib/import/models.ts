/** Makes the models of a source's channels, as text models with their prices. */
import { findModel, replaceCatalogue } from "../catalog/models";
import { offerModel } from "../commands/model-states";
import { makeDraft } from "../commands/models";
import { transact } from "../db/transaction";
import { isRelayError } from "../failures/relay-error";
import { readCatalogue } from "../model-book/read-models";
import { lockModels } from "../model-book/write-models";
import { readModelFile } from "../model-file/read-model-file";
import { readMoved, rememberMoved } from "./book";
import { tellPrices } from "./changed-there";
import type { ImportContext } from "./context";
import { movedPrice } from "./model-price";
import { type LoggedRatios, newestLogged } from "./ratios";
import { text } from "./sources/source";

/** What its name says is no model for text. The sources do not say it. */
const otherFamily =
  /dall-e|image|flux|midjourney|^mj_|stable-diffusion|^sd3|imagen|sora|veo-?\d|kling|suno|runway|video|hailuo|seedance|seedream|jimeng|vidu|whisper|tts|-audio-|speech|realtime|embed|bge-|rerank|moderation/i;

async function namesOf({ from }: ImportContext): Promise<string[]> {
  const names = new Set<string>();
  for await (const rows of from.rows("channels"))
    for (const row of rows)
      for (const name of text(row, "models").split(",")) if (name.trim()) names.add(name.trim());
  return [...names].sort();
}

/** Names that differ only in case are one model here, with all of them. */
function byCase(names: readonly string[]): string[][] {
  const same = new Map<string, string[]>();
  for (const name of names) {
    const key = name.toLowerCase();
    same.set(key, [...(same.get(key) ?? []), name]);
  }
  return [...same.values()];
}

type Logged = ReadonlyMap<string, LoggedRatios>;

/** Of names that are one model here, the one that has a price, or else the first. */
function pricedName({ ratios, source }: ImportContext, names: readonly string[], logged: Logged) {
  const priced = names.map((name) => ({
    name,
    price: movedPrice(name, ratios, logged.get(name), source.quotaPerPoint),
  }));
  return priced.find(({ price }) => "rates" in price) ?? priced[0];
}

/** Says why not, where it is not made. */
async function moveModel(
  context: ImportContext,
  names: readonly string[],
  logged: Logged,
): Promise<void> {
  const { report, source, client, actor, moved } = context;
  const chosen = pricedName(context, names, logged);
  if (chosen === undefined) return;
  const { name, price } = chosen;
  const others = names.filter((each) => each !== name);
  const all = [name, ...others];
  if ("refusal" in price) {
    for (const each of all) report.leave("models", each, price.refusal);
    return;
  }
  for (const other of others)
    report.remark("models", other, `is ${name} in another case: here it has that model's price`);
  for (const remark of price.remarks) report.remark("models", name, remark);
  try {
    const file = readModelFile({
      id: name,
      family: "text",
      aliases: others.length === 0 ? [] : all,
      spec: { output_tokens_max: context.outputTokensMax },
      rates: price.rates,
    });
    if (!context.isDry)
      await transact(client, async () => {
        await lockModels(client);
        await makeDraft(client, actor, file);
        const rows = all.map((foreignId) => ({ foreignId, targetId: file.id }));
        await rememberMoved(client, source.name, "model", rows);
      });
    for (const each of all) moved.models.set(each, file.id);
    report.took("models", { count: all.length });
  } catch (error) {
    if (!isRelayError(error)) throw error;
    for (const each of all) report.leave("models", each, `it is refused here: ${error.message}`);
  }
}

/** The catalogue of this process has them afterwards. Nothing is offered yet. */
export async function moveModels(context: ImportContext): Promise<void> {
  const { report, client, source, from, moved } = context;
  const known = await readMoved(client, source.name, "model");
  const made: string[] = [];
  for (const name of await namesOf(context)) {
    report.counts.models.found++;
    const there = known.get(name) ?? findModel(name)?.id;
    if (there !== undefined) {
      moved.models.set(name, there);
      report.counts.models.known++;
      if (!known.has(name))
        report.remark("models", name, "there is such a model here already: it keeps its price");
    } else if (otherFamily.test(name))
      report.leave("models", name, "it is not for text: make it with `model create`");
    else made.push(name);
  }
  const before = [...moved.models.keys()].filter((name) => known.has(name));
  const logged = await newestLogged(from, new Set([...made, ...before]));
  for (const names of byCase(made)) await moveModel(context, names, logged);
  const priced = byCase(before).flatMap((names) => pricedName(context, names, logged) ?? []);
  await tellPrices(
    context,
    priced.map((each) => ({ ...each, id: known.get(each.name) ?? each.name })),
  );
  if (!context.isDry) replaceCatalogue(await readCatalogue(context.deps.pool));
  report.progress("models");
}

/** Offers those that a channel serves. What an earlier run made and left is offered too. */
export async function offerModels(
  context: ImportContext,
  served: ReadonlySet<string>,
): Promise<void> {
  const { deps, actor, report, client, source, moved, isDry } = context;
  const made = new Set((await readMoved(client, source.name, "model")).values());
  for (const id of new Set(moved.models.values())) {
    if (!served.has(id)) report.remark("models", id, "no channel that moved serves it: a draft");
    else if (!isDry && made.has(id) && findModel(id)?.state === "draft")
      await offerModel(deps, actor, { id, anyway: `It moved here from ${source.name}.` });
  }
  if (!isDry) replaceCatalogue(await readCatalogue(deps.pool));
}
