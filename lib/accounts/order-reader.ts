import type { OrderReader } from "../db/order-readers";
import type { Principal } from "./principal";

/** A principal, as the reader of what was ordered in its account. */
export const orderReaderOf = (principal: Principal): OrderReader => ({
  accountId: principal.accountId,
  apiKeyId: principal.apiKeyId,
  userId: principal.kind === "session" ? principal.userId : null,
  models: principal.models,
});
