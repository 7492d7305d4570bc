/** The cookie of a session and the token in it. */
import { hkdfSync, randomUUID } from "node:crypto";
import { decode, encode, type JWT } from "next-auth/jwt";
import { localeOf } from "@/messages/locales";
import { deviceCookieName, readDevice } from "../accounts/known-device";
import { mustHaveFactor } from "../accounts/second-factor/required";
import type { UserSession } from "../accounts/session-store";
import { ADDRESS_HEADER, type PendingSignIn as Pending } from "../http/serve-page";
import type { PagesDeps } from "../pages-api/pages-deps";
import { sessionCookieName } from "../pages-api/sign-in-cookies";

type PendingSignIn = Pending<UserSession>;

export const SESSION_SECONDS = 30 * 24 * 60 * 60;

export interface SessionToken extends JWT {
  readonly sub: string;
  readonly sessionId: string;
  readonly sessionVersion: number;
}

const sessionSecretOf = (secret: string): string =>
  Buffer.from(hkdfSync("sha256", secret, "", "relay session v1", 32)).toString("hex");
export const sessionSecret = ({ secrets }: PagesDeps): string => sessionSecretOf(secrets.current);

/** Decodes a token under one of the accepted secrets; null when none fits. */
async function decodeToken({ secrets }: PagesDeps, token: string): Promise<JWT | null> {
  const decodeNow = async () => {
    for (const secret of secrets.accepted) {
      const found = await decode({ token, secret: sessionSecretOf(secret) }).catch(() => null);
      if (found !== null) return found;
    }
    return null;
  };
  return (await decodeNow()) ?? (secrets.refresh() ? decodeNow() : null);
}

export const encodeToken = (deps: PagesDeps, token: JWT): Promise<string> =>
  encode({ token, secret: sessionSecret(deps), maxAge: SESSION_SECONDS });

/** The session's cookie. The prefix `__Host-` binds it to this host and to TLS. */
export function sessionCookie({ settings }: PagesDeps) {
  const secure = settings.publicUrl.startsWith("https:");
  return {
    name: sessionCookieName({ settings }),
    options: { httpOnly: true, sameSite: "lax" as const, path: "/", secure },
  };
}

export function isSessionToken(token: JWT | null): token is SessionToken {
  return (
    typeof token?.sub === "string" &&
    typeof token.sessionId === "string" &&
    typeof token.sessionVersion === "number"
  );
}

/** The token between the password and the second factor. It is no session: nothing else takes it. */
export interface PendingToken extends JWT {
  readonly sub: string;
  readonly pendingId: string;
  readonly sessionVersion: number;
  readonly until: number;
}

const PENDING_MS = 10 * 60_000;

export const pendingToken = (user: { id: string; sessionVersion: number }): PendingToken => ({
  sub: user.id,
  pendingId: `pending-${randomUUID()}`,
  sessionVersion: user.sessionVersion,
  until: Date.now() + PENDING_MS,
});

function isPendingToken(token: JWT | null): token is PendingToken {
  return (
    typeof token?.sub === "string" &&
    typeof token.pendingId === "string" &&
    typeof token.sessionVersion === "number" &&
    typeof token.until === "number" &&
    token.until > Date.now()
  );
}

/** The sign-in that waits for its second factor, or for the set-up of one; null when none does. */
export async function readPending(
  deps: PagesDeps,
  text: string | undefined,
): Promise<PendingSignIn | null> {
  if (text === undefined || text === "") return null;
  const token = await decodeToken(deps, text);
  if (!isPendingToken(token)) return null;
  const { pendingId: id, sub: userId, sessionVersion, until } = token;
  const user = await deps.sessions.find({ sessionId: id, userId, sessionVersion });
  return user === null ? null : { id, until, user };
}

export const deviceCookieOf = (deps: PagesDeps): string =>
  deviceCookieName(sessionCookie(deps).options.secure);

/** The token and its user while the session is active, else null. */
export async function readSession(
  deps: PagesDeps,
  text: string | undefined,
  how?: { readonly isFresh: boolean },
): Promise<{ token: SessionToken; user: UserSession } | null> {
  if (text === undefined || text === "") return null;
  const token = await decodeToken(deps, text);
  if (!isSessionToken(token)) return null;
  const { sessionId, sub: userId, sessionVersion } = token;
  const user = await deps.sessions.find({ sessionId, userId, sessionVersion }, how);
  if (user === null || isFactorMissing(deps, user)) return null;
  return { token, user };
}

/** Whether the user must set up a second factor first: until then no session of his is accepted. */
export const isFactorMissing = ({ settings }: PagesDeps, user: UserSession): boolean =>
  !user.hasSecondFactor && mustHaveFactor(settings, user);

function sentCookie(sent: Pick<Headers, "get">, name: string): string | undefined {
  const cookies = (sent.get("cookie") ?? "").split(/;\s*/);
  return cookies.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Records a new session with its browser's description, for its user's list. */
export async function beginSession(
  deps: PagesDeps,
  token: SessionToken,
  sent: Pick<Headers, "get">,
): Promise<SessionToken> {
  await deps.sessions.begin({
    userId: token.sub,
    sessionId: token.sessionId,
    sessionVersion: token.sessionVersion,
    expiresAt: new Date(Date.now() + SESSION_SECONDS * 1000),
    address: sent.get(ADDRESS_HEADER),
    userAgent: sent.get("user-agent"),
    locale: localeOf(sent),
    isNewDevice: !(
      readDevice(deps.secrets, sentCookie(sent, deviceCookieOf(deps)))?.knows(token.sub) ?? false
    ),
  });
  return token;
}

/** The `Set-Cookie` value that continues this session after the user's other ones ended. */
export async function renewedCookie(
  deps: PagesDeps,
  user: UserSession,
  sent: Pick<Headers, "get">,
): Promise<string> {
  const { name, options } = sessionCookie(deps);
  const token = await beginSession(
    deps,
    { sub: user.userId, sessionId: randomUUID(), sessionVersion: user.sessionVersion },
    sent,
  );
  const text = await encodeToken(deps, token);
  return `${name}=${text}; Path=/; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Lax${options.secure ? "; Secure" : ""}`;
}
