import { recordAction } from "@/lib/accounts/actions";
import { findModel, models } from "@/lib/catalog/models";
import { pointsNumber } from "@/lib/points";
import { readPrices } from "@/lib/price-book/price-book";
import { setPrice } from "@/lib/price-book/set-price";
import { type Command, UsageError } from "./command";
import type { Opened } from "./open";
import { table } from "./table";

async function list({ pool }: Opened) {
  const versions = new Map((await readPrices(pool)).map((version) => [version.model, version]));
  const prices = models.map(({ id, defaultPrice }) => {
    const version = versions.get(id);
    return {
      model: id,
      input: version === undefined || defaultPrice.input === undefined ? null : pointsNumber(version.price.input),
      output: version === undefined ? null : pointsNumber(version.price.output),
      effective_at: version?.effectiveAt.toISOString() ?? null,
    };
  });
  return { json: { prices }, text: `${table(prices)}\nPoints per million tokens.` };
}

const set: Command = {
  usage: "--model M [--input N] --output N   (points per million tokens)",
  options: { model: "string", input: "string", output: "string" },
  async run(opened, given) {
    const model = given.text("model");
    const output = given.pointsNotNegative("output");
    if (output === null) throw new UsageError("--output is missing");
    const id = findModel(model)?.id ?? model;
    // An input price left out stays as it is.
    const input =
      given.pointsNotNegative("input") ?? (await readPrices(opened.pool)).find((version) => version.model === id)?.price.input ?? 0n;
    await setPrice(opened.pool, { model, price: { input, output }, actor: "cli" });
    await recordAction(opened.database, {
      actor: "cli",
      action: "price.set",
      subject: id,
      detail: { input: pointsNumber(input), output: pointsNumber(output) },
    });
    return list(opened);
  },
};

export const priceCommands = { list: { usage: "", options: {}, run: list }, set } satisfies Record<string, Command>;
