/** Which principal may call which row, and what is said to the others. */
import type { Principal } from "../accounts/principal";
import type { EndpointRow } from "../contract/endpoint";
import { RelayError } from "../errors";

const callOf = ({ method, path }: EndpointRow) => `${method} ${path}`;

const notForSessions = () =>
  new RelayError("not_found", { message: "This endpoint is only for requests with an API key." });

function notForManagementKeys(row: EndpointRow): RelayError {
  const never = row.billing === "generation" ? "A management key can never generate." : "";
  const instead = `Call ${callOf(row)} with an API key (sk-rly-…), not with a management key (sk-rly-mgmt-…).`;
  return new RelayError("key_kind_not_allowed", { message: `${never} ${instead}`.trim() });
}

function notForApiKeys(row: EndpointRow): RelayError {
  const message = `${callOf(row)} takes a management key (sk-rly-mgmt-…), not an API key. Create one on the points page.`;
  return new RelayError("key_kind_not_allowed", { message });
}

/**
 * Throws `key_kind_not_allowed` or `scope_missing`. A page's session gets `not_found`: such an
 * endpoint is about the key itself.
 */
export function assertAdmitted(row: EndpointRow, principal: Principal): void {
  const { kind } = principal;
  if (!row.admits.includes(kind)) {
    if (kind === "session") throw notForSessions();
    throw kind === "managementKey" ? notForManagementKeys(row) : notForApiKeys(row);
  }
  if (kind !== "managementKey" || row.scope === undefined) return;
  if (principal.scopes.includes(row.scope)) return;
  const message = `${callOf(row)} needs the scope ${row.scope}; this management key has ${principal.scopes.join(", ")}.`;
  throw new RelayError("scope_missing", { message });
}
