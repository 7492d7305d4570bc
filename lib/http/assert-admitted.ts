/** Which principal may call which row, and what is said to the others. */
import type { Principal } from "../accounts/principal";
import type { EndpointRow } from "../contract/endpoint";
import type { ManagementScope, OperatorScope } from "../contract/states";
import { RelayError } from "../failures/relay-error";

const callOf = ({ method, path }: EndpointRow) => `${method} ${path}`;

const notForSessions = () =>
  new RelayError("not_found", { message: "This endpoint is only for requests with an API key." });

const keyNames = {
  apiKey: "an API key",
  managementKey: "a management key (sk-rly-mgmt-…)",
  operatorKey: "an operator key (sk-rly-op-…)",
} as const;
type KeyKind = keyof typeof keyNames;

/** To the holder of the wrong kind of key, at a row that API keys may call. */
function notForThisKind(row: EndpointRow, kind: KeyKind): RelayError {
  const [name] = keyNames[kind].split(" (");
  const never =
    row.billing === "generation" ? `${name?.replace("a", "A")} can never generate. ` : "";
  const instead = `Call ${callOf(row)} with an API key (sk-rly-…), not with ${keyNames[kind]}.`;
  return new RelayError("key_kind_not_allowed", { message: `${never}${instead}` });
}

function notForOthers(row: EndpointRow, kind: KeyKind): RelayError {
  const isOperators = row.admits.includes("operatorKey");
  const wanted = keyNames[isOperators ? "operatorKey" : "managementKey"];
  const where = isOperators
    ? "Operators create one on their pages."
    : "Create one on the keys page.";
  const message = `${callOf(row)} takes ${wanted}, not ${keyNames[kind]}. ${where}`;
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
    throw row.admits.includes("apiKey") ? notForThisKind(row, kind) : notForOthers(row, kind);
  }
  if (row.scope !== undefined) assertScope(row, principal, row.scope);
}

/** Throws `scope_missing` for a key with scopes that lacks this one. */
function assertScope(
  row: EndpointRow,
  principal: Principal,
  wanted: ManagementScope | OperatorScope,
): void {
  if (principal.kind === "apiKey" || principal.kind === "session") return;
  if (principal.scopes.some((scope) => scope === wanted)) return;
  const name = principal.kind === "operatorKey" ? "operator" : "management";
  const message = `${callOf(row)} needs the scope ${wanted}; this ${name} key has ${principal.scopes.join(", ")}.`;
  throw new RelayError("scope_missing", { message });
}
