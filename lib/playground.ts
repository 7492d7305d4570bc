import { composition } from "./composition";
import { answerPlayground } from "./http/playground-lane";
import { currentUser } from "./session";
import { siteParts } from "./site/site-parts";

/** What `app/api/playground` exports: a signed-in page's request through the relay's endpoint table. */
export async function playground(request: Request): Promise<Response> {
  const { findForPlayground } = await composition();
  const accountId = async () => (await currentUser())?.accountId ?? null;
  return answerPlayground({ publicUrl: siteParts().settings.publicUrl, find: findForPlayground, accountId }, request);
}
