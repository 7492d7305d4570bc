import type { KeyAuthenticator } from "@/lib/accounts/key-authenticator";
import type { ApiKeyPrincipal, ManagementKeyPrincipal } from "@/lib/accounts/principal";
import { managementScopes } from "@/lib/contract/states";
import { RelayError } from "@/lib/failures/relay-error";
import { usualTerms } from "../accounts/usual-terms";

/** Knows the key `good`, and others of the same setting. */
export function keyAuthenticatorOf(setting: {
  readonly principal: ApiKeyPrincipal;
}): KeyAuthenticator {
  return {
    identify(authorization) {
      if (authorization === undefined) throw new RelayError("missing_api_key");
      if (authorization === "Bearer manage") return managerOf(setting.principal);
      if (authorization === "Bearer other")
        return { ...setting.principal, ...ofKey("acct_other", "key_other") };
      if (authorization !== "Bearer good") throw new RelayError("invalid_api_key");
      return setting.principal;
    },
  };
}

/** A management key of the same account, with every scope. */
const managerOf = ({ accountId }: ApiKeyPrincipal): ManagementKeyPrincipal => ({
  kind: "managementKey",
  accountId,
  apiKeyId: null,
  managementKeyId: "mkey_a",
  scopes: managementScopes,
  rateSubject: "mkey_a",
  requestsPerMinute: 1_000_000,
  models: [],
  ...usualTerms,
});

export const ofKey = (accountId: string, apiKeyId: string) =>
  ({ kind: "apiKey", accountId, apiKeyId, rateSubject: apiKeyId }) as const;
