import type { UserSession } from "../accounts/session-store";
import type { CommandDeps } from "../commands/command-deps";
import type { PageEndpoint, PageResultOf } from "../contract/page-endpoint";
import type { Reader } from "../db/pool";
import type { PageCall, PageHost } from "../http/serve-page";
import type { LiveValues } from "../live-settings/live-settings";
import type { PagesDeps } from "./pages-deps";

export type PagesHost = PageHost<PagesDeps, UserSession>;

/** What the command line has as well. A use case that needs no more is a command of it too. */
export type ProgramDeps = CommandDeps &
  Pick<PagesDeps, "archive" | "settings"> & {
    readonly live: LiveValues;
    readonly historyReaders: Pick<PagesDeps["historyReaders"], "of">;
    readonly sessions: Pick<PagesDeps["sessions"], "forget">;
    readonly outbox: Pick<PagesDeps["outbox"], "later">;
  };

/** What a program has instead of sessions and mails: nobody is signed in, and nothing is sent. */
export const programParts: Pick<ProgramDeps, "sessions" | "outbox"> = {
  sessions: { forget() {} },
  outbox: {
    later() {
      throw new Error("a program sends no mail");
    },
  },
};

type UseCase<Row extends PageEndpoint, Deps> = (
  call: PageCall<Deps, UserSession, Row>,
) => Promise<PageResultOf<Row>>;

/** The function that serves each row of a table. The command line runs those with fewer `Deps`. */
export type UseCases<Rows extends Readonly<Record<string, PageEndpoint>>, Deps = PagesDeps> = {
  readonly [Name in keyof Rows]: UseCase<Rows[Name], Deps>;
};

/** The dependencies of a read that grows with history: its queries run in the caller's turn. */
export function historyDeps<
  Deps extends Pick<PagesDeps, "pool"> & Pick<ProgramDeps, "historyReaders">,
>({
  deps,
  user,
  gone,
}: Pick<PageCall<Deps, UserSession, PageEndpoint>, "gone"> & {
  readonly deps: Deps;
  readonly user: UserSession;
}): Omit<Deps, "pool"> & { readonly pool: Reader } {
  return { ...deps, pool: deps.historyReaders.of(user.userId, gone) };
}
