import type { z } from "zod";
import type { UserSession } from "../accounts/sessions";
import { signUp } from "../accounts/sign-up";
import { endAllSessions, endSession } from "../commands/sessions";
import { changePassword, provePassword } from "../commands/sign-in";
import type { proofRequest } from "../contract/settings";
import type { changePasswordRequest, signUpRequest } from "../contract/users";
import type { Call } from "./call";

export async function signUpUser({ parts, body, address }: Call<z.output<typeof signUpRequest>>) {
  const { userId } = await parts.signInLane.run(address, (own) => signUp({ ...parts, ...own }, { ...body, address }));
  return { user: { id: userId, email: body.email.toLowerCase() } };
}

/** Ends the user's sessions; the one that asked goes on by `renew`. */
export async function changeOwnPassword(
  { parts, body, address, user }: Call<z.output<typeof changePasswordRequest>>,
  sessionId: string | null,
  renew: (user: UserSession) => Promise<void>,
) {
  const input = { ...body, sessionId, address };
  await renew(await parts.signInLane.run(address, (own) => changePassword(own, user().userId, input)));
  parts.sessions.forget();
  return { changed: true as const };
}

/** Renews the proof of the session that asks. */
export async function proveOwnPassword({ parts, body, address, user }: Call<z.output<typeof proofRequest>>, sessionId: string | null) {
  const request = { userId: user().userId, password: body.password, sessionId, address };
  await parts.signInLane.run(address, (own) => provePassword(own, request));
  if (sessionId !== null) await parts.sessions.prove(sessionId);
  return { proved: true as const };
}

export async function signOutEverywhere({ parts, user }: Call) {
  const { userId } = user();
  await endAllSessions(parts, userId, { userId });
  parts.sessions.forget();
  return { ended: true as const };
}

/** The user's sessions that go on; `currentId` is the one that asks. */
export async function listOwnSessions({ parts, user }: Call, currentId: string | null) {
  const sessions = await parts.sessions.list(user());
  return {
    sessions: sessions.map(({ createdAt, lastSeenAt, ...session }) => ({
      ...session,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      isCurrent: session.id === currentId,
    })),
  };
}

export async function endOwnSession({ parts, user, id }: Call) {
  const { userId } = user();
  await endSession(parts, userId, { sessionId: id, userId });
  parts.sessions.forget();
  return { ended: true as const };
}
