import type { OrderReader } from "@/lib/db/order-readers";

/** A key of an account, as it reads what it ordered itself. */
export const byKey = (accountId: string): OrderReader => ({
  accountId,
  apiKeyId: `key_of_${accountId}`,
  userId: null,
  models: [],
});
