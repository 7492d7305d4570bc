import { useTranslations } from "next-intl";
import { useState } from "react";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { ForRole } from "@/components/ui/for-role";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { Cell, ColumnHead, HiddenHead, Row } from "@/components/ui/table";
import { shortPoints } from "@/lib/client/points-display";
import { useTagBudgets } from "@/lib/client/tags";
import { TagBudgetDialog } from "./tag-budget-dialog";

export const TagBudgetsCard = () => (
  <ForRole needs="readUsage">
    <Budgets />
  </ForRole>
);

/** The budgets of tags, a row for each period. */
function Budgets() {
  const t = useTranslations("members");
  const query = useTagBudgets();
  const [chosen, setChosen] = useState<string | null>(null);
  const budgets = query.data?.budgets ?? [];
  return (
    <>
      <ListCard
        id="tag-budgets"
        title={t("tagBudgets")}
        note={t("tagBudgetsNote")}
        aside={
          <ForRole needs="changeAccount">
            <Button onClick={() => setChosen("")}>{t("addTagBudget")}</Button>
          </ForRole>
        }
        query={query}
        skeleton={<Skeleton className="mx-5 mb-5 h-4 w-60" />}
        empty={<p className="border-t px-5 py-4 text-muted">{t("noTagBudgets")}</p>}
        columns={
          <>
            <ColumnHead>{t("tag")}</ColumnHead>
            <ColumnHead>{t("budget")}</ColumnHead>
            <ColumnHead>{t("renews")}</ColumnHead>
            <HiddenHead>{t("actions")}</HiddenHead>
          </>
        }
        rows={budgets.map(({ tag, period, left, budget, renewsAt }) => (
          <Row key={`${tag} ${period}`}>
            <Cell className="cards:pb-1">
              <code className="wrap-anywhere">{tag}</code>
            </Cell>
            <Cell label={t("budget")}>
              {t(`leftOf.${period}`, { left: shortPoints(left), budget: shortPoints(budget) })}
            </Cell>
            <Cell label={t("renews")} className="text-muted text-sm">
              <RelativeTime at={renewsAt} />
            </Cell>
            <Cell className="cards:pt-2 rows:text-right">
              <ForRole needs="changeAccount">
                <Button onClick={() => setChosen(tag)}>{t("setBudget")}</Button>
              </ForRole>
            </Cell>
          </Row>
        ))}
      />
      {chosen === null ? null : (
        <TagBudgetDialog
          tag={chosen}
          budgets={budgets.filter(({ tag }) => tag === chosen)}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
}
