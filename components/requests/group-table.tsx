"use client";

import { useFormatter, useLocale, useTranslations } from "next-intl";
import { PointsText } from "@/components/ui/points-text";
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from "@/components/ui/table";
import { findModel } from "@/lib/catalog/models";
import { dayName } from "@/lib/client/days";
import { largestPoints } from "@/lib/client/points-display";
import type { UsageGrouping } from "@/lib/contract/states";
import { FamilyTag } from "./family-tag";
import { ShareBar } from "./share-bar";

export interface SpendGroup {
  id: string;
  name: string | null;
  requests: number;
  amount: string;
}

/** The chart's figures as a table. By day it is collapsed, since the chart shows the days. */
export function GroupTable({
  group,
  groups,
  labelledBy,
}: {
  group: UsageGrouping;
  groups: readonly SpendGroup[];
  labelledBy: string;
}) {
  const t = useTranslations("usage");
  if (groups.length === 0) {
    return (
      <p
        className={`border-t px-5 text-muted text-sm ${group === "day" ? "py-2.5" : "py-8 text-center"}`}
      >
        {t("emptyGroups")}
      </p>
    );
  }
  if (group !== "day") return <Figures group={group} groups={groups} labelledBy={labelledBy} />;
  return (
    <details className="border-t">
      <summary className="px-5 py-2.5 text-muted text-sm hover:text-ink">{t("asTable")}</summary>
      <Figures group={group} groups={groups.toReversed()} labelledBy={labelledBy} />
    </details>
  );
}

function Figures({
  group,
  groups,
  labelledBy,
}: {
  group: UsageGrouping;
  groups: readonly SpendGroup[];
  labelledBy: string;
}) {
  const t = useTranslations("usage");
  const format = useFormatter();
  const largest = largestPoints(groups.map(({ amount }) => amount));
  return (
    <Table labelledBy={labelledBy}>
      <TableHead>
        <ColumnHead className="w-64">{t(`groups.${group}`)}</ColumnHead>
        <ColumnHead>
          <span className="sr-only">{t("share")}</span>
        </ColumnHead>
        <ColumnHead isNumber>{t("requests")}</ColumnHead>
        <ColumnHead isNumber>{t("charged")}</ColumnHead>
      </TableHead>
      <TableBody>
        {groups.map((each) => (
          <Row key={each.id}>
            <Cell className="wrap-anywhere text-sm">
              <GroupName group={group} id={each.id} name={each.name} />
            </Cell>
            <Cell className="@max-2xl/table:py-1.5">
              <ShareBar amount={each.amount} largest={largest} />
            </Cell>
            <Cell isNumber label={t("requests")}>
              {format.number(each.requests)}
            </Cell>
            <Cell isNumber label={t("charged")}>
              <PointsText value={each.amount} form="exact" />
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

function GroupName({ group, id, name }: { group: UsageGrouping; id: string; name: string | null }) {
  const t = useTranslations("usage.filter");
  const locale = useLocale();
  if (group === "day") return <span className="num">{dayName(id, locale, true)}</span>;
  const family = group === "model" ? findModel(id)?.family : undefined;
  if (family) return <FamilyTag family={family}>{id}</FamilyTag>;
  if (group === "model") return id;
  return id === "" ? t("noKey") : (name ?? id);
}
