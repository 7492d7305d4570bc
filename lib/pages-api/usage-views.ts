/** The filters of the usage page that a person keeps, with the person's membership. */
import type { UsageView, usageViewEndpoints } from "../contract/usage-views";
import type { UseCases } from "./use-case";

const whose = "where account_id = $1 and user_id = $2";

export const usageViewUseCases: UseCases<typeof usageViewEndpoints> = {
  async listUsageViews({ deps, user }) {
    const { rows } = await deps.pool.query<{ views: UsageView[] }>(
      `select usage_views as views from account_member ${whose}`,
      [user.accountId, user.userId],
    );
    return { views: rows[0]?.views ?? [] };
  },
  async keepUsageViews({ deps, body, user }) {
    await deps.pool.query(`update account_member set usage_views = $3::jsonb ${whose}`, [
      user.accountId,
      user.userId,
      JSON.stringify(body.views),
    ]);
    return body;
  },
};
