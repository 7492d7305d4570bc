import type { UserSession } from "../accounts/session-store";
import { addressGroup } from "../accounts/throttle";
import type { PageRequest } from "../http/serve-page";
import type { PagesDeps } from "./pages-deps";

/**
 * Throws `page_rate_limited` for an address that has no request left. Counts nothing: a request
 * that another site caused must not use up its reader's requests.
 */
export function assertAddressHasRoom(
  { pageLimiter }: Pick<PagesDeps, "pageLimiter">,
  { isWrite, address }: Pick<PageRequest<UserSession>, "isWrite" | "address">,
): void {
  pageLimiter.assertRoom("address", addressGroup(address), isWrite ? "write" : "read");
}

/** Counts a request of the pages' API. Throws `page_rate_limited`. */
export function admitPageRequest(
  { pageLimiter }: Pick<PagesDeps, "pageLimiter">,
  request: PageRequest<UserSession>,
): void {
  const kind = request.isWrite ? "write" : "read";
  if (request.user === null) pageLimiter.take("address", addressGroup(request.address), kind);
  else pageLimiter.take("user", request.user.userId, kind);
}
