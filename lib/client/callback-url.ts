/**
 * The page to open after sign-in: a path of this site, or the points page. Any other address is
 * dropped.
 */
export function safeCallbackPath(wanted: string | null | undefined, origin: string): string {
  const home = "/points";
  if (!wanted) return home;
  let url: URL;
  try {
    url = new URL(wanted, origin);
  } catch {
    return home;
  }
  if (url.origin !== origin || url.pathname === "/login" || url.pathname === "/signup") return home;
  const path = url.pathname + url.search + url.hash;
  // A path that starts with two slashes names another host.
  return path.startsWith("//") ? home : path;
}

/** Whether the path after sign-in is that of an invitation to an account. */
export const isInvited = (path: string | null): boolean =>
  path?.startsWith("/invitation?") ?? false;
