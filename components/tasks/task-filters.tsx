import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { changeAddress } from "@/components/lists/address";
import { FilterChoice } from "@/components/lists/filter-choice";
import { KeyChoice, ModelChoice } from "@/components/requests/filter-choices";
import { Button } from "@/components/ui/button";
import { Segmented } from "@/components/ui/segmented";
import { Skeleton } from "@/components/ui/skeleton";
import { knownModels } from "@/lib/catalog/models";
import { resultFamilies } from "@/lib/contract/states";
import { type TaskFilterView, taskStates } from "@/lib/contract/tasks";

const states = ["all", ...taskStates] as const;

/** The filters of the tasks page (status, family, model, key), kept in the URL. */
export function TaskFilters({ filter }: { filter: TaskFilterView | null }) {
  return (
    <div className="mb-4 flex min-h-10 flex-wrap content-start items-center gap-2.5 max-[47rem]:min-h-22.5 max-sm:min-h-35">
      {filter ? <Filters filter={filter} /> : <Skeleton className="h-9.5 w-full max-w-lg" />}
    </div>
  );
}

function Filters({ filter }: { filter: TaskFilterView }) {
  const t = useTranslations("tasks.filter");
  const families = useTranslations("families");
  const usage = useTranslations("usage.filter");
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const offered = knownModels().filter(
    ({ family }) => family !== "text" && (filter.family === undefined || filter.family === family),
  );
  return (
    <>
      <Segmented
        label={t("state")}
        className="max-sm:w-full"
        value={filter.state ?? "all"}
        onChange={(state) => changeAddress({ state: state === "all" ? null : state })}
        options={states.map((value) => ({ value, label: t(`states.${value}`) }))}
      />
      <FilterChoice
        label={t("family")}
        name="family"
        value={filter.family}
        any={t("allFamilies")}
        options={resultFamilies.map((value) => ({ value, label: families(value) }))}
      />
      <ModelChoice value={filter.model} of={offered} />
      <KeyChoice value={filter.key} />
      {isFiltered ? (
        <Button
          look="quiet"
          onClick={() => changeAddress({ state: null, family: null, model: null, key: null })}
        >
          <X aria-hidden />
          {usage("clear")}
        </Button>
      ) : null}
    </>
  );
}
