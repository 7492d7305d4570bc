/** Challenges for passkeys, over the cookies of a call. */

import {
  challengeCookie,
  challengeCookieName,
  newChallenge,
} from "../accounts/second-factor/challenge";
import { rpIdOf } from "../accounts/second-factor/webauthn";
import type { UserSession } from "../accounts/session-store";
import type { PageEndpoint } from "../contract/page-endpoint";
import type { PageCall } from "../http/serve-page";
import type { PagesDeps } from "./pages-deps";

type Call = Pick<
  PageCall<PagesDeps, UserSession, PageEndpoint>,
  "deps" | "cookie" | "sendCookie" | "sessionId" | "pendingSignIn"
>;

const isSecure = ({ settings }: PagesDeps) => settings.publicUrl.startsWith("https:");

/** What a challenge is bound to: its purpose, and the session or the waiting sign-in. */
export async function boundTo(
  call: Pick<Call, "sessionId" | "pendingSignIn">,
  purpose: "add" | "proof" | "sign-in",
): Promise<string> {
  const session = purpose === "sign-in" ? null : await call.sessionId();
  return `${purpose} ${session ?? (await call.pendingSignIn())?.id ?? "browser"}`;
}

/** Sends a new challenge in a cookie, and answers it with the id of the installation. */
export function sendChallenge({ deps, sendCookie }: Call, bound: string) {
  const challenge = newChallenge();
  sendCookie(
    challengeCookie(deps.secrets, challenge, { boundTo: bound, isSecure: isSecure(deps) }),
  );
  return { challenge: challenge.challenge, rpId: rpIdOf(deps.settings.publicUrl) };
}

export const sentChallenge = ({ deps, cookie }: Pick<Call, "deps" | "cookie">) =>
  cookie(challengeCookieName(isSecure(deps)));
