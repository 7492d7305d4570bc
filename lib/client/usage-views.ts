import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { USAGE_VIEWS_MAX } from "../contract/limits";
import { type UsageView, usageViewEndpoints } from "../contract/usage-views";
import { call } from "./call";
import { reading } from "./read";

const KEY = ["usage-views"];

/** The filters of the usage page that this person keeps, and how to change them. */
export function useUsageViews() {
  const client = useQueryClient();
  const query = useQuery(reading(KEY, usageViewEndpoints.listUsageViews, {}));
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (views: readonly UsageView[]) =>
      call(usageViewEndpoints.keepUsageViews, { body: { views: [...views] } }),
    onSuccess: (kept) => client.setQueryData(KEY, kept),
  });
  const views = query.data?.views ?? [];
  const without = (name: string) => views.filter((each) => each.name !== name);
  return {
    query,
    views,
    isPending,
    isFull: views.length >= USAGE_VIEWS_MAX,
    /** In the place of one with the same name. */
    keep: (view: UsageView) => mutateAsync([view, ...without(view.name)]),
    remove: (name: string) => mutateAsync(without(name)),
  };
}
