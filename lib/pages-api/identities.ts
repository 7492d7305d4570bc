/** The other services through which a user signs in. */
import { linkWishCookie } from "../accounts/link-wish";
import { isServiceOffered } from "../accounts/sign-in-services";
import { removeIdentity } from "../commands/identities";
import type { identityEndpoints } from "../contract/identities";
import type { operatorIdentityEndpoints } from "../contract/operator-identities";
import { RelayError } from "../failures/relay-error";
import { listAccountIdentities, listIdentities, userOfIdentity } from "../queries/identities";
import { mailFactor } from "./factor-mails";
import type { PagesDeps } from "./pages-deps";
import { deviceCookieFor } from "./sign-in-cookies";
import type { UseCases } from "./use-case";

const DONE = { done: true } as const;

const hasMail = ({ settings }: PagesDeps) => settings.SMTP_URL !== undefined;

export const identityUseCases: UseCases<typeof identityEndpoints> = {
  listIdentities: async ({ deps, user }) => ({
    identities: await listIdentities(deps, user.userId),
  }),
  async startIdentity({ deps, user: { userId }, body: { service }, ...call }) {
    if (!isServiceOffered(deps.settings, service)) throw new RelayError("not_found");
    const sessionId = await call.sessionId();
    if (sessionId === null) throw new RelayError("sign_in_required");
    const { isSecure } = deviceCookieFor(deps);
    call.sendCookie(linkWishCookie(deps.secrets, { sessionId, userId, service }, { isSecure }));
    return DONE;
  },
  async removeIdentity(call) {
    const { deps, user, id } = call;
    const wanted = { userId: user.userId, id, hasMail: hasMail(deps) };
    const changed = await removeIdentity(deps, user.userId, wanted);
    deps.sessions.forget();
    await call.renewSession(changed);
    mailFactor(call, user, "identityRemoved");
    return DONE;
  },
};

export const operatorIdentityUseCases: UseCases<typeof operatorIdentityEndpoints> = {
  listUserIdentities: async ({ deps, id }) => ({
    identities: await listAccountIdentities(deps, id),
  }),
  async removeUserIdentity({ deps, user, id, locale }) {
    const userId = await userOfIdentity(deps, id);
    const { email } = await removeIdentity(deps, user.userId, {
      userId,
      id,
      hasMail: hasMail(deps),
    });
    deps.sessions.forget();
    mailFactor({ deps, locale }, { email }, "identityRemoved");
    return DONE;
  },
};
