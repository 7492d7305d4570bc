/** Sign-up, passwords, sessions. */
import { referralRules } from "../accounts/referral";
import { signUp } from "../accounts/sign-up";
import { proveCode } from "../commands/prove-factor";
import * as sessions from "../commands/sessions";
import * as signIn from "../commands/sign-in";
import { REFERRAL_COOKIE } from "../contract/referral";
import type { settingsEndpoints } from "../contract/settings";
import type { userEndpoints } from "../contract/users";
import { mailFactor } from "./factor-mails";
import { assertHumanIfWanted } from "./human-check";
import { mailsOf } from "./recovery-mails";
import type { UseCases } from "./use-case";

type SignInEndpoints = typeof userEndpoints &
  Pick<typeof settingsEndpoints, "listSessions" | "endSession" | "provePassword">;

export const signInUseCases: UseCases<SignInEndpoints> = {
  async signUp({ deps, body: { humanCheck, ...body }, address, cookie }) {
    await assertHumanIfWanted(deps, humanCheck);
    const cameBy = { code: await cookie(REFERRAL_COOKIE), rules: referralRules(deps.live.value) };
    const signUpWith = (own: object) => signUp({ ...deps, ...own }, { ...body, address, cameBy });
    const { userId } = await deps.signInQueue.run(address, signUpWith);
    return { user: { id: userId, email: body.email.toLowerCase() } };
  },
  /** Ends the user's other sessions. */
  async changePassword({ deps, body, address, user, sessionId, renewSession, locale }) {
    const input = { ...body, sessionId: await sessionId(), address };
    const change = deps.signInQueue.run(address, (own) =>
      signIn.changePassword(own, user.userId, input),
    );
    await renewSession(await change);
    deps.sessions.forget();
    if (deps.settings.SMTP_URL !== undefined) {
      const { text, later } = mailsOf(deps, locale);
      later((send) => send(text.passwordChanged(user.email)));
    }
    return { changed: true };
  },
  /** Renews the proof of the calling session: the password, and a code of a user with a second factor. */
  async provePassword(call) {
    const { deps, body, address, user } = call;
    const sessionId = await call.sessionId();
    const request = { userId: user.userId, password: body.password, sessionId, address };
    await deps.signInQueue.run(address, (own) => signIn.provePassword(own, request));
    if (user.hasSecondFactor) {
      const code = body.code ?? "";
      const kind = await proveCode(deps, { userId: user.userId, code, address });
      if (kind === "recovery") mailFactor(call, user, "codeUsed");
    }
    if (sessionId !== null) await deps.sessions.prove(sessionId);
    return { proved: true };
  },
  async signOutEverywhere({ deps, user: { userId } }) {
    await sessions.endAllSessions(deps, userId, { userId });
    deps.sessions.forget();
    return { ended: true };
  },
  async listSessions({ deps, user, sessionId }) {
    const currentId = await sessionId();
    const list = await deps.sessions.list(user);
    return {
      sessions: list.map(({ createdAt, lastSeenAt, ...session }) => ({
        ...session,
        createdAt: createdAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
        isCurrent: session.id === currentId,
      })),
    };
  },
  async endSession({ deps, user: { userId }, id }) {
    await sessions.endSession(deps, userId, { sessionId: id, userId });
    deps.sessions.forget();
    return { ended: true };
  },
};
