/** Tests that every price shown before a request equals the charge after it. */
import { expect, test } from "vitest";
import { builtInModels as models } from "@/lib/catalog/built-in";
import { imageTokens } from "@/lib/catalog/image-sizes";
import { catalogue, type Model, replaceCatalogue } from "@/lib/catalog/models";
import { imageBody, imageSettingsOf } from "@/lib/client/image-settings";
import { costOf } from "@/lib/client/model-prices";
import { videoSettingsOf } from "@/lib/client/stored-video";
import { settingsOf, taskBody, type VideoSettings } from "@/lib/client/video-settings";
import type { EntryView } from "@/lib/contract/entries";
import type { QuoteResponse } from "@/lib/contract/own-account";
import type { ModelPriceView } from "@/lib/contract/prices";
import type { TaskDetailView } from "@/lib/contract/tasks";
import type { TokenUsage } from "@/lib/pricing/price";
import { videoUsage } from "@/lib/pricing/typical";
import { openPricedRelay } from "@/testing/relay/priced-relay";
import { billFor, sellModel } from "@/testing/relay/sold-model";
import { wholeModel, wholeVideo } from "@/testing/relay/whole-video";
import { opened } from "@/testing/unit/opened";

/** A multiplier at which almost every price needs rounding. */
const MULTIPLIER_PPM = 873_457;

const site = await opened(openPricedRelay(MULTIPLIER_PPM));

interface Ordered {
  readonly endpoint: string;
  readonly path: string;
  readonly body: object;
  /** The calculator's usage for the same request; null where only the answer has it. */
  readonly usage: TokenUsage | null;
}

/**
 * The requests of the playground's forms for a model: with default settings, and with unusual ones.
 */
function ordersOf(model: Model): Ordered[] {
  if (model.family === "text") {
    const path = "/chat/completions";
    return ["Say hello.", "[[tokens:777]] Say it all."].map((content) => {
      const body = { model: model.id, messages: [{ role: "user", content }], max_tokens: 1000 };
      return { endpoint: "createChatCompletion", path, body, usage: null };
    });
  }
  if (model.family === "image") {
    const usual = { ...imageSettingsOf(model), prompt: "A fox" };
    return [usual, { ...usual, ratio: null, width: 1001, height: 777 }].map((settings) => ({
      endpoint: "createImage",
      path: "/images/generations",
      body: imageBody(settings) ?? {},
      usage: { inputTokens: 0, outputTokens: imageTokens(settings.width, settings.height) },
    }));
  }
  const usual = {
    ...settingsOf(model),
    prompt: "A fox",
    resolution: model.resolutions[0] ?? "480p",
    ratio: model.ratioDefault,
    seconds: model.durationSecondsMin,
  };
  const ratio = model.ratios.at(-1) ?? usual.ratio;
  return [usual, { ...usual, ratio, seconds: model.durationSecondsMin + 1 }].map((settings) => ({
    endpoint: "createVideoTask",
    path: "/contents/generations/tasks",
    body: taskBody(settings) ?? {},
    usage: videoUsage(
      model,
      settings.resolution,
      settings.ratio,
      Math.max(model.durationSecondsMin, settings.seconds),
    ),
  }));
}

interface Bill {
  readonly entry: EntryView;
  readonly price: { input: string; output: string };
  readonly multiplier: string;
}

test.each(models.map((model) => [model.id, model] as const))(
  "%s: price list, calculator, quote, the form's estimate and the settled charge agree to the micropoint",
  async (_, model) => {
    const { prices } = await site.page<{ prices: ModelPriceView[] }>("showPrices");
    const listed = prices.find((each) => each.model === model.id) as ModelPriceView;
    for (const { endpoint, path, body, usage } of ordersOf(model)) {
      const quote = (await site.send("/quote", { endpoint, ...body }))
        .json as unknown as QuoteResponse;
      const quoted = { inputTokens: quote.tokens.input, outputTokens: quote.tokens.output };
      if (usage) expect(usage).toMatchObject(quoted);
      expect(costOf(listed, quoted)?.own).toBe(quote.estimate_points.toFixed(6));
      const { json, requestId } = await site.send(path, body);
      const id = model.family === "video" ? String(json.id) : requestId;
      const read = () => site.page<Bill>("showRequest", id);
      await expect
        .poll(async () => (await read()).entry.request?.state, { timeout: 45_000 })
        .toBe("settled");
      const { entry, price, multiplier } = await read();
      const { request } = entry;
      const used = {
        inputTokens: request?.inputTokens ?? 0,
        outputTokens: request?.outputTokens ?? 0,
      };
      if (usage) expect(usage).toMatchObject(used);
      expect(request?.settled).toBe(costOf(listed, used)?.own);
      expect(entry.amount).toBe(`-${request?.settled}`);
      if (usage)
        expect([request?.quoted, request?.settled]).toEqual(
          Array(2).fill(quote.estimate_points.toFixed(6)),
        );
      expect(request?.held).toBe(quote.hold_points.toFixed(6));
      expect([
        price.output,
        listed.input === null ? listed.input : price.input,
        multiplier,
      ]).toEqual([listed.output, listed.input, listed.own?.multiplier]);
    }
  },
  120_000,
);

const reference = (kind: "image" | "video" | "audio") => ({
  kind,
  address: `https://files.example/${kind}`,
});
const flex = { service_tier: "flex", execution_expires_after: 7200 } as const;

/** What the form can set of a video beside the usual. */
const chosen: readonly Partial<VideoSettings>[] = [
  { length: "auto", ratio: "adaptive", generateAudio: true, more: { ...flex, priority: 3 } },
  { length: "frames", frames: 57, seed: 7, more: { output_format: "mov", watermark: true } },
  {
    references: [reference("image"), reference("video"), reference("audio")],
    more: { ...flex, omni_reference_task_type: "extend", tools: [{ type: "web_search" }] },
  },
  {
    prompt: "",
    firstFrame: ["https://files.example/first"],
    lastFrame: ["https://files.example/last"],
    ratio: "adaptive",
    more: { return_last_frame: true, camera_fixed: true },
  },
  { generateAudio: true, more: { draft: true } },
];

test("whatever the form orders is held as quoted, charged within that, shown, and repeated", async () => {
  const before = catalogue();
  await sellModel(site.relay, wholeVideo);
  const model = wholeModel();
  const usual: VideoSettings = { ...settingsOf(model), resolution: "480p", prompt: "A fox" };
  const order = async (settings: VideoSettings) => {
    const body = taskBody(settings) ?? {};
    const path = "/contents/generations/tasks";
    const bill = await billFor(site, { endpoint: "createVideoTask", path, body });
    expect([bill.held, bill.settled <= bill.held]).toEqual([bill.quotedHold, true]);
    const { task } = await site.page<TaskDetailView>("showTask", bill.id);
    const again = videoSettingsOf(task, [model]);
    expect(again && taskBody(again)).toEqual(body);
    return task;
  };
  try {
    let last: TaskDetailView["task"] | null = null;
    for (const each of chosen) last = await order({ ...usual, ...each });
    expect(last?.settings.more.draft).toBe(true);
    const final = await order({ ...usual, draftTask: last?.id ?? null });
    expect(final.settings.draftTask).toBe(last?.id);
    const times = await site.page<Record<string, object>>("showTypicalTimes");
    // What was made later has a usual time of its own.
    for (const seconds of [times.seconds, times.flexSeconds])
      expect(seconds).toMatchObject({ [model.id]: expect.any(Number) });
  } finally {
    replaceCatalogue(before);
  }
}, 120_000);
