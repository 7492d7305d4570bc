import type { z } from "zod";
import type { operatorSettingsResponse } from "../contract/operator-settings";
import { readEffectiveSettings } from "../live-settings/live-settings";
import { listNotices } from "./notices";
import type { QueryDeps } from "./query-deps";
import { actorNames } from "./users";

type View = z.input<typeof operatorSettingsResponse>;

function stateOf({
  startsAt,
  endsAt,
}: {
  startsAt: Date;
  endsAt: Date | null;
}): View["notices"][number]["state"] {
  const now = Date.now();
  if (endsAt !== null && endsAt.getTime() <= now) return "ended";
  return startsAt.getTime() > now ? "coming" : "shown";
}

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
    notices: notices.map((notice) => ({
      id: notice.id,
      level: notice.level === "warning" ? "warning" : "info",
      textEn: notice.textEn,
      textZh: notice.textZh,
      startsAt: notice.startsAt.toISOString(),
      endsAt: notice.endsAt?.toISOString() ?? null,
      state: stateOf(notice),
    })),
  };
}
