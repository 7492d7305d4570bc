import { useMutation } from "@tanstack/react-query";
import { identityEndpoints as rows } from "../contract/identities";
import type { SignInService } from "../contract/sign-in-services";
import { call } from "./call";
import { reading } from "./read";
import { useFactorsChanged } from "./second-factor";
import { signIn } from "./sign-in";

export const identitiesQuery = reading(["second-factor", "identities"], rows.listIdentities, {});

/** Leaves the page for the service, which leads back to the settings. */
export function useAddIdentity() {
  return useMutation({
    async mutationFn(service: SignInService) {
      await call(rows.startIdentity, { body: { service } });
      await signIn(service, { callbackUrl: "/settings#services" });
    },
  });
}

export function useRemoveIdentity() {
  const changed = useFactorsChanged();
  return useMutation({
    mutationFn: (id: string) => call(rows.removeIdentity, { id }),
    onSuccess: changed,
  });
}
