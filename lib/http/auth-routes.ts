/**
 * Which addresses of the sign-in library are served: those that its client and its redirects need,
 * and no others.
 */
const getActions = new Set(["providers", "csrf", "session", "signin", "error", "verify-request"]);
const postActions = new Set(["signin", "signout"]);

/** Whether `/api/auth/{path}` is served. A sign-in method that is not configured has no address. */
export function isAuthRoute(
  method: string,
  path: readonly string[],
  providers: readonly string[],
): boolean {
  const [action = "", provider, ...more] = path;
  if (more.length > 0) return false;
  const isKnown = provider !== undefined && providers.includes(provider);
  if (action === "callback") return isKnown && (method === "POST") === (provider === "credentials");
  if (provider !== undefined && !(action === "signin" && isKnown)) return false;
  return method === "POST" ? postActions.has(action) : getActions.has(action);
}
