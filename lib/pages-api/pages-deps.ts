import type pg from "pg";
import type { Outbox } from "../accounts/outbox";
import type { SignInQueue } from "../accounts/sign-in-queue";
import type { IncidentView } from "../contract/incidents";
import type { LastHour, ModelFigures } from "../contract/model-figures";
import type { ServedBy } from "../contract/states";
import type { HistoryReaders } from "../db/history-readers";
import type { PageLimiter } from "../limits/page-limiter";
import type { LiveSettings } from "../live-settings/live-settings";
import type { Cached } from "../queries/cached";
import type { QueryDeps } from "../queries/query-deps";
import type { Providers } from "../upstream/providers";

/** What the pages and `/api` need from the running process. */
export interface PagesDeps extends Omit<QueryDeps, "live" | "pool"> {
  readonly live: LiveSettings;
  /** For work on a separate connection, such as an audit. */
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
  /** For reads that grow with the history of an account, or of all. */
  readonly historyReaders: HistoryReaders;
  /** For operators' tests of a channel. These calls do not count in the channel's health. */
  readonly providers: Providers;
  /** Who answers the requests of a model now. */
  servedBy(model: string): ServedBy;
  /** Of the last seven days; null while they cannot be read. */
  modelFigures(): Promise<Cached<readonly ModelFigures[]> | null>;
  /** Of the last 90 days. */
  statusFigures(): Promise<Cached<readonly ModelFigures[]> | null>;
  lastHour(): Promise<Cached<LastHour> | null>;
  /** Those that everyone is told of. */
  incidents(): Promise<Cached<readonly IncidentView[]> | null>;
  readonly pageLimiter: PageLimiter;
  /** Checks passwords and creates accounts. */
  readonly signInQueue: SignInQueue;
  /** Mails that are sent after the answer. */
  readonly outbox: Outbox;
  /** Reports failures on our side. */
  reportProblem(fields: object, message: string): void;
}

const slot = Symbol.for("relay.pages-deps");
const holder = globalThis as { [slot]?: PagesDeps };

/** Called once by the composition. The pages are bundled apart and read it from `globalThis`. */
export function providePagesDeps(deps: PagesDeps): void {
  holder[slot] = deps;
}

export function pagesDeps(): PagesDeps {
  const deps = holder[slot];
  if (deps === undefined) throw new Error("The site was asked before the process was composed.");
  return deps;
}
