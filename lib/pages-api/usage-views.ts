import { keepUsageViews, usageViewsOf } from "../accounts/usage-views";
import type { usageViewEndpoints } from "../contract/usage-views";
import type { UseCases } from "./use-case";

export const usageViewUseCases: UseCases<typeof usageViewEndpoints> = {
  async listUsageViews({ deps, user }) {
    return { views: await usageViewsOf(deps.pool, user) };
  },
  async keepUsageViews({ deps, body, user }) {
    await keepUsageViews(deps.pool, user, body.views);
    return body;
  },
};
