import { useTranslations } from "next-intl";
import type { LotView } from "@/lib/contract/plans";
import { LocalTime } from "./local-time";
import { PointsText } from "./points-text";
import { Cell, ColumnHead, NumberCell, Row } from "./table";

/** The heads of a table of points that end. */
export function LotHeads() {
  const t = useTranslations("plan.lots");
  return (
    <>
      <ColumnHead>{t("of")}</ColumnHead>
      <ColumnHead isNumber>{t("left")}</ColumnHead>
      <ColumnHead isNumber>{t("held")}</ColumnHead>
      <ColumnHead>{t("end")}</ColumnHead>
    </>
  );
}

/** Points that end together. */
export function LotRow({ lot: { reason, given, left, held, endsAt } }: { lot: LotView }) {
  const t = useTranslations("plan.lots");
  return (
    <Row>
      <Cell className="cards:pb-1.5">
        <span className="font-medium wrap-anywhere">{reason}</span>
        <span className="block text-muted text-sm">
          {t.rich("given", { points: () => <PointsText value={given} /> })}
        </span>
      </Cell>
      <NumberCell label={t("left")}>
        <PointsText value={left} />
      </NumberCell>
      <Cell isNumber label={t("held")}>
        {Number(held) === 0 ? <span aria-hidden>–</span> : <PointsText value={held} />}
      </Cell>
      <Cell label={t("end")}>
        <LocalTime at={endsAt} />
      </Cell>
    </Row>
  );
}
