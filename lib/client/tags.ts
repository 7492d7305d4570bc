import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { tagEndpoints } from "../contract/tags";
import { call } from "./call";

const budgetsQuery = queryOptions({
  queryKey: ["tags", "budgets"],
  queryFn: ({ signal }) => call(tagEndpoints.listTagBudgets, { signal }),
});

/** The tags of this month. */
export const useTags = () =>
  useQuery({
    queryKey: ["tags", "names"],
    queryFn: ({ signal }) => call(tagEndpoints.listTags, { signal }),
  });

export const useTagBudgets = () => useQuery(budgetsQuery);

export function useSetTagBudget() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof tagEndpoints.setTagBudget.body>) =>
      call(tagEndpoints.setTagBudget, { body }),
    onSettled: () => client.invalidateQueries({ queryKey: budgetsQuery.queryKey }),
  });
}
