/** For random rates, orders and reports of text: what is billed is within the hold, at the rates of the tier as served. */
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { usualPrincipal } from "@/testing/accounts/usual-terms";
import { wholeText, wholeTextModel } from "@/testing/relay/whole-text";
import { catalogueOf, replaceCatalogue } from "../../catalog/models";
import { chatRequest } from "../../contract/chat";
import { isPerOne, type Unit } from "../../contract/units";
import { linesOf } from "../../pricing/price-lines";
import { priceOfRates, type Rate } from "../../pricing/rate";
import { chargeOf } from "../order/charge";
import { billedUsage } from "./text-bounds";
import { affordableCap, orderText } from "./text-order";

replaceCatalogue(catalogueOf([wholeTextModel()]));

const SCALE = 10n ** 12n;
const amount = fc.bigInt(0n, 900_000_003n);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const tiers = ["flex", "priority"] as const;

const rates = fc
  .record({
    input: amount,
    output: amount,
    parts: fc.uniqueArray(
      fc.constantFrom<Unit>(
        "cached_input_token",
        "cache_write_token",
        "input_audio_token",
        "reasoning_token",
        "audio_token",
        "tool_call",
        "request",
      ),
    ),
    amounts: fc.array(amount, { minLength: 150, maxLength: 150 }),
    isByTier: fc.boolean(),
    starts: fc.uniqueArray(fc.integer({ min: 1, max: 3000 }), { maxLength: 2 }),
    hours: fc.constantFrom(null, "00:00-00:01", "13:00-12:59", "12:00-00:00"),
  })
  .map(({ input, output, parts, amounts, isByTier, starts, hours }): Rate[] => {
    let next = 0;
    const any = () => amounts[next++] ?? 1n;
    const wholes = (["input_token", "output_token"] as const).flatMap((unit): Rate[] => [
      { unit, amount: unit === "input_token" ? input : output },
      ...(isByTier ? tiers.map((tier) => ({ unit, tier, amount: any() })) : []),
    ]);
    const others = parts.flatMap((unit): Rate[] =>
      isByTier && !isPerOne(unit)
        ? ["default", ...tiers].map((tier) => ({ unit, tier, amount: any() }))
        : [{ unit, amount: any() }],
    );
    return [...wholes, ...others].flatMap((rate) => {
      const long = isPerOne(rate.unit)
        ? []
        : starts.map((input_from) => ({ ...rate, input_from, amount: any() }));
      const all = [rate, ...long];
      return hours === null
        ? all
        : [...all, ...all.map((each) => ({ ...each, hours, amount: any() }))];
    });
  });

const orders = fc.record({
  max_tokens: fc.integer({ min: 1, max: 5000 }),
  n: fc.constantFrom(undefined, 1, 2, 4),
  service_tier: fc.constantFrom(undefined, "auto", ...tiers),
  modalities: fc.constantFrom(undefined, ["text"], ["text", "audio"]),
  web_search_options: fc.constantFrom(undefined, {}),
  prediction: fc.constantFrom(undefined, { type: "content", content: "hello" }),
  sounds: fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 2 }),
});

const reports = fc.record({
  shares: fc.array(share, { minLength: 8, maxLength: 8 }),
  service_tier: fc.constantFrom(undefined, "default", ...tiers, "scale"),
});

const soundOf = (bytes: number) => ({
  type: "input_audio",
  input_audio: { data: Buffer.alloc(bytes).toString("base64"), format: "wav" },
});

const principalAt = (ppm: number) => ({ ...usualPrincipal, multiplierPpm: () => ppm });

test("a bill is within its hold, and its lines add up to it; what is refused has no rate", () => {
  const cases = fc.record({
    rates,
    order: orders,
    report: reports,
    ppm: fc.integer({ min: 1, max: 3_000_000 }),
  });
  fc.assert(
    fc.property(cases, ({ rates: list, order: { sounds, ...asked }, report, ppm }) => {
      const price = priceOfRates(list);
      const version = { id: "1", model: wholeText.id, effectiveAt: new Date(0), price };
      const request = chatRequest.parse({
        model: wholeText.id,
        messages: [
          { role: "user", content: [{ type: "text", text: "hello" }, ...sounds.map(soundOf)] },
        ],
        ...JSON.parse(JSON.stringify(asked)),
      });
      const place = () =>
        orderText(request, principalAt(ppm), { current: () => version }, undefined);
      const has = (unit: Unit) => list.some((rate) => rate.unit === unit);
      const isPriced =
        (asked.service_tier === undefined ||
          asked.service_tier === "auto" ||
          list.some(({ tier }) => tier === asked.service_tier)) &&
        (!asked.modalities?.some((each) => each === "audio") || has("audio_token")) &&
        (sounds.length === 0 || has("input_audio_token")) &&
        (!asked.web_search_options || has("tool_call"));
      if (!isPriced) return void expect(place).toThrow();
      const order = place();
      const part = (at: number, of: number) => Math.floor((report.shares[at] ?? 0) * of);
      const inputTokens = part(0, order.inputTokensMax);
      const outputTokens = part(1, order.outputTokensMax);
      const cachedInputTokens = part(2, inputTokens);
      const cacheWriteTokens = part(4, inputTokens - cachedInputTokens);
      const reasoningTokens = part(3, outputTokens);
      const reported = {
        ...{ inputTokens, outputTokens, cachedInputTokens, reasoningTokens, reported: {} },
        cacheWriteTokens,
        // Of the sounds, as far as that is left.
        inputAudioTokens: Math.min(
          part(7, order.chatAsks.soundTokens),
          inputTokens - cachedInputTokens - cacheWriteTokens,
        ),
        audioTokens: part(5, outputTokens - reasoningTokens),
        toolCalls: part(6, 3),
        ...(report.service_tier && { tier: { service_tier: report.service_tier } }),
      };
      const usage = billedUsage(reported, order.asks, price, order.time);
      const bill = chargeOf(usage, price, ppm);
      expect(bill <= order.holdAmount).toBe(true);
      const sum = linesOf("text", usage, price).reduce(
        (all, { unit, quantity, amount: each }) =>
          all + BigInt(quantity) * each * (isPerOne(unit) ? 1_000_000n : 1n),
        0n,
      );
      expect((sum * BigInt(ppm) + SCALE - 1n) / SCALE).toBe(bill);
      // Nobody pays a tier that was not asked for.
      expect(["default", asked.service_tier, undefined]).toContain(usage.ordered?.tier);
      // What is held affords the cap that is sent.
      expect(affordableCap(order.holdAmount, order, order)).toBeGreaterThanOrEqual(order.capTokens);
    }),
    { numRuns: 500 },
  );
});

test("what is ordered before hours begin or end is billed as of then, whenever it is answered", () => {
  const price = priceOfRates([
    { unit: "input_token", amount: 2_000_000n },
    { unit: "output_token", amount: 10_000_000n },
    { unit: "output_token", hours: "16:30-00:30", amount: 5_000_000n },
  ]);
  const version = { id: "1", model: wholeText.id, effectiveAt: new Date(0), price };
  const request = chatRequest.parse({
    ...{ model: wholeText.id, max_tokens: 1000 },
    messages: [{ role: "user", content: "hello" }],
  });
  const reported = { inputTokens: 0, outputTokens: 1_000, reported: {} };
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    for (const [time, due] of [
      ["16:29:59.999", 10_000n],
      ["16:30:00.000", 5_000n],
      ["00:29:59.999", 5_000n],
      ["00:30:00.000", 10_000n],
    ] as const) {
      vi.setSystemTime(new Date(`2026-03-01T${time}Z`));
      const order = orderText(
        request,
        principalAt(1_000_000),
        { current: () => version },
        undefined,
      );
      vi.setSystemTime(new Date("2026-03-01T20:00:00Z"));
      const usage = billedUsage(reported, order.asks, price, order.time);
      expect(chargeOf(usage, price, 1_000_000)).toBe(due);
      expect(order.holdAmount - BigInt(order.inputTokensMax) * 2n).toBe(due);
      expect(usage.ordered).toEqual({ time: time.slice(0, 5) });
    }
  } finally {
    vi.useRealTimers();
  }
});
