import type { OrderReader } from "@/lib/accounts/order-reader";

/** A key of an account, as it reads what it ordered itself. */
export const keyReader = (accountId: string): OrderReader => ({
  accountId,
  apiKeyId: `key_of_${accountId}`,
  userId: null,
  models: [],
});
