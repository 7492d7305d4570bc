import type pg from "pg";
import type { CommandDeps } from "../commands/command-deps";
import type { SourceName } from "./book";
import type { Ratios } from "./ratios";
import type { ImportReport } from "./report";
import type { Source } from "./sources/source";
import type { PlanThere, Subscriptions } from "./subscriptions";

export interface ImportOptions {
  readonly source: SourceName;
  /** Reads and decides, and writes nothing. */
  readonly isDry: boolean;
  /** What a model may answer at most, which no source says. */
  readonly outputTokensMax: number;
  /** The limit of each key, which no source has. */
  readonly keyRequestsPerMinute: number;
  /** Our plans by the ids of theirs: those who subscribed to one are put on the other. */
  readonly plans: ReadonlyMap<string, string>;
}

export type ImportDeps = Pick<CommandDeps, "database" | "pool" | "secrets">;

/** What every step of an import works with. */
export interface ImportContext extends ImportOptions {
  readonly deps: ImportDeps;
  /** A connection to our database on which a statement may take long. */
  readonly client: pg.ClientBase;
  readonly actor: string;
  readonly from: Source;
  readonly ratios: Ratios;
  readonly subscriptions: Subscriptions;
  /** By the source's ids. */
  readonly plansThere: ReadonlyMap<string, PlanThere>;
  readonly report: ImportReport;
  /** Ours by theirs; in a dry run also what would be made. */
  readonly moved: {
    readonly models: Map<string, string>;
    readonly groups: Map<string, string>;
    readonly users: Map<string, string>;
    readonly keys: Map<string, string>;
  };
}
