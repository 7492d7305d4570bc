import type { Database } from "../db/client";
import type { Notice } from "../db/generated/client";

/** The newest first, ended ones too. */
export function listNotices(database: Database): Promise<Notice[]> {
  return database.notice.findMany({ orderBy: { id: "desc" }, take: 50 });
}
