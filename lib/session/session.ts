/** Sign-in and sessions for the pages' API. Only this file and its folder import next-auth. */
import { cookies, headers } from "next/headers";
import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { rememberDevice } from "../accounts/known-device";
import { maySignInFrom } from "../accounts/operator-addresses";
import { newId } from "../crypto/ids";
import { failures } from "../failures/failure-table";
import { RelayError } from "../failures/relay-error";
import { readAuthForm } from "../http/auth-form";
import { isAuthRoute } from "../http/auth-routes";
import { failureAnswer, publicError } from "../http/failure-answer";
import { ADDRESS_HEADER } from "../http/serve-page";
import { admitPageRequest } from "../pages-api/admit";
import { assertHumanIfWanted } from "../pages-api/human-check";
import { answerPages } from "../pages-api/page-handlers";
import { type PagesDeps, pagesDeps } from "../pages-api/pages-deps";
import { stripeWebhook } from "../pages-api/payment-webhook";
import type { PagesHost } from "../pages-api/use-case";
import { authOptions, type Outcome } from "./auth-options";
import { currentPending, currentSession, currentUser } from "./current-user";
import { deviceCookieOf, isFactorMissing, renewedCookie, sessionCookie } from "./session-token";

/** The sign-in methods of this installation, for pages rendered per request. */
export function signInMethods() {
  const { settings } = pagesDeps();
  return {
    github: settings.GITHUB_ID !== undefined,
    google: settings.GOOGLE_ID !== undefined,
    /** The label of the issuer of OpenID Connect. */
    oidc: settings.OIDC_ISSUER === undefined ? null : settings.OIDC_LABEL,
    emailLink: settings.SMTP_URL !== undefined,
  };
}

/**
 * Adds to next-auth's answer the status and wait of a refusal, or the cookie of a known browser.
 */
async function completed(
  response: Response,
  { error, userId }: Outcome,
  deps: PagesDeps,
): Promise<Response> {
  if (error?.retryAfterSeconds === undefined && userId === undefined) return response;
  const status =
    error?.retryAfterSeconds === undefined ? response.status : failures[error.code].status;
  const answer = new Response(response.body, { status, headers: response.headers });
  if (error?.retryAfterSeconds !== undefined)
    answer.headers.set("retry-after", String(error.retryAfterSeconds));
  if (userId !== undefined) {
    const cookie = (await cookies()).get(deviceCookieOf(deps))?.value;
    const { secure } = sessionCookie(deps).options;
    answer.headers.append(
      "set-cookie",
      rememberDevice(deps.secrets, { userId, cookie, isSecure: secure }),
    );
  }
  return answer;
}

/** next-auth's own addresses under `/api/auth`. */
export async function authHandler(
  request: Request,
  context: { params: Promise<{ nextauth: string[] }> },
): Promise<Response> {
  const deps = pagesDeps();
  const outcome: Outcome = {};
  const options = authOptions(deps, outcome);
  let asked = request;
  try {
    const isWrite = request.method === "POST";
    admitPageRequest(deps, {
      isWrite,
      address: request.headers.get(ADDRESS_HEADER) ?? undefined,
      user: null,
    });
    const { nextauth } = await context.params;
    const known = options.providers.map(({ id }) => id);
    if (!isAuthRoute(request.method, nextauth, known)) throw new RelayError("route_not_found");
    if (isWrite) {
      const form = await readAuthForm(request);
      // A mailed link may create an account, and the answer must not tell whether it does.
      if (nextauth.join("/") === "signin/email")
        await assertHumanIfWanted(deps, form.get("humanCheck") ?? undefined);
      asked = new NextRequest(request.url, { method: "POST", body: form });
    }
  } catch (thrown) {
    const error = publicError(thrown);
    const { status, headers, body } = failureAnswer(error, {
      "x-request-id": newId("request"),
      "cache-control": "no-store",
    });
    // next-auth's client reads the reason from a URL.
    const url = `${deps.settings.publicUrl}/login?error=${error.code}:${error.retryAfterSeconds ?? ""}`;
    return new Response(JSON.stringify({ ...JSON.parse(body), url }), { status, headers });
  }
  process.env.NEXTAUTH_URL = deps.settings.publicUrl;
  return completed(
    await (NextAuth(asked as never, context as never, options) as unknown as Promise<Response>),
    outcome,
    deps,
  );
}

const host: PagesHost = {
  deps: pagesDeps,
  publicUrl: ({ settings }) => settings.publicUrl,
  currentUser,
  isOperator: (user) => user.isOperator,
  provesByPassword: (user) => user.hasPassword && !user.hasSecondFactor,
  async assertPlace(deps, { userId }, address) {
    if (!(await maySignInFrom(deps, userId, address))) throw new RelayError("address_not_allowed");
  },
  admit: admitPageRequest,
  async hasRecentProof(deps) {
    const session = await currentSession();
    return session !== null && (await deps.sessions.isProved(session.token.sessionId));
  },
  currentSessionId: async () => (await currentSession())?.token.sessionId ?? null,
  pendingSignIn: currentPending,
  isSettingUp: isFactorMissing,
  cookie: async (name) => (await cookies()).get(name)?.value,
  renewedCookie: async (deps, user) => renewedCookie(deps, user, await headers()),
  report: (deps, requestId, error) =>
    deps.reportProblem(
      { requestId, code: error.code, err: error.cause ?? error },
      "site request not served",
    ),
};

/** Answers the pages' API. */
export const answerPage = answerPages(host);

export const receiveStripeEvent = stripeWebhook(host);
