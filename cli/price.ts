import type pg from "pg";
import { allModels } from "@/lib/catalog/models";
import { setPrice, withdrawPrice } from "@/lib/commands/prices";
import { noteUpstreamPrice } from "@/lib/commands/upstream-prices";
import { pointsNumber } from "@/lib/money/points";
import { previewPrice } from "@/lib/price-book/preview";
import { readPrices } from "@/lib/price-book/price-book";
import { readUpcomingPrices, type SetPriceVersion } from "@/lib/price-book/price-schedule";
import { completePrice } from "@/lib/price-book/set-price";
import { readUpstreamPrices } from "@/lib/price-book/upstream-price";
import type { WantedPrice } from "@/lib/price-book/wanted-price";
import type { Price } from "@/lib/pricing/price";
import { rateLine } from "@/lib/pricing/rate-line";
import { type AnyCommand, actor, type Command, type Flags, UsageError } from "./command";
import { readRatesFile } from "./rates-file";
import { table } from "./table";

/** The rates of other units, such as `second resolution=720p 30`. */
const otherRates = ({ others = [] }: Pick<Price, "others">) => ({
  other_rates: others.length > 0 ? others.map(rateLine).join("; ") : null,
});

async function list(pool: pg.Pool) {
  const versions = new Map((await readPrices(pool)).map((version) => [version.model, version]));
  const prices = allModels().map(({ id, family }) => {
    const version = versions.get(id);
    return {
      model: id,
      input: version === undefined || family !== "text" ? null : pointsNumber(version.price.input),
      output: version === undefined ? null : pointsNumber(version.price.output),
      ...otherRates(version?.price ?? {}),
      effective_at: version?.effectiveAt.toISOString() ?? null,
    };
  });
  return {
    json: { prices },
    text: `${table(prices)}\nPoints per million tokens, or per image, second or request.`,
  };
}

/** A whole list, or the price of tokens: without an input price the current one stays. */
function wantedPrice(flags: Flags): WantedPrice {
  const model = flags.text("model");
  const file = flags.optional("rates");
  const [input, output] = [flags.pointsNotNegative("input"), flags.pointsNotNegative("output")];
  if (file !== null) {
    if (input !== null || output !== null)
      throw new UsageError("--rates is the whole price: omit --input and --output");
    return { model, rates: readRatesFile(file) };
  }
  if (output === null) throw new UsageError("--output or --rates is missing");
  return { model, input: input ?? undefined, output };
}

const set: Command = {
  usage:
    "--model M [--input N] --output N | --rates FILE.json [--effective ISO]   (points per million tokens, or a list of rates)",
  async run(installation, flags) {
    await setPrice(installation, actor, {
      ...wantedPrice(flags),
      effectiveAt: flags.moment("effective"),
    });
    return list(installation.pool);
  },
};

const versionView = ({ id, model, price, effectiveAt, createdBy }: SetPriceVersion) => ({
  id,
  model,
  input: pointsNumber(price.input),
  output: pointsNumber(price.output),
  ...otherRates(price),
  effective_at: effectiveAt.toISOString(),
  created_by: createdBy,
});

async function upcoming(pool: pg.Pool) {
  const prices = (await readUpcomingPrices(pool)).map(versionView);
  return { json: { prices }, text: table(prices) };
}

const withdraw: Command = {
  usage: "--id V   (withdraws a future price)",
  async run(installation, flags) {
    await withdrawPrice(installation, actor, { id: flags.text("id") });
    return upcoming(installation.pool);
  },
};

const preview: Command = {
  usage:
    "--model M [--input N] --output N | --rates FILE.json   (what the last 30 days would have been charged)",
  async run(installation, flags) {
    const { model, present, price } = await completePrice(installation.pool, wantedPrice(flags));
    const { atPresent, atNew, charged, units, ...used } = await previewPrice(
      installation.pool,
      model,
      present,
      price,
    );
    const told = {
      model: used.model,
      days: used.days,
      requests: used.requests,
      is_partial: used.isPartial,
      charged: pointsNumber(charged),
      at_present: atPresent === null ? null : pointsNumber(atPresent),
      at_new: pointsNumber(atNew),
    };
    const ofUnits = units.map((each) => ({
      unit: each.unit,
      quantity: each.quantity,
      at_present: each.atPresent === null ? null : pointsNumber(each.atPresent),
      at_new: pointsNumber(each.atNew),
    }));
    const text = `${table([told])}\n${table(ofUnits)}`;
    return { json: { preview: { ...told, units: ofUnits } }, text };
  },
};

const cost: Command = {
  usage:
    "--model M|point --currency CNY [--input N] --output N [--rates FILE.json] | --model M --none   (money per million tokens; used only for margins)",
  async run(installation, flags) {
    const subject = flags.text("model");
    if (flags.flag("none")) await noteUpstreamPrice(installation, actor, { subject, price: null });
    else {
      const output = flags.pointsNotNegative("output");
      const file = flags.optional("rates");
      if (output === null) throw new UsageError("--output is missing");
      const price = {
        currency: flags.text("currency"),
        input: flags.pointsNotNegative("input"),
        output,
        ...(file !== null && { others: readRatesFile(file) }),
      };
      await noteUpstreamPrice(installation, actor, { subject, price });
    }
    const { pointPrice, ofModels } = await readUpstreamPrices(installation.database);
    const money = (amount: bigint | null) => (amount === null ? null : pointsNumber(amount));
    const costs = [
      ...(pointPrice
        ? [
            {
              subject: "point",
              currency: pointPrice.currency,
              input: null,
              output: money(pointPrice.amount),
              other_rates: null,
            },
          ]
        : []),
      ...[...ofModels].map(([subject, { currency, input, output, others = [] }]) => ({
        subject,
        currency,
        input: money(input),
        output: money(output),
        ...otherRates({ others }),
      })),
    ];
    return { json: { costs }, text: table(costs) };
  },
};

export const priceCommands = {
  list: { usage: "", runOnPool: list },
  set,
  upcoming: { usage: "", runOnPool: upcoming },
  withdraw,
  preview,
  cost,
} satisfies Record<string, AnyCommand>;
