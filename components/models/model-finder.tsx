"use client";

import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { boardTable } from "@/components/catalog/board-table";
import { Card } from "@/components/ui/card";
import { Input } from "@/components/ui/input";
import { Segmented } from "@/components/ui/segmented";
import { Table, TableBody } from "@/components/ui/table";
import { useHydrated } from "@/lib/client/hydrated";
import { SEARCH_LENGTH_MAX } from "@/lib/contract/limits";
import { type Family, families } from "@/lib/contract/states";

/** A model as a row of the table, and what it is found and sorted by. */
export interface FoundModel {
  readonly id: string;
  readonly family: Family;
  /** In lower case. */
  readonly text: string;
  /** Of the typical request, in points. Families cannot be compared by it, but it is one order. */
  readonly cost: number | null;
  readonly usualMs: number | null;
  readonly success: number | null;
  readonly row: ReactNode;
}

const orders = ["list", "price", "speed", "success"] as const;
type Order = (typeof orders)[number];

/** Models whose value is unknown come last. */
function sorted(found: readonly FoundModel[], order: Order): readonly FoundModel[] {
  if (order === "list") return found;
  const rank = ({ cost, usualMs, success }: FoundModel) =>
    ({ price: cost, speed: usualMs, success: success === null ? null : -success })[order] ??
    Number.POSITIVE_INFINITY;
  return found.toSorted((one, other) => {
    const [a, b] = [rank(one), rank(other)];
    return a === b ? 0 : a - b;
  });
}

function setInUrl(name: string, value: string): void {
  const url = new URL(window.location.href);
  if (value === "") url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  window.history.replaceState(null, "", url);
}

/** Every model, by a search, a family and an order, which the URL keeps. */
export function ModelFinder({ models, head }: { models: readonly FoundModel[]; head: ReactNode }) {
  const t = useTranslations("modelFinder");
  const familyName = useTranslations("families");
  const isHydrated = useHydrated();
  const asked = useSearchParams();
  const query = asked.get("q") ?? "";
  const family = families.find((each) => each === asked.get("family")) ?? "all";
  const order = orders.find((each) => each === asked.get("sort")) ?? "list";
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = sorted(
    models.filter(
      (model) =>
        (family === "all" || model.family === family) &&
        words.every((word) => model.text.includes(word)),
    ),
    order,
  );
  return (
    <>
      <search className="mb-3 grid justify-items-start gap-2.5 sm:grid-cols-[auto_1fr] xl:flex">
        <Input
          type="search"
          aria-label={t("search")}
          placeholder={t("search")}
          defaultValue={query}
          // What is typed before would not search.
          readOnly={!isHydrated}
          maxLength={SEARCH_LENGTH_MAX}
          autoComplete="off"
          spellCheck={false}
          className="w-full sm:col-span-full xl:w-80"
          onChange={(event) => setInUrl("q", event.target.value.trim())}
        />
        <Segmented
          label={t("family")}
          value={family}
          onChange={(chosen) => setInUrl("family", chosen === "all" ? "" : chosen)}
          options={[
            { value: "all", label: t("all") },
            ...families.map((each) => ({ value: each, label: familyName(each) })),
          ]}
        />
        <Segmented
          label={t("sort")}
          value={order}
          onChange={(chosen) => setInUrl("sort", chosen === "list" ? "" : chosen)}
          options={orders.map((each) => ({ value: each, label: t(`orders.${each}`) }))}
        />
      </search>
      <p role="status" className="sr-only">
        {t("shown", { count: shown.length })}
      </p>
      <Card>
        <Table labelledBy="models" className={boardTable}>
          {head}
          <TableBody>{shown.map(({ row }) => row)}</TableBody>
        </Table>
        {shown.length === 0 ? <p className="px-5 py-8 text-muted">{t("none")}</p> : null}
      </Card>
    </>
  );
}
