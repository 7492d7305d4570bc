/** The configuration of next-auth: the sign-in methods, and our own sessions. */
import { randomUUID } from "node:crypto";
import { cookies, headers } from "next/headers";
import type { NextAuthOptions } from "next-auth";
import type { Adapter } from "next-auth/adapters";
import CredentialsProvider from "next-auth/providers/credentials";
import EmailProvider from "next-auth/providers/email";
import GithubProvider from "next-auth/providers/github";
import GoogleProvider from "next-auth/providers/google";
import { localeOf } from "@/messages/locales";
import {
  countLinkRequest,
  identityStore,
  mailSignInLink,
  mayUseSignInLink,
  type Sender,
} from "../accounts/identities";
import { readDevice } from "../accounts/known-device";
import { type MailServer, mailServerOf } from "../accounts/mail";
import { maySignInFrom } from "../accounts/operator-addresses";
import { referralRules } from "../accounts/referral";
import { mustHaveFactor } from "../accounts/second-factor/required";
import { boundProblems } from "../accounts/sign-in-problems";
import { signInWithPassword } from "../commands/sign-in";
import { isMailAddress } from "../contract/email-shape";
import { REFERRAL_COOKIE } from "../contract/referral";
import { isRelayError, type RelayError } from "../failures/relay-error";
import { ADDRESS_HEADER } from "../http/serve-page";
import type { PagesDeps } from "../pages-api/pages-deps";
import { currentUser, senderAddress } from "./current-user";
import { linkAsAsked, refusedLink } from "./linking";
import { githubUserinfo, googlePersonOf, isIssuedByNow, oidcProvider } from "./oidc-provider";
import {
  beginSession,
  deviceCookieOf,
  isSessionToken,
  pendingToken,
  readSession,
  SESSION_SECONDS,
  type SessionToken,
  sessionCookie,
  sessionSecret,
} from "./session-token";

const SIGN_IN_LINK_SECONDS = 30 * 60;

const problem = boundProblems();

/** The result of a request to next-auth. */
export interface Outcome {
  /** Why `authorize` refused: next-auth answers every refusal in the same way. */
  error?: RelayError;
  /** The user who has signed in. */
  userId?: string;
  /** Whether the sign-in waits for a second factor. */
  isPending?: boolean;
  /** The session that asked for another way to sign in, and goes on. */
  linkedIn?: SessionToken;
}

function passwordProvider(deps: PagesDeps, outcome: Outcome) {
  return CredentialsProvider({
    credentials: { email: { type: "email" }, password: { type: "password" } },
    async authorize(given, request) {
      const sent: unknown = request.headers?.[ADDRESS_HEADER];
      const address = typeof sent === "string" ? sent : undefined;
      const device = readDevice(deps.secrets, (await cookies()).get(deviceCookieOf(deps))?.value);
      const credentials = {
        email: String(given?.email ?? ""),
        password: String(given?.password ?? ""),
        address,
        device,
      };
      try {
        const user = await deps.signInQueue.run(address, (own) =>
          signInWithPassword({ ...deps, ...own }, credentials),
        );
        return { id: user.userId };
      } catch (error) {
        if (!isRelayError(error)) deps.reportProblem({ err: error }, "sign-in failed inside");
        if (!isRelayError(error)) throw new Error("internal_error");
        outcome.error = error;
        // The page reads the code, and the seconds to wait if there are any.
        throw new Error(
          error.retryAfterSeconds === undefined
            ? error.code
            : `${error.code}:${error.retryAfterSeconds}`,
        );
      }
    },
  });
}

/** Mails after the answer, so that the response time reveals nothing about the address. */
function mailer(deps: PagesDeps, mailServer: MailServer) {
  return async ({
    identifier: to,
    url: link,
  }: {
    identifier: string;
    url: string;
  }): Promise<void> => {
    const locale = localeOf(await headers());
    const mail = { ...mailServer, to, origin: deps.settings.publicUrl, locale, link };
    const sent = mailSignInLink(deps, mail, await currentUser());
    void sent.catch((error: unknown) => problem(deps.reportProblem, "SIGN_IN_MAIL", error));
  };
}

function providers(deps: PagesDeps, outcome: Outcome): NextAuthOptions["providers"] {
  const { GITHUB_ID, GITHUB_SECRET, GOOGLE_ID, GOOGLE_SECRET } = deps.settings;
  const list: NextAuthOptions["providers"] = [passwordProvider(deps, outcome)];
  if (GITHUB_ID && GITHUB_SECRET)
    list.push(
      GithubProvider({
        clientId: GITHUB_ID,
        clientSecret: GITHUB_SECRET,
        userinfo: githubUserinfo,
      }),
    );
  if (GOOGLE_ID && GOOGLE_SECRET)
    list.push(
      GoogleProvider({
        clientId: GOOGLE_ID,
        clientSecret: GOOGLE_SECRET,
        profile: googlePersonOf,
      }),
    );
  const oidc = oidcProvider(deps.settings);
  if (oidc !== null) list.push(oidc);
  const mailServer = mailServerOf(deps.settings);
  if (mailServer !== null) {
    list.push(
      EmailProvider({
        ...mailServer,
        maxAge: SIGN_IN_LINK_SECONDS,
        sendVerificationRequest: mailer(deps, mailServer),
      }),
    );
  }
  return list;
}

function callbacksOf(deps: PagesDeps, outcome: Outcome): NonNullable<NextAuthOptions["callbacks"]> {
  return {
    async signIn({ user, account, email, profile }) {
      const address = await senderAddress();
      if (
        account?.type !== "credentials" &&
        !email?.verificationRequest &&
        !(await maySignInFrom(deps, user.id, address))
      )
        return false;
      if (account?.provider === "oidc" && !isIssuedByNow(profile)) return false;
      if (account?.type === "oauth") return (await refusedLink(deps, account)) ?? true;
      if (account?.type !== "email") return true;
      if (!isMailAddress(user.email ?? "")) return false;
      const request = { email: user.email ?? "", address, current: await currentUser() };
      // The answer is the same for every address; only the mail differs.
      return deps.signInQueue.run(address, async (own) => {
        await countLinkRequest(own, request);
        return email?.verificationRequest === true || mayUseSignInLink(own, request);
      });
    },
    async jwt({ token, user }) {
      if (user === undefined) return token;
      if (outcome.linkedIn !== undefined) return outcome.linkedIn;
      const found = await deps.database.user.findUniqueOrThrow({ where: { id: user.id } });
      const { id, sessionVersion } = found;
      if (found.hasSecondFactor || mustHaveFactor(deps.settings, found)) {
        outcome.isPending = true;
        return pendingToken(found);
      }
      return beginSession(
        deps,
        { sub: id, sessionId: randomUUID(), sessionVersion },
        await headers(),
      );
    },
    async session({ session, token }) {
      const current = isSessionToken(token)
        ? await deps.sessions.find({ ...token, userId: token.sub })
        : null;
      if (current === null) return { expires: session.expires };
      return {
        expires: session.expires,
        user: { id: current.userId, email: current.email, name: current.name },
      };
    },
    redirect({ url, baseUrl }) {
      const target = URL.canParse(url, baseUrl) ? new URL(url, baseUrl) : null;
      return target?.origin === new URL(baseUrl).origin ? target.href : baseUrl;
    },
  };
}

const senderOf = (deps: PagesDeps, outcome: Outcome): Sender => ({
  address: senderAddress,
  async cameBy() {
    const code = (await cookies()).get(REFERRAL_COOKIE)?.value;
    return { code, rules: referralRules(deps.live.value) };
  },
  async link(identity) {
    outcome.linkedIn = await linkAsAsked(deps, identity);
  },
});

/** The configuration of next-auth. */
export function authOptions(deps: PagesDeps, outcome: Outcome = {}): NextAuthOptions {
  const { sessions } = deps;
  const cookie = sessionCookie(deps);
  return {
    secret: sessionSecret(deps),
    adapter: identityStore(deps, senderOf(deps, outcome)) satisfies Adapter,
    providers: providers(deps, outcome),
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    pages: { signIn: "/login", error: "/login", signOut: "/", verifyRequest: "/login?sent=1" },
    useSecureCookies: cookie.options.secure,
    cookies: { sessionToken: cookie },
    jwt: { decode: async ({ token }) => (await readSession(deps, token))?.token ?? null },
    callbacks: callbacksOf(deps, outcome),
    events: {
      signIn({ user }) {
        if (!outcome.isPending) outcome.userId = user.id;
      },
      async signOut({ token }) {
        if (isSessionToken(token))
          await sessions.end(token.sessionId, new Date(Date.now() + SESSION_SECONDS * 1000));
      },
    },
    logger: {
      error(code, detail) {
        // An ended session is nothing unusual.
        if (code === "JWT_SESSION_ERROR") return;
        problem(deps.reportProblem, code, detail instanceof Error ? detail : detail.error);
      },
      warn() {},
      debug() {},
    },
  };
}
