import { useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import { tagEndpoints } from "../contract/tags";
import { call } from "./call";
import { reading } from "./read";
import { useWrite } from "./write";

const budgetsQuery = reading(["tags", "budgets"], tagEndpoints.listTagBudgets, {});

/** The tags of this month. */
export const useTags = () => useQuery(reading(["tags", "names"], tagEndpoints.listTags, {}));

export const useTagBudgets = () => useQuery(budgetsQuery);

export const useSetTagBudget = () =>
  useWrite(
    (body: z.input<typeof tagEndpoints.setTagBudget.body>) =>
      call(tagEndpoints.setTagBudget, { body }),
    budgetsQuery.queryKey,
  );
