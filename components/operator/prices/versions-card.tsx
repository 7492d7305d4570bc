"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { MorePages } from "@/components/shell/more-pages";
import { QueryFailure } from "@/components/shell/query-failure";
import { Card, CardHead } from "@/components/ui/card";
import { Select } from "@/components/ui/input";
import { Skeleton } from "@/components/ui/skeleton";
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from "@/components/ui/table";
import { models } from "@/lib/catalog/models";
import { usePriceVersions } from "@/lib/client/operator-prices";
import { priceText } from "@/lib/client/points-display";
import { Moment } from "./moment";

/** Every price there was, is, or is to come. */
export function VersionsCard() {
  const t = useTranslations("operator.prices");
  const [model, setModel] = useState<string | null>(null);
  const query = usePriceVersions(model);
  const versions = query.data?.pages.flatMap((page) => page.versions) ?? [];
  return (
    <Card aria-labelledby="versions" aria-busy={query.isPlaceholderData}>
      <CardHead id="versions" title={t("history")} note={t("historyNote")}>
        <Select aria-label={t("model")} value={model ?? ""} onChange={(event) => setModel(event.target.value || null)}>
          <option value="">{t("allModels")}</option>
          {models.map(({ id }) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </Select>
      </CardHead>
      {query.error && !query.data ? (
        <div className="border-t p-5">
          <QueryFailure error={query.error} onRetry={() => void query.refetch()} />
        </div>
      ) : null}
      {query.isPending ? (
        <div className="grid gap-4 border-t p-5">
          {[0, 1, 2].map((row) => (
            <Skeleton key={row} className="h-4 w-full" />
          ))}
        </div>
      ) : null}
      {versions.length > 0 ? (
        <Table labelledBy="versions" className="border-t">
          <TableHead>
            <ColumnHead>{t("from")}</ColumnHead>
            <ColumnHead>{t("model")}</ColumnHead>
            <ColumnHead isNumber>{t("inputPrice")}</ColumnHead>
            <ColumnHead isNumber>{t("outputPrice")}</ColumnHead>
            <ColumnHead>{t("setBy")}</ColumnHead>
          </TableHead>
          <TableBody>
            {versions.map((version) => (
              <Row key={version.id}>
                <Cell className="whitespace-nowrap">
                  <Moment at={version.effectiveAt} />
                </Cell>
                <Cell label={t("model")} className="font-medium">
                  {version.model}
                </Cell>
                <Cell isNumber label={t("inputPrice")}>
                  {version.input === null ? <span className="text-muted">–</span> : priceText(version.input)}
                </Cell>
                <Cell isNumber label={t("outputPrice")}>
                  {priceText(version.output)}
                </Cell>
                <Cell label={t("setBy")} className="wrap-anywhere text-muted text-sm">
                  {version.setBy}
                </Cell>
              </Row>
            ))}
          </TableBody>
        </Table>
      ) : null}
      <MorePages query={query} />
    </Card>
  );
}
