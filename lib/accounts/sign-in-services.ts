/** The other services through which users sign in, and their identities there. */
import { createHash } from "node:crypto";
import { type SignInService, signInServices } from "../contract/sign-in-services";
import type { UserIdentity } from "../db/generated/client";
import type { Settings } from "../settings/settings";

type Named = Pick<UserIdentity, "provider" | "providerAccountId">;

export const isSignInService = (name: string): name is SignInService =>
  signInServices.some((service) => service === name);

/** Whether this installation offers the service. */
export function isServiceOffered(settings: Settings, service: SignInService): boolean {
  const { GITHUB_ID, GOOGLE_ID, OIDC_ISSUER } = settings;
  return { github: GITHUB_ID, google: GOOGLE_ID, oidc: OIDC_ISSUER }[service] !== undefined;
}

/** An identity's id in our own addresses: it tells nothing of whose it is. */
export const identityId = ({ provider, providerAccountId }: Named): string =>
  createHash("sha256").update(`${provider} ${providerAccountId}`).digest("hex").slice(0, 32);
