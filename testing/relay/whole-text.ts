/** The file of a text model that offers everything, at rates of their own, and models that offer nothing more. */
import type { TextModel } from "@/lib/catalog/models";
import { passedTextFields } from "@/lib/contract/passed-text-fields";
import type { SoldText } from "@/lib/dialects/text-asks";
import { modelOf } from "@/lib/model-file/model-of";

/** Of rates of all tokens, each with those of its tiers. */
const byTier = (unit: "input_token" | "output_token", points: number) => [
  { unit, points },
  { unit, tier: "flex", points: points / 2 },
  { unit, tier: "priority", points: points * 2 },
  { unit, tier: "fast", points: points * 6 },
  { unit, tier: "us", points: points + 1 },
  { unit, tier: "fast:us", points: points * 7 },
];

export const wholeText = {
  id: "acme-text",
  family: "text",
  spec: {
    output_tokens_max: 4000,
    context_tokens: 20_000,
    image_tokens_max: 1000,
    offers: {
      answers_max: 4,
      sounds: { bytes_per_token: 100 },
      documents: { tokens_max: 5000 },
      tools: { types: ["web_search", "code_interpreter"], calls_max: 3 },
      passes: [...passedTextFields],
    },
  },
  rates: [
    ...byTier("input_token", 80),
    ...byTier("output_token", 800),
    { unit: "input_audio_token", points: 1600 },
    { unit: "audio_token", points: 2400 },
    { unit: "tool_call", points: 2 },
  ],
};

/** The model of that file, as a process has it. */
export function wholeTextModel(): TextModel {
  const model = modelOf({
    ...{ id: wholeText.id, family: "text", is_built_in: false, state: "offered" },
    ...{ retires_at: null, replaced_by: null, created_at: new Date(0), version: 1 },
    ...{ version_id: "1", aliases: [], names: null, spec: wholeText.spec },
  });
  if (model.family !== "text") throw new Error("it is no text model");
  return model;
}

/** Of a model that offers nothing more than answers. */
export const plainText: SoldText = { offers: {}, hasSpeech: false, hasTier: () => false };
