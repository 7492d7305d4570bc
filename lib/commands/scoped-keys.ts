/** What keys with scopes have in common: those of operators, and those that manage an account. */
import { hashKeyText } from "../accounts/key-text";
import { isCountLimit } from "../db/database-errors";
import { RelayError } from "../failures/relay-error";

interface NewScopedKey {
  readonly scopes: readonly string[];
  readonly expiresAt?: Date | null | undefined;
}

/** Throws `invalid_value` for a key without a scope, or with an expiry that is over. */
export function assertScopedKey(called: string, { scopes, expiresAt }: NewScopedKey): void {
  if (scopes.length === 0)
    throw new RelayError("invalid_value", {
      param: "scopes",
      message: `${called} needs at least one scope.`,
      fault: { name: "too_few", sent: 0, bound: 1 },
    });
  if (expiresAt != null && !(expiresAt.getTime() > Date.now()))
    throw new RelayError("invalid_value", {
      param: "expiresAt",
      message: "The key's expiry must be in the future.",
      fault: { name: "not_in_future" },
    });
}

/** For the error of an insert: throws `invalid_value` if the database counted too many keys in use. */
export const refusedByCount =
  (max: number, rule: string) =>
  (error: unknown): never => {
    if (!isCountLimit(error)) throw error;
    throw new RelayError("invalid_value", {
      message: `${rule} Revoke one first.`,
      fault: { name: "keys_in_use", max },
    });
  };

export const hashedKey = (secret: string) =>
  new Uint8Array(Buffer.from(hashKeyText(secret), "base64"));
