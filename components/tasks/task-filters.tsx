"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Segmented } from "@/components/ui/segmented";
import { Skeleton } from "@/components/ui/skeleton";
import { Choice, KeyChoice, ModelChoice } from "@/components/usage/filter-choices";
import { changeUsageAddress } from "@/components/usage/use-usage-filter";
import { models } from "@/lib/catalog/models";
import { resultFamilies } from "@/lib/contract/states";
import { type TaskFilterView, taskStates } from "@/lib/contract/tasks";

const states = ["all", ...taskStates] as const;

/** Which results: how far they are, of which family, by which model and key. All of it stands in the address. */
export function TaskFilters({ filter }: { filter: TaskFilterView | null }) {
  return (
    <div className="mb-4 flex min-h-10 flex-wrap content-start items-center gap-2.5 max-lg:min-h-22.5 max-sm:min-h-35">
      {filter ? <Filters filter={filter} /> : <Skeleton className="h-9.5 w-full max-w-lg" />}
    </div>
  );
}

function Filters({ filter }: { filter: TaskFilterView }) {
  const t = useTranslations("tasks.filter");
  const families = useTranslations("families");
  const usage = useTranslations("usage.filter");
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const offered = models.filter(({ family }) => family !== "text" && (filter.family === undefined || filter.family === family));
  return (
    <>
      <Segmented
        label={t("state")}
        className="max-sm:w-full"
        value={filter.state ?? "all"}
        onChange={(state) => changeUsageAddress({ state: state === "all" ? null : state })}
        options={states.map((value) => ({ value, label: t(`states.${value}`) }))}
      />
      <Choice label={t("family")} name="family" value={filter.family}>
        <option value="">{t("allFamilies")}</option>
        {resultFamilies.map((family) => (
          <option key={family} value={family}>
            {families(family)}
          </option>
        ))}
      </Choice>
      <ModelChoice value={filter.model} of={offered} />
      <KeyChoice value={filter.key} />
      {isFiltered ? (
        <Button look="quiet" onClick={() => changeUsageAddress({ state: null, family: null, model: null, key: null })}>
          <X aria-hidden />
          {usage("clear")}
        </Button>
      ) : null}
    </>
  );
}
