/** Tests that price page, calculator, quote, hold, charge, receipt and statement agree in every unit. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { firstModelOf, type Model } from "@/lib/catalog/models";
import { imageBody, imageSettingsOf } from "@/lib/client/image-settings";
import { costOf } from "@/lib/client/model-prices";
import { settingsOf, taskBody } from "@/lib/client/video-settings";
import type { QuoteResponse } from "@/lib/contract/own-account";
import type { ModelPriceView } from "@/lib/contract/prices";
import { isPerOne, type Unit, unitsOfFamily } from "@/lib/contract/units";
import type { RequestView } from "@/lib/contract/usage";
import { formatPoints, parsePoints } from "@/lib/money/points";
import { addPriceVersion } from "@/lib/price-book/set-price";
import { priceOfRates, type Rate } from "@/lib/pricing/rate";
import { typicalUsage } from "@/lib/pricing/typical";
import { faultsOf } from "@/testing/ledger/faults-of";
import { openPricedRelay } from "@/testing/relay/priced-relay";
import { opened } from "@/testing/unit/opened";

const MULTIPLIER_PPM = 873_457;
const scale = 10n ** 12n;
let charged = 0n;

const site = await opened(openPricedRelay(MULTIPLIER_PPM));

const orders = {
  text: (model: Model) => ({
    endpoint: "createChatCompletion",
    path: "/chat/completions",
    body: { model: model.id, messages: [{ role: "user", content: "Say hello." }], max_tokens: 99 },
  }),
  image: (model: Model) => ({
    endpoint: "createImage",
    path: "/images/generations",
    body:
      model.family === "image" ? imageBody({ ...imageSettingsOf(model), prompt: "A fox" }) : null,
  }),
  video: (model: Model) => ({
    endpoint: "createVideoTask",
    path: "/contents/generations/tasks",
    body: model.family === "video" ? taskBody({ ...settingsOf(model), prompt: "A fox" }) : null,
  }),
};

/** Images and seconds at rates that are selected, among others that are not. */
const selected = (unit: Unit, amount: bigint): Rate[] => {
  if (unit === "image")
    return ["1024x1024", "2048x2048"].map((size, at) => ({
      unit,
      size,
      amount: amount + BigInt(at),
    }));
  // What a request is served at without a word of the upstream's.
  if (unit === "input_token" || unit === "output_token")
    return [
      { unit, amount },
      { unit, amount: amount + 1n, tier: "default" },
    ];
  if (unit !== "second") return [{ unit, amount }];
  return ["480p", "720p", "1080p"].flatMap((resolution, at) =>
    [true, false].map((audio) => ({ unit, resolution, audio, amount: amount + BigInt(at) })),
  );
};

const ratesOfFamily = (family: Model["family"]) =>
  fc
    .tuple(
      ...unitsOfFamily[family].map((unit) =>
        fc.option(
          fc
            .bigInt(1n, isPerOne(unit) ? 20_000_003n : 2_000_000_003n)
            .map((amount) => selected(unit, amount)),
        ),
      ),
    )
    .map((lists) => lists.flatMap((list) => list ?? []))
    .filter((rates) => rates.length > 0);

const exactOf = (lines: readonly { unit: Unit; quantity: number; points: string | number }[]) =>
  lines.reduce((sum, { unit, quantity, points }) => {
    const amount = parsePoints(typeof points === "number" ? points.toFixed(6) : points) ?? 0n;
    return sum + BigInt(quantity) * amount * (isPerOne(unit) ? 1_000_000n : 1n);
  }, 0n);
const billOf = (lines: Parameters<typeof exactOf>[0]) =>
  formatPoints((exactOf(lines) * BigInt(MULTIPLIER_PPM) + scale - 1n) / scale);

async function check(model: Model, rates: Rate[]): Promise<void> {
  const price = priceOfRates(rates);
  const added = { model: model.id, price, effectiveAt: null, createdBy: "test" };
  const { id, effectiveAt } = await addPriceVersion(site.relay.pool, added);
  site.relay.setting.versions.set(model.id, { id, model: model.id, price, effectiveAt });

  const { prices } = await site.page<{ prices: ModelPriceView[] }>("showPrices");
  const listed = prices.find((each) => each.model === model.id);
  if (listed === undefined) throw new Error("the model is listed");
  const { endpoint, path, body } = orders[model.family](model);
  const { json } = await site.send("/quote", { endpoint, ...body });
  const quote = json as unknown as QuoteResponse;
  const quoted = quote.estimate_points.toFixed(6);
  expect(billOf(quote.lines)).toBe(quoted);
  if (model.family !== "text") expect(costOf(listed, typicalUsage(model))?.own).toBe(quoted);

  const made = await site.send(path, body ?? {});
  const read = () =>
    site.page<RequestView>(
      "showRequest",
      model.family === "video" ? String(made.json.id) : made.requestId,
    );
  await expect
    .poll(async () => (await read()).entry.request?.state, { timeout: 30_000 })
    .toBe("settled");
  const { entry, lines } = await read();
  const { settled = "", held, quoted: told } = entry.request ?? {};
  expect(settled).toBe(billOf(lines));
  expect(held).toBe(quote.hold_points.toFixed(6));
  expect(parsePoints(settled ?? "") ?? 0n).toBeLessThanOrEqual(parsePoints(held ?? "") ?? 0n);
  if (model.family !== "text") {
    expect([settled, told]).toEqual([quoted, quoted]);
    expect(lines.map(({ points: _, ...line }) => line)).toEqual(
      quote.lines.map(({ points: _, ...line }) => line),
    );
  }
  charged += parsePoints(settled ?? "") ?? 0n;
}

test.each(["text", "image", "video"] as const)(
  "%s: every unit is shown, held and charged as one function says, to the micropoint",
  async (family) => {
    const model = firstModelOf(family);
    await fc.assert(
      fc.asyncProperty(ratesOfFamily(family), (rates) => check(model, rates)),
      { numRuns: 8 },
    );
    const { charges } = await site.page<{ charges: string }>("showStatement");
    expect(charges).toBe(formatPoints(charged));
  },
  180_000,
);

test("the audit, which shares no code with the price, agrees with every charge", async () => {
  expect(await faultsOf(site.relay.pool)).toEqual([]);
});
