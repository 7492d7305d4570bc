/** `GET /v1/models` and `GET /v1/models/{model}`: the catalogue with the caller's own prices. */
import { allowedModels, findAllowedChoices, findAllowedModel } from "../accounts/allowed-model";
import type { Principal } from "../accounts/principal";
import { type ImageOptions, type Model, namesOf } from "../catalog/model";
import { findVirtual, type VirtualModel, virtualModels } from "../catalog/virtual-models";
import type { Endpoints } from "../contract/endpoints";
import type { ModelEntry } from "../contract/model-list";
import { messagesModel, messagesModelList } from "../dialects/messages/model-list";
import { isRelayError, RelayError } from "../failures/relay-error";
import { jsonAnswer, jsonTextAnswer, type UseCase } from "../http/serve";
import { type Micropoints, pointsNumber } from "../money/points";
import type { PriceBook } from "../price-book/price-version";
import { pricedChoices, priceRange } from "../price-book/virtual-choice";
import { ratesOf } from "../pricing/rate";
import { multipliedRate } from "../pricing/rate-text";
import { speaksMessages } from "./messages-edge";

/** What its orders may ask for besides; absent for what it does not have. */
const optionsOf = ({ imagesMax, sizeNames, formats, hasWatermark, ...own }: ImageOptions) => ({
  ...(imagesMax > 1 && { images_max: imagesMax }),
  ...(own.layersMax !== null && { layers_max: own.layersMax }),
  ...(Object.keys(sizeNames).length > 0 && { size_names: sizeNames }),
  ...(formats.length > 0 && { output_formats: formats }),
  ...(hasWatermark && { watermark: true }),
  ...(own.guidance !== null && { guidance_scale: own.guidance }),
  ...(own.promptModes.length > 0 && { prompt_modes: own.promptModes }),
  ...(own.passes.length > 0 && { passes: own.passes }),
});

function capabilitiesOf(model: Model): ModelEntry["capabilities"] {
  if (model.family === "text") return { streaming: true, output_tokens_max: model.outputTokensMax };
  if (model.family === "video") {
    return {
      duration_seconds_min: model.durationSecondsMin,
      duration_seconds_max: model.durationSecondsMax,
      ...(model.durations !== null && { durations: model.durations }),
      resolutions: model.resolutions,
      ratios: model.ratios,
      reference_images_max: model.referenceImagesMax,
      audio: model.audio,
      ...(model.hasLastFrame && { last_frame: true }),
      ...(Object.keys(model.offers).length > 0 && { offers: model.offers }),
    };
  }
  return {
    side_pixels_min: model.sidePixelsMin,
    side_pixels_max: model.sidePixelsMax,
    sizes: model.ratioSizes,
    ...(model.sizes !== null && { sizes_allowed: model.sizes }),
    reference_images_max: model.referenceImagesMax,
    ...(model.qualityDefault !== null && {
      qualities: model.qualities,
      quality_default: model.qualityDefault,
    }),
    ...optionsOf(model.options),
  };
}

const ownPoints = (amount: Micropoints, multiplierPpm: number) =>
  pointsNumber(multipliedRate(amount, multiplierPpm));

function entryOf(model: Model, principal: Principal, priceBook: PriceBook): ModelEntry {
  const listed = priceBook.current(model.id)?.price;
  const multiplierPpm = principal.multiplierPpm(model.id);
  const pricing = listed && {
    input: model.family === "text" ? ownPoints(listed.input, multiplierPpm) : null,
    output: ownPoints(listed.output, multiplierPpm),
    rates: ratesOf(model.family, listed).map(({ amount, ...rate }) => ({
      ...rate,
      points: ownPoints(amount, multiplierPpm),
    })),
  };
  return {
    id: model.id,
    object: "model",
    created: model.createdAt,
    owned_by: "relay",
    aliases: namesOf(model).slice(1),
    family: model.family,
    capabilities: capabilitiesOf(model),
    pricing: pricing ?? null,
  };
}

/** A model that stands for others: it can what one of them can, and costs what the one does that answers. */
function virtualEntryOf(
  virtual: VirtualModel,
  principal: Principal,
  priceBook: PriceBook,
): ModelEntry {
  const allowed = findAllowedChoices(virtual, principal);
  const choices = pricedChoices(virtual, allowed, principal, priceBook);
  const range = priceRange(choices);
  const models = choices.map(({ model }) => model);
  const isText = virtual.family === "text";
  const lengths = allowed.map((model) => (model.family === "text" ? model.outputTokensMax : 0));
  return {
    id: virtual.name,
    object: "model",
    created: Math.min(...allowed.map(({ createdAt }) => createdAt)),
    owned_by: "relay",
    aliases: [],
    family: virtual.family,
    capabilities: isText ? { streaming: true, output_tokens_max: Math.max(...lengths) } : {},
    pricing:
      isText && range
        ? {
            input: pointsNumber(range.input.max),
            output: pointsNumber(range.output.max),
            rates: [],
          }
        : null,
    choice: {
      models: models.map(({ id }) => id),
      input_min: isText && range ? pointsNumber(range.input.min) : null,
      output_min: isText && range ? pointsNumber(range.output.min) : null,
      ...(range && {
        usual_min: pointsNumber(range.usual.min),
        usual_max: pointsNumber(range.usual.max),
      }),
    },
  };
}

/** Those that may choose a model for the caller. */
function virtualEntries(principal: Principal, priceBook: PriceBook): ModelEntry[] {
  return virtualModels().flatMap((virtual) => {
    try {
      return [virtualEntryOf(virtual, principal, priceBook)];
    } catch (error) {
      if (isRelayError(error)) return [];
      throw error;
    }
  });
}

/** Accounts have few multipliers that differ: those of groups, and their own. */
const MULTIPLIERS_KEPT_MAX = 16;

/**
 * The JSON of entries, kept for each model until it or its price changes: with a thousand models,
 * writing them anew for every list would take most of its time.
 */
function createEntryTexts(priceBook: PriceBook) {
  const kept = new WeakMap<Model, { priceId: string | undefined; texts: Map<number, string> }>();
  return (model: Model, principal: Principal): string => {
    const priceId = priceBook.current(model.id)?.id;
    let known = kept.get(model);
    if (known === undefined || known.priceId !== priceId) {
      known = { priceId, texts: new Map() };
      kept.set(model, known);
    }
    const { texts } = known;
    const multiplierPpm = principal.multiplierPpm(model.id);
    let text = texts.get(multiplierPpm);
    if (text === undefined) {
      if (texts.size === MULTIPLIERS_KEPT_MAX) texts.clear();
      text = JSON.stringify(entryOf(model, principal, priceBook));
      texts.set(multiplierPpm, text);
    }
    return text;
  };
}

export function createListModels(priceBook: PriceBook): UseCase<Endpoints["listModels"]> {
  const entryText = createEntryTexts(priceBook);
  return (call) => {
    const { principal } = call;
    const models = allowedModels(principal);
    const virtual = virtualEntries(principal, priceBook);
    if (!speaksMessages(call.incoming)) {
      const known = models.map((model) => entryText(model, principal));
      const entries = [...known, ...virtual.map((entry) => JSON.stringify(entry))];
      return jsonTextAnswer(call, `{"object":"list","data":[${entries.join(",")}]}`);
    }
    const own = models.map((model) => entryOf(model, principal, priceBook));
    const data = [...own, ...virtual];
    return jsonAnswer(call, messagesModelList({ object: "list", data }));
  };
}

/** Throws `model_retired`, or `model_not_found`, also when the caller may not use the model. */
export function createGetModel(priceBook: PriceBook): UseCase<Endpoints["getModel"]> {
  return (call) => {
    try {
      const { parameter, principal } = call;
      const virtual = findVirtual(parameter);
      const entry =
        virtual === undefined
          ? entryOf(findAllowedModel(parameter, principal), principal, priceBook)
          : virtualEntryOf(virtual, principal, priceBook);
      return jsonAnswer(call, speaksMessages(call.incoming) ? messagesModel(entry) : entry);
    } catch (error) {
      if (!(error instanceof RelayError) || error.code === "model_retired") throw error;
      throw new RelayError("model_not_found", {
        message: `There is no model ${JSON.stringify(call.parameter.slice(0, 100))}. GET /v1/models lists the models.`,
      });
    }
  };
}
