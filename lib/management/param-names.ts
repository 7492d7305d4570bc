import { type RelayError, reworded } from "../errors";

/** The fields of a command, as the bodies of this API name them. */
const names: Readonly<Record<string, string>> = {
  requestsPerMinute: "requests_per_minute",
  expiresAt: "expires_at",
  allowedAddresses: "allowed_addresses",
  budgetZone: "budget_zone",
  concurrentMax: "concurrent_requests_max",
  tokensPerMinute: "tokens_per_minute",
  hourlySpendMax: "hourly_spend_points_max",
};

/** The same error, at the field of the body that was sent. */
export function namedAsInBody(error: RelayError): RelayError {
  const param = error.param === null ? undefined : names[error.param];
  if (param === undefined) return error;
  return reworded(error, { message: error.message, param });
}
