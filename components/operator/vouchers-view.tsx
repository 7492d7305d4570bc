"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { Pill } from "@/components/ui/pill";
import { PointsText } from "@/components/ui/points-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, ColumnHead, HiddenHead, NumberCell, NumberHead, Row } from "@/components/ui/table";
import { useSorted } from "@/components/ui/use-sorted";
import { useVoucherBatches } from "@/lib/client/operator-lists";
import { readPoints } from "@/lib/client/points-display";
import { dayText } from "@/lib/client/times";
import type { BatchView } from "@/lib/contract/operator-topup";
import { BatchDialog } from "./batch-dialog";
import { VoucherBatchDialog } from "./voucher-batch-dialog";

export function VouchersView() {
  const t = useTranslations("operator.vouchers");
  const query = useVoucherBatches();
  const batches = query.data?.pages.flatMap((page) => page.batches) ?? [];
  const { rows, sort } = useSorted(
    batches,
    {
      name: ({ name }) => name,
      state: stateOf,
      each: ({ points }) => readPoints(points),
      redeemed: ({ redeemed }) => redeemed,
      left: ({ left }) => left,
    },
    !query.hasNextPage,
  );
  const [openId, setOpenId] = useState<string | null>(null);
  const opened = batches.find(({ id }) => id === openId);
  return (
    <>
      <PageHead title={t("title")} note={t("note")}>
        <VoucherBatchDialog />
      </PageHead>
      <ListCard
        id="batches"
        title={t("batches")}
        query={query}
        empty={t("empty")}
        columns={
          <>
            <ColumnHead {...sort("name")}>{t("name")}</ColumnHead>
            <ColumnHead {...sort("state")}>{t("state")}</ColumnHead>
            <NumberHead {...sort("each")}>{t("each")}</NumberHead>
            <NumberHead {...sort("redeemed")}>{t("redeemed")}</NumberHead>
            <NumberHead {...sort("left")}>{t("left")}</NumberHead>
            <HiddenHead>{t("show")}</HiddenHead>
          </>
        }
        rows={rows.map((batch) => (
          <BatchRow key={batch.id} batch={batch} onOpen={() => setOpenId(batch.id)} />
        ))}
      />
      {opened ? <BatchDialog batch={opened} onClose={() => setOpenId(null)} /> : null}
    </>
  );
}

function stateOf({ left, redeemed, count, cancelledAt }: BatchView) {
  if (left > 0) return "open";
  if (redeemed === count) return "used";
  return cancelledAt ? "cancelled" : "expired";
}

function BatchRow({ batch, onOpen }: { batch: BatchView; onOpen: () => void }) {
  const t = useTranslations("operator.vouchers");
  const locale = useLocale();
  const state = stateOf(batch);
  return (
    <Row>
      <Cell className="cards:pb-1.5">
        <span className="font-medium wrap-anywhere">{batch.name}</span>
        <span className="block text-muted text-sm">
          <RelativeTime at={batch.createdAt} />
        </span>
      </Cell>
      <Cell label={t("state")}>
        <span>
          <Pill tone={state === "open" ? "held" : state === "used" ? "ok" : "plain"}>
            {t(`states.${state}`)}
          </Pill>
          {state === "open" && batch.expiresAt ? (
            <span className="block pt-1 text-muted text-xs">
              {t("until", { day: dayText(batch.expiresAt, locale) })}
            </span>
          ) : null}
        </span>
      </Cell>
      <Cell isNumber label={t("each")}>
        {batch.plan === null ? (
          <PointsText value={batch.points} />
        ) : (
          <span className="font-sans">
            {t("ofPlan", { plan: batch.plan, count: batch.planPeriods ?? 0 })}
          </span>
        )}
      </Cell>
      <Cell isNumber label={t("redeemed")}>
        {t("of", { part: batch.redeemed, whole: batch.count })}
      </Cell>
      <NumberCell label={t("left")}>{batch.left}</NumberCell>
      <Cell className="rows:text-right">
        <Button size="small" aria-label={t("showLabel", { name: batch.name })} onClick={onOpen}>
          {t("show")}
        </Button>
      </Cell>
    </Row>
  );
}
