/** API keys as a management key sees and changes them. All points are decimal numbers. */
import { z } from "zod";
import { givenHeldLimits, heldLimits } from "./held-limits";
import { keyLimits } from "./key-limits";
import {
  ADDRESS_LENGTH_MAX,
  ID_LENGTH_MAX,
  KEY_ADDRESSES_MAX,
  KEY_MODELS_MAX,
  MODEL_LENGTH_MAX,
  NAME_LENGTH_MAX,
  POINTS_MAX,
  REQUESTS_PER_MINUTE_MAX,
} from "./limits";
import { shownName } from "./shown-text";
import { apiKeyStatuses } from "./states";

const epoch = z.int().nullable();
const SECONDS_MAX = 253_402_300_799;

export const managedKey = z.object({
  id: z.string().describe("The id of the key"),
  object: z.literal("api_key").describe("The kind of object"),
  name: z.string().describe("The name of the key"),
  hint: z.string().describe("The first and last characters of the key"),
  status: z.enum(apiKeyStatuses).describe("Whether it can be used now, and why not"),
  created_at: z.int().describe("When the key was created, in epoch seconds"),
  last_used_at: epoch.describe("When it was last used, in epoch seconds; null: never"),
  expires_at: epoch.describe("When it expires, in epoch seconds; null: never"),
  revoked_at: epoch.describe("When it was revoked, in epoch seconds; null unless it was"),
  ...keyLimits,
  hourly_spend_points_max: z
    .number()
    .nullable()
    .describe("The points within an hour above which the key is paused; null for never"),
  paused_spend_points: z
    .number()
    .nullable()
    .describe("What it had spent within the hour when it was paused; null unless it is paused"),
  ...heldLimits,
  spent_points: z.number().describe("The points that the key has spent"),
  spent_30_days_points: z.number().describe("The points that the key has spent in 30 days"),
});
export type ManagedKeyView = z.infer<typeof managedKey>;

export const managedKeyMade = managedKey.extend({
  key: z.string().describe("The key itself; it is in this answer only"),
});

export const managedKeyList = z.object({
  object: z.literal("list").describe("The kind of object"),
  data: z.array(managedKey).describe("The keys of the page, newest first"),
  first_id: z.string().nullable().describe("The id of the first key; null for an empty page"),
  last_id: z.string().nullable().describe("The id of the last key; null for an empty page"),
  has_more: z.boolean().describe("Whether there is another page"),
});

export const managedKeyQuery = z.strictObject({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ default: 20, description: "The number of keys of one page" }),
  after: z
    .string()
    .max(ID_LENGTH_MAX)
    .optional()
    .describe("The id of the last key of the page before"),
});

const name = shownName(NAME_LENGTH_MAX).describe("What the key is for");
const limits = {
  requests_per_minute: z
    .int()
    .min(1)
    .max(REQUESTS_PER_MINUTE_MAX)
    .optional()
    .describe("The most requests per minute"),
  models: z
    .array(z.string().max(MODEL_LENGTH_MAX))
    .max(KEY_MODELS_MAX)
    .optional()
    .describe("The models that the key may use; empty for all"),
  allowed_addresses: z
    .array(z.string().max(ADDRESS_LENGTH_MAX))
    .max(KEY_ADDRESSES_MAX)
    .optional()
    .describe("The network addresses and ranges from which it may be used; empty for all"),
  budget_points: z
    .number()
    .min(0)
    .max(POINTS_MAX)
    .nullable()
    .optional()
    .describe("The points that the key may spend in its lifetime; null for no limit"),
  hourly_spend_points_max: z
    .number()
    .positive()
    .max(POINTS_MAX)
    .nullable()
    .optional()
    .describe("The points within an hour above which the key is paused; null for never"),
  expires_at: z
    .int()
    .min(1)
    .max(SECONDS_MAX)
    .nullable()
    .optional()
    .describe("When it expires, in epoch seconds; null: never"),
  ...givenHeldLimits,
};

export const makeManagedKey = z.strictObject({ name, ...limits });
export const changeManagedKey = z.strictObject({
  name: name.optional(),
  ...limits,
  paused: z
    .literal(false)
    .optional()
    .describe("false resumes a paused key; its hourly spending starts at zero again"),
});
