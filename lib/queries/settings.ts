import type { z } from "zod";
import type { operatorSettingsResponse } from "../contract/operator-settings";
import { readEffectiveSettings } from "../live-settings/live-settings";
import { listNotices } from "./notices";
import type { QueryDeps } from "./query-deps";
import { actorNames } from "./users";

type View = z.input<typeof operatorSettingsResponse>;

/** Read from the database, not from memory, so that a change shows at once. */
export async function showOperatorSettings(
  deps: Pick<QueryDeps, "pool" | "database" | "live">,
): Promise<View> {
  const { pool, database, live } = deps;
  const [settings, rows, notices] = await Promise.all([
    readEffectiveSettings(pool, live.environment),
    database.liveSetting.findMany(),
    listNotices(database),
  ]);
  const nameOf = await actorNames(
    deps,
    rows.map(({ updatedBy }) => updatedBy),
  );
  return {
    settings: settings.map((setting) => {
      const row =
        setting.source === "here" ? rows.find(({ name }) => name === setting.name) : undefined;
      return {
        ...setting,
        updatedAt: row?.updatedAt.toISOString() ?? null,
        updatedBy: row ? nameOf(row.updatedBy) : null,
      };
    }),
    notices,
  };
}
