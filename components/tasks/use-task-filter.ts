import { useSearchParams } from "next/navigation";
import { useHydrated } from "@/lib/client/hydrated";
import { resultFamilies } from "@/lib/contract/states";
import { type TaskFilterView, taskStates } from "@/lib/contract/tasks";

/**
 * The filter in the page's URL; null until hydration, so that server and browser render the same.
 */
export function useTaskFilter(): TaskFilterView | null {
  const search = useSearchParams();
  if (!useHydrated()) return null;
  return {
    state: taskStates.find((each) => each === search.get("state")),
    family: resultFamilies.find((each) => each === search.get("family")),
    model: search.get("model") ?? undefined,
    key: search.get("key") ?? undefined,
  };
}
