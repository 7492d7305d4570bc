/** The second step of a sign-in, sign-in by a passkey, and the fresh proof by one. */
import { rememberDevice } from "../accounts/known-device";
import { maySignInFrom } from "../accounts/operator-addresses";
import { takeOnce } from "../accounts/second-factor/challenge";
import type { UserSession } from "../accounts/session-store";
import { proveCode, provePasskey } from "../commands/prove-factor";
import type { PageEndpoint } from "../contract/page-endpoint";
import type { signInStepEndpoints } from "../contract/sign-in-steps";
import { RelayError } from "../failures/relay-error";
import type { PageCall } from "../http/serve-page";
import { listPasskeys } from "../queries/second-factor";
import { mailFactor } from "./factor-mails";
import type { PagesDeps } from "./pages-deps";
import { boundTo, sendChallenge, sentChallenge } from "./passkey-challenges";
import { deviceCookieFor, endedCookie } from "./sign-in-cookies";
import type { UseCases } from "./use-case";

type Call = PageCall<PagesDeps, UserSession, PageEndpoint & { readonly who: "anyone" }>;
type Steps = UseCases<typeof signInStepEndpoints>;

const DONE = { done: true } as const;

/** Begins a session under a new id. The waiting sign-in is used up: its cookie begins no other. */
async function complete(
  call: Pick<Call, "deps" | "cookie" | "sendCookie" | "renewSession">,
  user: UserSession,
  pending: { id: string; until: number } | null,
): Promise<void> {
  const { deps } = call;
  if (pending !== null && !(await takeOnce(deps.database, pending)))
    throw new RelayError("sign_in_required");
  deps.sessions.forget();
  await call.renewSession(user);
  const { name, isSecure } = deviceCookieFor(deps);
  const cookie = await call.cookie(name);
  call.sendCookie(rememberDevice(deps.secrets, { userId: user.userId, cookie, isSecure }));
}

const wanted = (rows: Awaited<ReturnType<typeof listPasskeys>>) =>
  rows.map(({ credentialId: id, transports }) => ({ id, transports }));

export const signInStepUseCases: Steps = {
  async startPasskeySignIn(call) {
    const pending = await call.pendingSignIn();
    const challenge = sendChallenge(call, await boundTo(call, "sign-in"));
    const rows = pending === null ? [] : await listPasskeys(call.deps, pending.user.userId);
    return { ...challenge, passkeys: wanted(rows) };
  },
  /** Without a waiting sign-in, the passkey alone says who signs in. */
  async signInWithPasskey(call) {
    const { deps, address, body: assertion } = call;
    const pending = await call.pendingSignIn();
    const proof = { publicUrl: deps.settings.publicUrl, cookie: await sentChallenge(call) };
    const bound = { assertion, boundTo: await boundTo(call, "sign-in") };
    const owner = { userId: pending?.user.userId ?? null };
    const user = await provePasskey(deps, { ...proof, ...bound, ...owner });
    if (!(await maySignInFrom(deps, user.userId, address))) throw new RelayError("passkey_refused");
    if (pending !== null && pending.user.sessionVersion !== user.sessionVersion)
      throw new RelayError("sign_in_required");
    await complete(call, user, pending);
    return DONE;
  },
  async completeWithCode(call) {
    const { deps, address, body } = call;
    const pending = await call.pendingSignIn();
    if (pending === null || !pending.user.hasSecondFactor) throw new RelayError("sign_in_required");
    const { user } = pending;
    const kind = await proveCode(deps, { userId: user.userId, code: body.code, address });
    await complete(call, user, pending);
    if (kind === "recovery") mailFactor(call, user, "codeUsed");
    return DONE;
  },
  async cancelSignIn(call) {
    const pending = await call.pendingSignIn();
    if (pending !== null) await takeOnce(call.deps.database, pending);
    call.deps.sessions.forget();
    if (pending !== null) call.sendCookie(endedCookie(call.deps));
    return DONE;
  },
  async startPasskeyProof(call) {
    const rows = await listPasskeys(call.deps, call.user.userId);
    return { ...sendChallenge(call, await boundTo(call, "proof")), passkeys: wanted(rows) };
  },
  async proveWithPasskey(call) {
    const { deps, user, body: assertion } = call;
    const { publicUrl } = deps.settings;
    const bound = await boundTo(call, "proof");
    const cookie = await sentChallenge(call);
    const { userId } = user;
    await provePasskey(deps, { publicUrl, cookie, boundTo: bound, assertion, userId });
    const sessionId = await call.sessionId();
    if (sessionId !== null) await deps.sessions.prove(sessionId);
    return DONE;
  },
};
