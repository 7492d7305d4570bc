import { queryOptions, useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import { tagEndpoints } from "../contract/tags";
import { call } from "./call";
import { useWrite } from "./write";

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

export const useSetTagBudget = () =>
  useWrite(
    (body: z.input<typeof tagEndpoints.setTagBudget.body>) =>
      call(tagEndpoints.setTagBudget, { body }),
    budgetsQuery.queryKey,
  );
