/** The limits of a key besides those that the ledger holds, in the words of the API. */
import { z } from "zod";

export const keyLimits = {
  requests_per_minute: z.int().describe("The most requests per minute"),
  models: z.array(z.string()).describe("The models that the key may use; empty for all"),
  allowed_addresses: z
    .array(z.string())
    .describe("The network addresses and ranges from which it may be used; empty for all"),
  budget_points: z
    .number()
    .nullable()
    .describe("The points that the key may spend in its lifetime; null for no limit"),
};
