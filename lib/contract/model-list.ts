/**
 * `GET /v1/models`: the models with their capabilities and the caller's own prices. The optional
 * members are there for requests with the header `anthropic-version`.
 */
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
  type: z.literal("model").optional(),
  display_name: z.string().optional(),
  created_at: z.string().optional(),
});
export type ModelEntry = z.infer<typeof modelEntry>;

export const modelList = z.object({
  object: z.literal("list"),
  data: z.array(modelEntry),
  has_more: z.boolean().optional(),
  first_id: z.string().nullable().optional(),
  last_id: z.string().nullable().optional(),
});
export type ModelList = z.infer<typeof modelList>;
