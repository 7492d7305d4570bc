/** The settings about further ways to prove who one is. */
import type { Locale } from "@/messages/locales";
import { readChallenge } from "../accounts/second-factor/challenge";
import { mustHaveFactor } from "../accounts/second-factor/required";
import { totpUri } from "../accounts/second-factor/totp";
import type { UserSession } from "../accounts/session-store";
import type { FactorChange } from "../commands/change-factors";
import { addPasskey, removePasskey, renamePasskey } from "../commands/passkeys";
import * as factors from "../commands/second-factor";
import { givenBrandName } from "../contract/brand";
import type { secondFactorEndpoints } from "../contract/second-factor";
import { listPasskeys, showSecondFactor } from "../queries/second-factor";
import { mailFactor } from "./factor-mails";
import type { PagesDeps } from "./pages-deps";
import { boundTo, sendChallenge, sentChallenge } from "./passkey-challenges";
import type { UseCases } from "./use-case";

const DONE = { done: true } as const;

const isRequired = ({ settings }: PagesDeps, user: UserSession) => mustHaveFactor(settings, user);

/** Continues the calling session, which is complete from now on, and tells the user by mail. */
async function changed(
  call: { deps: PagesDeps; locale: Locale; renewSession(user: UserSession): Promise<void> },
  what: Parameters<typeof mailFactor>[2],
  change: Promise<FactorChange>,
) {
  const { user, recoveryCodes } = await change;
  call.deps.sessions.forget();
  await call.renewSession(user);
  mailFactor(call, user, what);
  return { recoveryCodes };
}

/** What authenticators call this installation: its given name, else its host. */
const shownName = ({ settings }: PagesDeps): string =>
  givenBrandName() ?? new URL(settings.publicUrl).host;

export const secondFactorUseCases: UseCases<typeof secondFactorEndpoints> = {
  async showSecondFactor({ deps, user }) {
    const shown = await showSecondFactor(deps, user.userId);
    return { ...shown, isRequired: isRequired(deps, user) };
  },
  async startTotp({ deps, user }) {
    const secret = await factors.startTotp(deps, user);
    return { secret, uri: totpUri(secret, shownName(deps), user.email) };
  },
  confirmTotp: (call) =>
    changed(call, "totpAdded", factors.confirmTotp(call.deps, call.user, call.body)),
  async removeTotp(call) {
    const rule = { isRequired: isRequired(call.deps, call.user) };
    await changed(call, "totpRemoved", factors.removeTotp(call.deps, call.user, rule));
    return DONE;
  },
  async makeRecoveryCodes(call) {
    const { deps, user } = call;
    const recoveryCodes = await factors.makeRecoveryCodes(deps, user.userId, user);
    mailFactor(call, user, "codesMade");
    return { recoveryCodes };
  },
  async startPasskey(call) {
    const { deps, user } = call;
    const existing = await listPasskeys(deps, user.userId);
    return {
      ...sendChallenge(call, await boundTo(call, "add")),
      rpName: shownName(deps),
      userId: Buffer.from(user.userId).toString("base64url"),
      userName: user.email,
      existing: existing.map(({ credentialId }) => credentialId),
    };
  },
  async addPasskey(call) {
    const { deps, user, body: registration } = call;
    const bound = await boundTo(call, "add");
    const challenge = readChallenge(deps.secrets, await sentChallenge(call), bound);
    const { publicUrl } = deps.settings;
    return changed(
      call,
      "passkeyAdded",
      addPasskey(deps, user, { publicUrl, challenge, registration }),
    );
  },
  async renamePasskey({ deps, user: { userId }, id, body: { name } }) {
    await renamePasskey(deps, userId, { userId, id, name });
    return DONE;
  },
  async removePasskey(call) {
    const given = { id: call.id, isRequired: isRequired(call.deps, call.user) };
    await changed(call, "passkeyRemoved", removePasskey(call.deps, call.user, given));
    return DONE;
  },
};
