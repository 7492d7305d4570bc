import { useLocale, useTranslations } from "next-intl";
import { ListCard } from "@/components/lists/list-card";
import { SaveCsv } from "@/components/ui/save-csv";
import { Cell, ColumnHead, NumberCell, Row } from "@/components/ui/table";
import { useListText } from "@/components/ui/use-list-text";
import { billCsvAddress, useBill } from "@/lib/client/operator-bills";
import { upstreamMoney } from "@/lib/client/points-display";
import { exactTime } from "@/lib/client/times";
import type { ShownUpstreamBill } from "@/lib/contract/operator-bills";
import { usageParts } from "@/lib/upstream-bills/bill-line";

type Difference = ShownUpstreamBill["differences"][number];

/** The causes of a bill's differences, each with its sum, and the dearest differences. */
export function BillCard({ id }: { id: string }) {
  const t = useTranslations("operator.bills");
  const query = useBill(id);
  const { bill, causes = [], differences = [] } = query.data ?? {};
  const numbered = differences.map((each, nth) => ({ ...each, nth }));
  return (
    <ListCard
      id="bill"
      isWide
      title={bill?.name ?? t("bill")}
      note={t("billNote")}
      query={query}
      empty={t("noDifferences")}
      columns={
        <>
          <ColumnHead>{t("cause")}</ColumnHead>
          <ColumnHead>{t("call")}</ColumnHead>
          <ColumnHead>{t("at")}</ColumnHead>
          <ColumnHead isNumber>{t("tokens")}</ColumnHead>
          <ColumnHead isNumber>{t("difference")}</ColumnHead>
        </>
      }
      rows={numbered.map(({ nth, ...each }) => (
        <DifferenceRow key={nth} difference={each} currency={bill?.currency ?? ""} />
      ))}
    >
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 border-t px-5 py-3.5">
        {causes.map(({ cause, count, amount }) => (
          <span key={cause} className="text-sm">
            <span className="text-muted">{t(`causes.${cause}`)}</span>{" "}
            <span className="num">
              {t("calls", { count })} · {upstreamMoney(amount)} {bill?.currency}
            </span>
          </span>
        ))}
        <SaveCsv href={billCsvAddress(id)} />
      </div>
    </ListCard>
  );
}

function DifferenceRow({ difference, currency }: { difference: Difference; currency: string }) {
  const t = useTranslations("operator.bills");
  const locale = useLocale();
  const { cause, ref, at, model, amount, billed, owed } = difference;
  return (
    <Row>
      <Cell className="cards:pb-1.5">{t(`causes.${cause}`)}</Cell>
      <Cell label={t("call")}>
        <span className="cards:text-right">
          <code className="wrap-anywhere">{ref ?? "–"}</code>
          <span className="block wrap-anywhere text-muted text-sm">{model}</span>
        </span>
      </Cell>
      <Cell label={t("at")} className="text-muted text-sm">
        {at === null ? "–" : exactTime(at, locale)}
      </Cell>
      <Cell isNumber label={t("tokens")}>
        <span className="grow text-right text-sm">
          {billed === null && owed === null ? "–" : null}
          <Counted side="billed" usage={billed} />
          <Counted side="owed" usage={owed} />
        </span>
      </Cell>
      <NumberCell label={t("difference")}>
        {upstreamMoney(amount)} {currency}
      </NumberCell>
    </Row>
  );
}

/** What one side counts of a call; nothing where it has none. */
function Counted({ side, usage }: { side: "billed" | "owed"; usage: Difference["billed"] }) {
  const t = useTranslations("operator.bills.counted");
  const listed = useListText();
  if (usage === null) return null;
  const parts = usageParts.flatMap((part) => {
    const count = usage[part];
    return count === undefined ? [] : [t(part, { count })];
  });
  return <span className="block">{t(side, { parts: listed(parts) })}</span>;
}
