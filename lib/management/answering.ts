import type { EndpointRow } from "../contract/endpoint";
import { isRelayError } from "../failures/relay-error";
import { namedAsSent } from "../http/named-as-sent";
import type { UseCase } from "../http/serve";

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

/** Rejects with the names of the body's own fields. */
export function answering<Row extends EndpointRow>(run: UseCase<Row>): UseCase<Row> {
  return async (call) => {
    try {
      return await run(call);
    } catch (error) {
      throw isRelayError(error) ? namedAsSent(error, (field) => names[field]) : error;
    }
  };
}
