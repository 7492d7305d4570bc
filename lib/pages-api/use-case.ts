import type { UserSession } from "../accounts/session-store";
import type { PageEndpoint, PageEndpoints, PageResultOf } from "../contract/page-endpoint";
import type { Reader } from "../db/pool";
import type { PageCall, PageHost } from "../http/serve-page";
import type { PagesDeps } from "./pages-deps";

export type PagesHost = PageHost<PagesDeps, UserSession>;

type UseCase<Row extends PageEndpoint> = (
  call: PageCall<PagesDeps, UserSession, Row>,
) => Promise<PageResultOf<Row>>;

/** The function that serves each row of a table. */
export type UseCases<Rows extends PageEndpoints> = {
  readonly [Name in keyof Rows]: UseCase<Rows[Name]>;
};

/** The dependencies of a read that grows with history: its queries run in the caller's turn. */
export function historyDeps({
  deps,
  user,
  gone,
}: Pick<PageCall<PagesDeps, UserSession, PageEndpoint>, "gone"> & {
  readonly deps: PagesDeps;
  readonly user: UserSession;
}): Omit<PagesDeps, "pool"> & { readonly pool: Reader } {
  return { ...deps, pool: deps.historyLane.of(user.userId, gone) };
}
