import { identityId, isServiceOffered, isSignInService } from "../accounts/sign-in-services";
import { IDENTITIES_MAX } from "../contract/limits";
import { type SignInService, signInServices } from "../contract/sign-in-services";
import type { UserIdentity } from "../db/generated/client";
import { RelayError } from "../failures/relay-error";
import type { Settings } from "../settings/settings";
import type { QueryDeps } from "./query-deps";

type Deps = Pick<QueryDeps, "database">;

/** An identity of a service that this release does not know signs nobody in. */
function viewOf(identity: UserIdentity) {
  const { provider, providerAccountId, userId, createdAt } = identity;
  if (!isSignInService(provider)) return [];
  // An issuer's subject is stored behind its address.
  const subject = providerAccountId.slice(providerAccountId.indexOf(" ") + 1);
  const id = identityId(identity);
  return [{ id, service: provider, subject, userId, createdAt: createdAt.toISOString() }];
}

/** The services that this installation offers. */
export const offeredServices = (settings: Settings): SignInService[] =>
  signInServices.filter((service) => isServiceOffered(settings, service));

/** The services through which a user signs in, the first one first. */
export async function listIdentities({ database }: Deps, userId: string) {
  const found = await database.userIdentity.findMany({
    where: { userId },
    orderBy: { createdAt: "asc" },
    take: IDENTITIES_MAX,
  });
  return found.flatMap(viewOf);
}

const ACCOUNT_IDENTITIES_MAX = 1000;

/** Those of all members of an account. */
export async function listAccountIdentities({ database }: Deps, accountId: string) {
  const found = await database.userIdentity.findMany({
    where: { user: { memberships: { some: { accountId } } } },
    orderBy: { createdAt: "asc" },
    take: ACCOUNT_IDENTITIES_MAX,
  });
  return found.flatMap(viewOf);
}

/** The user whose identity it is. Rejects with `not_found`. */
export async function userOfIdentity({ database }: Deps, id: string): Promise<string> {
  const [found] = await database.$queryRaw<{ userId: string }[]>`
    select user_id as "userId" from user_identity
     where substr(encode(sha256(convert_to(provider || ' ' || provider_account_id, 'UTF8')), 'hex'), 1, 32) = ${id}`;
  if (found === undefined) throw new RelayError("not_found");
  return found.userId;
}
