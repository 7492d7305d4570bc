/** Sessions of signed-in users. The only file that uses next-auth. */
import { hkdfSync, randomUUID } from "node:crypto";
import { cookies, headers } from "next/headers";
import { NextRequest } from "next/server";
import NextAuth, { type NextAuthOptions } from "next-auth";
import type { Adapter } from "next-auth/adapters";
import { decode, encode, type JWT } from "next-auth/jwt";
import CredentialsProvider from "next-auth/providers/credentials";
import EmailProvider from "next-auth/providers/email";
import GithubProvider from "next-auth/providers/github";
import GoogleProvider from "next-auth/providers/google";
import { countLinkRequest, identityStore, mailSignInLink, mayUseSignInLink } from "./accounts/identities";
import { deviceCookieName, readDevice, rememberDevice } from "./accounts/known-device";
import { mayOperateFrom, maySignInFrom } from "./accounts/operator-addresses";
import type { UserSession } from "./accounts/sessions";
import { signInWithPassword } from "./commands/sign-in";
import { failures, isRelayError, RelayError } from "./errors";
import { readAuthForm } from "./http/auth-form";
import { isAuthRoute } from "./http/auth-routes";
import { failureAnswer, publicError } from "./http/failure-answer";
import { ADDRESS_HEADER } from "./http/site";
import { newId } from "./ids";
import { operatorRoutes } from "./operator/operator-routes";
import { admitPageRequest } from "./site/admit";
import { boundProblems } from "./site/sign-in-problems";
import { type SiteParts, siteParts } from "./site/site-parts";
import { type Host, siteRoutes } from "./site/site-routes";

const SESSION_SECONDS = 30 * 24 * 60 * 60;
const SIGN_IN_LINK_SECONDS = 30 * 60;

const problem = boundProblems();

interface SessionToken extends JWT {
  readonly sub: string;
  readonly sessionId: string;
  readonly sessionVersion: number;
}

const sessionSecretOf = (secret: string): string => Buffer.from(hkdfSync("sha256", secret, "", "relay session v1", 32)).toString("hex");
const sessionSecret = ({ secrets }: SiteParts): string => sessionSecretOf(secrets.current);

/** Decodes a token under one of the accepted secrets; null when none fits. */
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

/** The session's cookie. The prefix `__Host-` binds it to this host and to TLS. */
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

const deviceCookieOf = (parts: SiteParts): string => deviceCookieName(sessionCookie(parts).options.secure);

/** The token and its user while the session is active, else null. */
async function readSession(parts: SiteParts, text: string | undefined): Promise<{ token: SessionToken; user: UserSession } | null> {
  if (text === undefined || text === "") return null;
  const token = await decodeToken(parts, text);
  if (!isSessionToken(token)) return null;
  const user = await parts.sessions.find({ sessionId: token.sessionId, userId: token.sub, sessionVersion: token.sessionVersion });
  return user === null ? null : { token, user };
}

/** Records a new session, with what its browser says of itself, for its user's list. */
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

/** The address of the current request. */
async function senderAddress(): Promise<string | undefined> {
  return (await headers()).get(ADDRESS_HEADER) ?? undefined;
}

async function currentSession() {
  // Called first: it tells a build that the page needs a request.
  const sent = await cookies();
  const parts = siteParts();
  return readSession(parts, sent.get(sessionCookie(parts).name)?.value);
}

/** The signed-in user, or null. For pages and route files. */
export async function currentUser(): Promise<UserSession | null> {
  const session = await currentSession();
  if (session === null || !session.user.isOperator) return session?.user ?? null;
  return { ...session.user, isOperator: mayOperateFrom(siteParts().settings, await senderAddress()) };
}

/** The ways to sign in that this installation offers; for pages rendered per request. */
export function signInWays(): { github: boolean; google: boolean; emailLink: boolean } {
  const { settings } = siteParts();
  return {
    github: settings.GITHUB_ID !== undefined,
    google: settings.GOOGLE_ID !== undefined,
    emailLink: settings.SMTP_URL !== undefined,
  };
}

/** The `Set-Cookie` value that continues this session after the user's other ones ended. */
export async function renewedCookie(parts: SiteParts, user: UserSession, sent: Pick<Headers, "get">): Promise<string> {
  const { name, options } = sessionCookie(parts);
  const token = await beginSession(parts, { sub: user.userId, sessionId: randomUUID(), sessionVersion: user.sessionVersion }, sent);
  const text = await encode({ token, secret: sessionSecret(parts), maxAge: SESSION_SECONDS });
  return `${name}=${text}; Path=/; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Lax${options.secure ? "; Secure" : ""}`;
}

/** The result of a request to next-auth. */
interface Outcome {
  /** Why `authorize` refused: next-auth answers every refusal in the same way. */
  error?: RelayError;
  /** The user who has signed in. */
  userId?: string;
}

function passwordProvider(parts: SiteParts, outcome: Outcome) {
  return CredentialsProvider({
    credentials: { email: { type: "email" }, password: { type: "password" } },
    async authorize(given, request) {
      const sent: unknown = request.headers?.[ADDRESS_HEADER];
      const address = typeof sent === "string" ? sent : undefined;
      const device = readDevice(parts.secrets, (await cookies()).get(deviceCookieOf(parts))?.value);
      const credentials = { email: String(given?.email ?? ""), password: String(given?.password ?? ""), address, device };
      try {
        const user = await parts.signInLane.run(address, (own) => signInWithPassword({ ...parts, ...own }, credentials));
        return { id: user.userId };
      } catch (error) {
        if (!isRelayError(error)) parts.reportProblem({ err: error }, "sign-in failed inside");
        if (!isRelayError(error)) throw new Error("internal_error");
        outcome.error = error;
        // The page reads the code, and the seconds to wait if there are any.
        throw new Error(error.retryAfterSeconds === undefined ? error.code : `${error.code}:${error.retryAfterSeconds}`);
      }
    },
  });
}

/** Mails after the answer, so that the response time reveals nothing about the address. */
function mailer(parts: SiteParts, server: string, from: string) {
  return async ({ identifier: to, url: link }: { identifier: string; url: string }): Promise<void> => {
    const mail = { server, from, to, origin: parts.settings.publicUrl, link };
    const sent = mailSignInLink(parts, mail, await currentUser());
    void sent.catch((error: unknown) => problem(parts.reportProblem, "SIGN_IN_MAIL", error));
  };
}

function providers(parts: SiteParts, outcome: Outcome): NextAuthOptions["providers"] {
  const { GITHUB_ID, GITHUB_SECRET, GOOGLE_ID, GOOGLE_SECRET, SMTP_URL, SMTP_FROM, publicUrl } = parts.settings;
  const list: NextAuthOptions["providers"] = [passwordProvider(parts, outcome)];
  if (GITHUB_ID && GITHUB_SECRET) list.push(GithubProvider({ clientId: GITHUB_ID, clientSecret: GITHUB_SECRET }));
  if (GOOGLE_ID && GOOGLE_SECRET) list.push(GoogleProvider({ clientId: GOOGLE_ID, clientSecret: GOOGLE_SECRET }));
  if (SMTP_URL) {
    const from = SMTP_FROM ?? `Relay <no-reply@${new URL(publicUrl).hostname}>`;
    list.push(
      EmailProvider({ server: SMTP_URL, from, maxAge: SIGN_IN_LINK_SECONDS, sendVerificationRequest: mailer(parts, SMTP_URL, from) }),
    );
  }
  return list;
}

/** The configuration of next-auth. */
export function authOptions(parts: SiteParts, outcome: Outcome = {}): NextAuthOptions {
  const { sessions } = parts;
  const cookie = sessionCookie(parts);
  return {
    secret: sessionSecret(parts),
    adapter: identityStore(parts, senderAddress) satisfies Adapter,
    providers: providers(parts, outcome),
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    pages: { signIn: "/login", error: "/login", signOut: "/", verifyRequest: "/login?sent=1" },
    useSecureCookies: cookie.options.secure,
    cookies: { sessionToken: cookie },
    jwt: { decode: async ({ token }) => (await readSession(parts, token))?.token ?? null },
    callbacks: {
      async signIn({ user, account, email }) {
        const address = await senderAddress();
        if (account?.type !== "credentials" && !email?.verificationRequest && !(await maySignInFrom(parts, user.id, address))) return false;
        if (account?.type !== "email") return true;
        const request = { email: user.email ?? "", address, current: await currentUser() };
        // The answer is the same for every address; only the mail differs.
        return parts.signInLane.run(address, async (own) => {
          await countLinkRequest(own, request);
          return email?.verificationRequest === true || mayUseSignInLink(own, request);
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
      signIn({ user }) {
        outcome.userId = user.id;
      },
      async signOut({ token }) {
        if (isSessionToken(token)) await sessions.end(token.sessionId, new Date(Date.now() + SESSION_SECONDS * 1000));
      },
    },
    logger: {
      error(code, detail) {
        // An ended session is nothing unusual.
        if (code === "JWT_SESSION_ERROR") return;
        problem(parts.reportProblem, code, detail instanceof Error ? detail : detail.error);
      },
      warn() {},
      debug() {},
    },
  };
}

/** Adds to next-auth's answer the status and wait of a refusal, or a known browser's cookie. */
async function completed(response: Response, { error, userId }: Outcome, parts: SiteParts): Promise<Response> {
  if (error?.retryAfterSeconds === undefined && userId === undefined) return response;
  const status = error?.retryAfterSeconds === undefined ? response.status : failures[error.code].status;
  const answer = new Response(response.body, { status, headers: response.headers });
  if (error?.retryAfterSeconds !== undefined) answer.headers.set("retry-after", String(error.retryAfterSeconds));
  if (userId !== undefined) {
    const cookie = (await cookies()).get(deviceCookieOf(parts))?.value;
    const { secure } = sessionCookie(parts).options;
    answer.headers.append("set-cookie", rememberDevice(parts.secrets, { userId, cookie, isSecure: secure }));
  }
  return answer;
}

/** next-auth's own addresses under `/api/auth`. */
export async function authHandler(request: Request, context: { params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  const parts = siteParts();
  const outcome: Outcome = {};
  const options = authOptions(parts, outcome);
  let asked = request;
  try {
    const isWrite = request.method === "POST";
    admitPageRequest(parts, { isWrite, address: request.headers.get(ADDRESS_HEADER) ?? undefined, user: null });
    const { nextauth } = await context.params;
    const known = options.providers.map(({ id }) => id);
    if (!isAuthRoute(request.method, nextauth, known)) throw new RelayError("route_not_found");
    if (isWrite) asked = new NextRequest(request.url, { method: "POST", body: await readAuthForm(request) });
  } catch (thrown) {
    const error = publicError(thrown);
    const { status, headers, body } = failureAnswer(error, { "x-request-id": newId("request"), "cache-control": "no-store" });
    // next-auth's client reads the reason from an address.
    const url = `${parts.settings.publicUrl}/login?error=${error.code}:${error.retryAfterSeconds ?? ""}`;
    return new Response(JSON.stringify({ ...JSON.parse(body as string), url }), { status, headers });
  }
  process.env.NEXTAUTH_URL = parts.settings.publicUrl;
  return completed(await (NextAuth(asked as never, context as never, options) as unknown as Promise<Response>), outcome, parts);
}

const host: Host = {
  parts: siteParts,
  publicUrl: ({ settings }) => settings.publicUrl,
  currentUser,
  isOperator: (user) => user.isOperator,
  admit: admitPageRequest,
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
