import { deviceCookieName } from "../accounts/known-device";
import type { Settings } from "../settings/settings";

interface Deps {
  readonly settings: Pick<Settings, "publicUrl">;
}

const isSecure = ({ settings }: Deps) => settings.publicUrl.startsWith("https:");

export const sessionCookieName = (deps: Deps) =>
  // The prefix binds the cookie to this host and to TLS.
  isSecure(deps) ? "__Host-relay-session" : "relay-session";

export const deviceCookieFor = (deps: Deps) => ({
  name: deviceCookieName(isSecure(deps)),
  isSecure: isSecure(deps),
});

/** The `Set-Cookie` value that removes the session's cookie. */
export const endedCookie = (deps: Deps): string =>
  `${sessionCookieName(deps)}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${isSecure(deps) ? "; Secure" : ""}`;
