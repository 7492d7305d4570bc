"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { changeAddress } from "@/components/lists/address";
import { FilterChoice } from "@/components/lists/filter-choice";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { ColumnHead, NumberHead } from "@/components/ui/table";
import { useSorted } from "@/components/ui/use-sorted";
import { catalogueQuery } from "@/lib/client/operator-models";
import { families, modelStates } from "@/lib/contract/states";
import { SearchRow } from "../search-row";
import { ImportDialog } from "./import-dialog";
import { ModelRow } from "./model-row";
import { NewModelView } from "./new-model-view";

/** All models in every state, or the form of a new one. No path of its own: it could be a model's. */
export function ModelsView() {
  return useSearchParams().has("new") ? <NewModelView /> : <ModelList />;
}

function ModelList() {
  const t = useTranslations("operator.models");
  const search = useSearchParams();
  const [isImporting, setIsImporting] = useState(false);
  const textOf = (name: string) => search.get(name) ?? undefined;
  const q = search.get("q") ?? "";
  const query = useQuery(
    catalogueQuery({ q, family: textOf("family"), state: textOf("state"), page: textOf("page") }),
  );
  const isFiltered = q !== "" || search.has("family") || search.has("state");
  const { rows, sort } = useSorted(
    query.data?.models ?? [],
    {
      model: ({ id }) => id,
      state: ({ state }) => state,
      version: ({ version }) => version,
    },
    query.data?.pages === 1,
  );
  return (
    <>
      <PageHead title={t("title")} note={t("note")}>
        <span className="flex flex-wrap gap-2">
          <Button onClick={() => setIsImporting(true)}>{t("import")}</Button>
          <Button look="go" asChild>
            <Link href="/admin/models?new" prefetch={false}>
              <Plus aria-hidden />
              {t("add")}
            </Link>
          </Button>
        </span>
      </PageHead>
      <Filters q={q} family={textOf("family")} state={textOf("state")} />
      <ListCard
        id="models"
        title={t("list")}
        isPageTitle
        note={t("listNote")}
        query={query}
        empty={t(isFiltered ? "nothingFound" : "empty")}
        columns={
          <>
            <ColumnHead {...sort("model")}>{t("model")}</ColumnHead>
            <ColumnHead {...sort("state")}>{t("state")}</ColumnHead>
            <ColumnHead isNumber>{t("price")}</ColumnHead>
            <ColumnHead isNumber>{t("channels")}</ColumnHead>
            <NumberHead {...sort("version")}>{t("version")}</NumberHead>
          </>
        }
        rows={rows.map((model) => <ModelRow key={model.id} model={model} />)}
        foot={query.data ? <PageButtons {...query.data} /> : null}
      />
      {isImporting ? <ImportDialog onClose={() => setIsImporting(false)} /> : null}
    </>
  );
}

interface FiltersProps {
  q: string;
  family: string | undefined;
  state: string | undefined;
}

function Filters({ q, family, state }: FiltersProps) {
  const t = useTranslations("operator.models");
  const familyName = useTranslations("families");
  return (
    <SearchRow label={t("search")} value={q} isPaged>
      <FilterChoice
        label={t("family")}
        name="family"
        value={family}
        any={t("anyFamily")}
        options={families.map((value) => ({ value, label: familyName(value) }))}
      />
      <FilterChoice
        label={t("state")}
        name="state"
        value={state}
        any={t("anyState")}
        options={modelStates.map((value) => ({ value, label: t(`states.${value}`) }))}
      />
    </SearchRow>
  );
}

interface PageButtonsProps {
  count: number;
  page: number;
  pages: number;
}

function PageButtons({ count, page, pages }: PageButtonsProps) {
  const t = useTranslations("operator.models");
  const format = useFormatter();
  if (pages === 1) return null;
  const go = (wanted: number) => changeAddress({ page: wanted === 1 ? null : String(wanted) });
  return (
    <nav aria-label={t("pages")} className="flex flex-wrap items-center gap-3 border-t px-5 py-3">
      <span className="num text-muted text-sm">
        {t("pageOf", { page, pages, count: format.number(count) })}
      </span>
      <Button size="small" disabled={page === 1} onClick={() => go(page - 1)}>
        {t("before")}
      </Button>
      <Button size="small" disabled={page === pages} onClick={() => go(page + 1)}>
        {t("after")}
      </Button>
    </nav>
  );
}
