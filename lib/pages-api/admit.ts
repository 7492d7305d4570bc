import type { UserSession } from "../accounts/session-store";
import { addressGroup } from "../accounts/throttle";
import type { PageRequest } from "../http/serve-page";
import type { PagesDeps } from "./pages-deps";

/** Counts a request of the pages' API. Throws `page_rate_limited`. */
export function admitPageRequest(
  { pageLimiter }: Pick<PagesDeps, "pageLimiter">,
  request: PageRequest<UserSession>,
): void {
  const kind = request.isWrite ? "write" : "read";
  if (request.user === null) pageLimiter.take("address", addressGroup(request.address), kind);
  else pageLimiter.take("user", request.user.userId, kind);
}
