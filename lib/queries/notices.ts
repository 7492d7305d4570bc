import type { NoticeView } from "../contract/operator-settings";
import type { Database } from "../db/client";

function stateOf(startsAt: Date, endsAt: Date | null): NoticeView["state"] {
  const now = Date.now();
  if (endsAt !== null && endsAt.getTime() <= now) return "ended";
  return startsAt.getTime() > now ? "coming" : "shown";
}

/** All notices, newest first, including ended ones. */
export async function listNotices(database: Database): Promise<NoticeView[]> {
  const rows = await database.notice.findMany({ orderBy: { id: "desc" }, take: 50 });
  return rows.map(({ id, level, textEn, textZh, startsAt, endsAt }) => ({
    id,
    level: level === "warning" ? "warning" : "info",
    textEn,
    textZh,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
    state: stateOf(startsAt, endsAt),
  }));
}
