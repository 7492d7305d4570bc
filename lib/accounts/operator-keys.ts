import type pg from "pg";
import { OPERATOR_REQUESTS_PER_MINUTE } from "../contract/limits";
import { type OperatorScope, operatorScopes } from "../contract/states";
import { RelayError } from "../failures/relay-error";
import { isOperatorKeyText } from "./key-text";
import type { OperatorKeyPrincipal } from "./principal";
import { createProgramKeys, type FoundKey, programPrincipal } from "./program-keys";

interface FoundOperatorKey extends FoundKey {
  readonly email: string;
}

const isScope = (word: string): word is OperatorScope =>
  operatorScopes.some((scope) => scope === word);

/**
 * A key whose maker is no operator any more ends at once too. `mayOperateFrom`: whether operators may
 * work from an address.
 */
export const createOperatorKeys = (
  pool: pg.Pool,
  mayOperateFrom: (address: string | undefined) => boolean,
) =>
  createProgramKeys(pool, {
    table: "operator_key",
    account: 'join "user" u on u.id = k.user_id join account a on a.id = u.account_id',
    columns: ", u.email",
    isRevoked: "(k.revoked_at is not null or not u.is_operator)",
    isKeyText: isOperatorKeyText,
    principalOf: (row: FoundOperatorKey): OperatorKeyPrincipal => ({
      ...programPrincipal(row),
      kind: "operatorKey",
      operatorKeyId: row.id,
      email: row.email,
      scopes: row.scopes.filter(isScope),
      requestsPerMinute: OPERATOR_REQUESTS_PER_MINUTE,
    }),
    assertPlace(address) {
      if (mayOperateFrom(address)) return;
      const message = `Operator keys may not be used from ${address ?? "an unknown address"}.`;
      throw new RelayError("address_not_allowed", { message });
    },
  });
