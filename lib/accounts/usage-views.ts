/** The filters of the usage page that a person keeps, with the person's membership. */
import type pg from "pg";
import type { UsageView } from "../contract/usage-views";

interface Member {
  readonly accountId: string;
  readonly userId: string;
}

const whose = "where account_id = $1 and user_id = $2";

export async function usageViewsOf(pool: pg.Pool, { accountId, userId }: Member) {
  const { rows } = await pool.query<{ views: UsageView[] }>(
    `select usage_views as views from account_member ${whose}`,
    [accountId, userId],
  );
  return rows[0]?.views ?? [];
}

/** Keeps `views` in place of those before. */
export async function keepUsageViews(
  pool: pg.Pool,
  { accountId, userId }: Member,
  views: readonly UsageView[],
): Promise<void> {
  await pool.query(`update account_member set usage_views = $3::jsonb ${whose}`, [
    accountId,
    userId,
    JSON.stringify(views),
  ]);
}
