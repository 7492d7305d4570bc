/** The file of a model, as a person writes it to make one or to change it. */
import { z } from "zod";
import { imageSpec } from "./image-spec";
import { MODEL_ALIASES_MAX, MODEL_ID_LENGTH_MAX, POINTS_LENGTH_MAX } from "./limits";
import { modelNames, textSpec, videoSpec } from "./model-spec";
import { pointsInput } from "./points";
import { rateInput } from "./rates";
import { RATES_MAX } from "./units";

const name = z
  .string()
  .max(MODEL_ID_LENGTH_MAX)
  .regex(/^[A-Za-z0-9._:/-]+$/, "it must have only letters, digits and . _ : / -")
  // These mean a folder in the address of a model.
  .refine((text) => text !== "." && text !== "..", "it must have a letter or a digit");

/** In a file `points` may be a number too. */
const fileRate = rateInput.extend({
  points: z
    .union([z.string().max(POINTS_LENGTH_MAX), z.number().transform(String)])
    .pipe(pointsInput),
});

const common = {
  id: name,
  /** Absent in a change: they stay. */
  aliases: z.array(name).max(MODEL_ALIASES_MAX).optional(),
  names: modelNames.nullable().optional(),
  /** The whole price; absent: it stays, or comes later. */
  rates: z.array(fileRate).min(1).max(RATES_MAX).optional(),
};

export const modelSpecs = { text: textSpec, video: videoSpec, image: imageSpec } as const;

export const modelFile = z.discriminatedUnion("family", [
  z.strictObject({ ...common, family: z.literal("text"), spec: textSpec }),
  z.strictObject({ ...common, family: z.literal("video"), spec: videoSpec }),
  z.strictObject({ ...common, family: z.literal("image"), spec: imageSpec }),
]);

export type ModelFile = z.output<typeof modelFile>;
