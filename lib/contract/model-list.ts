/** `GET /v1/models`: the models with their capabilities and the caller's own prices. */
import { z } from "zod";
import { families } from "./states";

/** Points per million tokens. */
const pricing = z.object({ input: z.number().nullable(), output: z.number() }).nullable();

export const modelEntry = z.object({
  id: z.string(),
  object: z.literal("model"),
  created: z.int(),
  owned_by: z.literal("relay"),
  aliases: z.array(z.string()),
  family: z.enum(families),
  capabilities: z.record(z.string(), z.unknown()),
  /** Null while the model has no price and cannot be sold. */
  pricing,
});
export type ModelEntry = z.infer<typeof modelEntry>;

export const modelList = z.object({ object: z.literal("list"), data: z.array(modelEntry) });
