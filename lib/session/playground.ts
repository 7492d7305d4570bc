import type { SignedIn } from "../accounts/principal";
import { composition } from "../composition/composition";
import { assertMember } from "../http/assert-member";
import { answerPlayground } from "../http/playground-lane";
import { ADDRESS_HEADER } from "../http/serve-page";
import { admitPageRequest } from "../pages-api/admit";
import { pagesDeps } from "../pages-api/pages-deps";
import { currentUser } from "./current-user";

/**
 * Answers a signed-in page's request by the relay's endpoint table; exported by
 * `app/api/playground`.
 */
export async function playground(request: Request): Promise<Response> {
  const { find } = await composition();
  const deps = pagesDeps();
  async function signedIn(): Promise<SignedIn | null> {
    // Always counted as a read: the relay limits how many orders an account may place.
    const asked = { isWrite: false, address: request.headers.get(ADDRESS_HEADER) ?? undefined };
    admitPageRequest(deps, { ...asked, user: null });
    const user = await currentUser({ isFresh: request.method !== "GET" });
    if (user === null) return null;
    admitPageRequest(deps, { ...asked, user });
    const { accountId, userId } = user;
    assertMember("order", request.headers, user);
    return { accountId, userId };
  }
  return answerPlayground({ publicUrl: deps.settings.publicUrl, find, signedIn }, request);
}
