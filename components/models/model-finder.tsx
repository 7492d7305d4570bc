"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ModelSearchField } from "@/components/catalog/model-search-field";
import { useSearchAddress } from "@/components/catalog/use-search-address";
import { cn } from "@/components/ui/class-names";
import { Segmented } from "@/components/ui/segmented";
import type { ModelSearch } from "@/lib/client/model-search";
import { families } from "@/lib/contract/states";

/** Those of the columns, for the narrow form that has none. */
const shownOrders = ["list", "price", "speed", "success"] as const;

interface ModelFinderProps {
  search: ModelSearch;
  count: number;
  /** Their table. */
  children: ReactNode;
}

/** Every model, by a search, a family and an order, which the URL keeps. */
export function ModelFinder({
  search: { query, family, order },
  count,
  children,
}: ModelFinderProps) {
  const t = useTranslations("modelFinder");
  const familyName = useTranslations("families");
  const { change, isBusy } = useSearchAddress();
  return (
    <>
      <search className="mb-3 grid justify-items-start gap-2.5 sm:grid-cols-[auto_1fr] xl:flex">
        <ModelSearchField
          query={query}
          onType={(text) => change("q", text, true)}
          className="w-full sm:col-span-full xl:w-80"
        />
        <Segmented
          label={t("family")}
          value={family ?? "all"}
          onChange={(chosen) => change("family", chosen === "all" ? "" : chosen)}
          options={[
            { value: "all", label: t("all") },
            ...families.map((each) => ({ value: each, label: familyName(each) })),
          ]}
        />
        <Segmented
          label={t("sort")}
          value={shownOrders.find((each) => each === order)}
          onChange={(chosen) => change("sort", chosen === "list" ? "" : chosen)}
          options={shownOrders.map((each) => ({ value: each, label: t(`orders.${each}`) }))}
        />
      </search>
      <p role="status" className="sr-only">
        {t("shown", { count })}
      </p>
      <div aria-busy={isBusy} className={cn(isBusy && "opacity-60 transition-opacity delay-100")}>
        {children}
      </div>
    </>
  );
}
