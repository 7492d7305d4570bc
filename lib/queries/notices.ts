import type { Database } from "../db/client";
import type { Notice } from "../db/generated/client";

/** All notices, newest first, including ended ones. */
export function listNotices(database: Database): Promise<Notice[]> {
  return database.notice.findMany({ orderBy: { id: "desc" }, take: 50 });
}
