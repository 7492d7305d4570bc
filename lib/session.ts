/** Who is signed in: the only file that knows next-auth. */
import { hkdfSync, randomUUID } from "node:crypto";
import { cookies, headers } from "next/headers";
import NextAuth, { type NextAuthOptions } from "next-auth";
import type { Adapter } from "next-auth/adapters";
import { decode, encode, type JWT } from "next-auth/jwt";
import CredentialsProvider from "next-auth/providers/credentials";
import EmailProvider from "next-auth/providers/email";
import GithubProvider from "next-auth/providers/github";
import GoogleProvider from "next-auth/providers/google";
import { identityStore, mayUseSignInLink } from "./accounts/identities";
import type { UserSession } from "./accounts/sessions";
import { signInWithPassword } from "./accounts/sign-in";
import { isRelayError } from "./errors";
import { ADDRESS_HEADER } from "./http/site";
import { operatorRoutes } from "./operator/operator-routes";
import { type SiteParts, siteParts } from "./site/site-parts";
import { type Host, siteRoutes } from "./site/site-routes";

const SESSION_SECONDS = 30 * 24 * 60 * 60;
const SIGN_IN_LINK_SECONDS = 30 * 60;

interface SessionToken extends JWT {
  readonly sub: string;
  readonly sessionId: string;
  readonly sessionVersion: number;
}

const sessionSecretOf = (secret: string): string => Buffer.from(hkdfSync("sha256", secret, "", "relay session v1", 32)).toString("hex");
const sessionSecret = ({ secrets }: SiteParts): string => sessionSecretOf(secrets.current);

/** What a token says under one of the secrets that are accepted; null under none. */
async function decodeToken({ secrets }: SiteParts, token: string): Promise<JWT | null> {
  const decodeNow = async () => {
    for (const secret of secrets.accepted) {
      const found = await decode({ token, secret: sessionSecretOf(secret) }).catch(() => null);
      if (found !== null) return found;
    }
    return null;
  };
  return (await decodeNow()) ?? (secrets.refresh() ? decodeNow() : null);
}

/** The session's cookie; `__Host-` binds it to this host and to TLS. */
export function sessionCookie({ settings }: SiteParts) {
  const secure = settings.publicUrl.startsWith("https:");
  return {
    name: secure ? "__Host-relay-session" : "relay-session",
    options: { httpOnly: true, sameSite: "lax" as const, path: "/", secure },
  };
}

function isSessionToken(token: JWT | null): token is SessionToken {
  return typeof token?.sub === "string" && typeof token.sessionId === "string" && typeof token.sessionVersion === "number";
}

/** The token and its user when the session goes on; null when it ended, was never one, or is of another secret. */
async function readSession(parts: SiteParts, text: string | undefined): Promise<{ token: SessionToken; user: UserSession } | null> {
  if (text === undefined || text === "") return null;
  const token = await decodeToken(parts, text);
  if (!isSessionToken(token)) return null;
  const user = await parts.sessions.find({ sessionId: token.sessionId, userId: token.sub, sessionVersion: token.sessionVersion });
  return user === null ? null : { token, user };
}

/** Writes a new session down, with what its browser says of itself, for the user's list. */
async function beginSession({ sessions }: SiteParts, token: SessionToken, sent: Pick<Headers, "get">): Promise<SessionToken> {
  await sessions.begin({
    userId: token.sub,
    sessionId: token.sessionId,
    sessionVersion: token.sessionVersion,
    expiresAt: new Date(Date.now() + SESSION_SECONDS * 1000),
    address: sent.get(ADDRESS_HEADER),
    userAgent: sent.get("user-agent"),
  });
  return token;
}

async function currentSession() {
  // Asked first: it tells a build that the page cannot be made before there is a request.
  const sent = await cookies();
  const parts = siteParts();
  return readSession(parts, sent.get(sessionCookie(parts).name)?.value);
}

/** The signed-in user, or null. For pages and route files. */
export async function currentUser(): Promise<UserSession | null> {
  return (await currentSession())?.user ?? null;
}

/** Which ways to sign in this installation has; for pages made on request, such as those that asked for `currentUser`. */
export function signInWays(): { github: boolean; google: boolean; emailLink: boolean } {
  const { settings } = siteParts();
  return {
    github: settings.GITHUB_ID !== undefined,
    google: settings.GOOGLE_ID !== undefined,
    emailLink: settings.SMTP_URL !== undefined,
  };
}

/** The `Set-Cookie` value with which this session goes on after its user's other ones were ended. */
export async function renewedCookie(parts: SiteParts, user: UserSession, sent: Pick<Headers, "get">): Promise<string> {
  const { name, options } = sessionCookie(parts);
  const token = await beginSession(parts, { sub: user.userId, sessionId: randomUUID(), sessionVersion: user.sessionVersion }, sent);
  const text = await encode({ token, secret: sessionSecret(parts), maxAge: SESSION_SECONDS });
  return `${name}=${text}; Path=/; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Lax${options.secure ? "; Secure" : ""}`;
}

function passwordProvider(parts: SiteParts) {
  return CredentialsProvider({
    credentials: { email: { type: "email" }, password: { type: "password" } },
    async authorize(given, request) {
      const address: unknown = request.headers?.[ADDRESS_HEADER];
      try {
        const user = await signInWithPassword(parts, {
          email: String(given?.email ?? ""),
          password: String(given?.password ?? ""),
          address: typeof address === "string" ? address : undefined,
        });
        return { id: user.userId };
      } catch (error) {
        if (!isRelayError(error)) parts.reportProblem({ err: error }, "sign-in failed inside");
        // The page reads the code, and the seconds to wait where there are some.
        if (!isRelayError(error)) throw new Error("internal_error");
        throw new Error(error.retryAfterSeconds === undefined ? error.code : `${error.code}:${error.retryAfterSeconds}`);
      }
    },
  });
}

function providers(parts: SiteParts): NextAuthOptions["providers"] {
  const { GITHUB_ID, GITHUB_SECRET, GOOGLE_ID, GOOGLE_SECRET, SMTP_URL, SMTP_FROM, publicUrl } = parts.settings;
  const list: NextAuthOptions["providers"] = [passwordProvider(parts)];
  if (GITHUB_ID && GITHUB_SECRET) list.push(GithubProvider({ clientId: GITHUB_ID, clientSecret: GITHUB_SECRET }));
  if (GOOGLE_ID && GOOGLE_SECRET) list.push(GoogleProvider({ clientId: GOOGLE_ID, clientSecret: GOOGLE_SECRET }));
  if (SMTP_URL) {
    const from = SMTP_FROM ?? `Relay <no-reply@${new URL(publicUrl).hostname}>`;
    list.push(EmailProvider({ server: SMTP_URL, from, maxAge: SIGN_IN_LINK_SECONDS }));
  }
  return list;
}

/** How next-auth works here. */
export function authOptions(parts: SiteParts): NextAuthOptions {
  const { sessions } = parts;
  const cookie = sessionCookie(parts);
  return {
    secret: sessionSecret(parts),
    adapter: identityStore(parts) satisfies Adapter,
    providers: providers(parts),
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    pages: { signIn: "/login", error: "/login", signOut: "/", verifyRequest: "/login?sent=1" },
    useSecureCookies: cookie.options.secure,
    cookies: { sessionToken: cookie },
    jwt: { decode: async ({ token }) => (await readSession(parts, token))?.token ?? null },
    callbacks: {
      async signIn({ user, account }) {
        if (account?.type !== "email") return true;
        return mayUseSignInLink(parts, {
          email: user.email ?? "",
          address: (await headers()).get(ADDRESS_HEADER) ?? undefined,
          current: await currentUser(),
        });
      },
      async jwt({ token, user }) {
        if (user === undefined) return token;
        const { id, sessionVersion } = await parts.database.user.findUniqueOrThrow({ where: { id: user.id } });
        return beginSession(parts, { sub: id, sessionId: randomUUID(), sessionVersion }, await headers());
      },
      async session({ session, token }) {
        const current = isSessionToken(token) ? await sessions.find({ ...token, userId: token.sub }) : null;
        if (current === null) return { ...session, user: undefined };
        return { expires: session.expires, user: { id: current.userId, email: current.email, name: current.name } };
      },
      redirect({ url, baseUrl }) {
        const target = URL.canParse(url, baseUrl) ? new URL(url, baseUrl) : null;
        return target?.origin === new URL(baseUrl).origin ? target.href : baseUrl;
      },
    },
    events: {
      async signOut({ token }) {
        if (isSessionToken(token)) await sessions.end(token.sessionId, new Date(Date.now() + SESSION_SECONDS * 1000));
      },
    },
    logger: {
      error(code, detail) {
        // An ended session is everyday life.
        if (code === "JWT_SESSION_ERROR") return;
        parts.reportProblem({ code, err: detail instanceof Error ? detail : detail.error }, "sign-in");
      },
      warn() {},
      debug() {},
    },
  };
}

/** next-auth's own addresses under `/api/auth`. */
export async function authHandler(request: Request, context: { params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  const parts = siteParts();
  process.env.NEXTAUTH_URL = parts.settings.publicUrl;
  return NextAuth(request as never, context as never, authOptions(parts)) as unknown as Promise<Response>;
}

const host: Host = {
  parts: siteParts,
  publicUrl: ({ settings }) => settings.publicUrl,
  currentUser,
  isOperator: (user) => user.isOperator,
  async hasRecentProof(parts) {
    const session = await currentSession();
    return session !== null && (await parts.sessions.isProved(session.token.sessionId));
  },
  currentSessionId: async () => (await currentSession())?.token.sessionId ?? null,
  renewedCookie: async (parts, user) => renewedCookie(parts, user, await headers()),
  report: (parts, requestId, error) =>
    parts.reportProblem({ requestId, code: error.code, err: error.cause ?? error }, "site request not served"),
};

/** The handlers of `/api/<noun>`. */
export const site = siteRoutes(host);

/** The handlers of `/api/admin/<noun>`. */
export const operator = operatorRoutes(host);
