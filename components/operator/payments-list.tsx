import { useSearchParams } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { Pill } from "@/components/ui/pill";
import { PointsText } from "@/components/ui/points-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { Segmented } from "@/components/ui/segmented";
import { Cell, ColumnHead, NumberHead, Row } from "@/components/ui/table";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useSorted } from "@/components/ui/use-sorted";
import { moneyText } from "@/lib/client/money-text";
import { useAllPayments } from "@/lib/client/operator-lists";
import { paymentTones } from "@/lib/client/payment-tones";
import { readPoints } from "@/lib/client/points-display";
import { useOperatorWrite } from "@/lib/client/write";
import { type OperatorPaymentView, topupEndpoints } from "@/lib/contract/operator-topup";
import { paymentAttentions } from "@/lib/contract/topup-states";
import { AccountLink } from "./account-link";

/** The payments of all accounts. A filter shows those that need attention. */
export function PaymentsList() {
  const t = useTranslations("operator.payments");
  const [attention, setAttention] = useState<"all" | "open">(
    useSearchParams().get("payments") === "open" ? "open" : "all",
  );
  const query = useAllPayments(attention);
  const payments = query.data?.pages.flatMap((page) => page.payments) ?? [];
  const { rows, sort } = useSorted(
    payments,
    {
      account: ({ email }) => email,
      state: ({ state }) => state,
      amount: ({ amount }) => amount,
      points: ({ points }) => readPoints(points),
    },
    !query.hasNextPage,
  );
  return (
    <ListCard
      id="all-payments"
      className="mt-3.5"
      title={t("title")}
      note={t("note")}
      query={query}
      empty={t(attention === "all" ? "empty" : "nothingOpen")}
      aside={
        <Segmented
          label={t("which")}
          value={attention}
          onChange={setAttention}
          options={[
            { value: "all", label: t("all") },
            { value: "open", label: t("open") },
          ]}
        />
      }
      columns={
        <>
          <ColumnHead {...sort("account")}>{t("account")}</ColumnHead>
          <ColumnHead {...sort("state")}>{t("state")}</ColumnHead>
          <NumberHead {...sort("amount")}>{t("amount")}</NumberHead>
          <NumberHead {...sort("points")}>{t("points")}</NumberHead>
          <ColumnHead>{t("attention")}</ColumnHead>
        </>
      }
      rows={rows.map((payment) => <PaymentRow key={payment.id} payment={payment} />)}
    />
  );
}

function PaymentRow({ payment }: { payment: OperatorPaymentView }) {
  const t = useTranslations("operator.payments");
  const states = useTranslations("topup.states");
  const locale = useLocale();
  return (
    <Row>
      <Cell className="cards:pb-1.5">
        <AccountLink id={payment.accountId} email={payment.email} />
        <span className="block text-muted text-sm">
          {t("number", { number: payment.number })} · <RelativeTime at={payment.createdAt} />
        </span>
      </Cell>
      <Cell label={t("state")}>
        <Pill tone={paymentTones[payment.state]}>{states(payment.state)}</Pill>
      </Cell>
      <Cell isNumber label={t("amount")}>
        {moneyText(payment.amount, payment.currency, locale)}
      </Cell>
      <Cell isNumber label={t("points")}>
        <span>
          <PointsText value={payment.points} />
          {Number(payment.lost) > 0 ? (
            <span className="block font-sans text-bad text-sm">
              {t.rich("lost", { points: () => <PointsText value={payment.lost} /> })}
            </span>
          ) : null}
        </span>
      </Cell>
      <Cell label={t("attention")}>
        {payment.attention ? <Attention payment={payment} attention={payment.attention} /> : null}
      </Cell>
    </Row>
  );
}

function Attention({ payment, attention }: { payment: OperatorPaymentView; attention: string }) {
  const t = useTranslations("operator.payments");
  const showFailure = useFailureToast();
  const write = useOperatorWrite(topupEndpoints.attendPayment);
  const why = paymentAttentions.find((each) => each === attention);
  return (
    <span className="flex flex-wrap items-center gap-2 text-sm">
      <span className="text-held-ink">{why ? t(`why.${why}`) : attention}</span>
      <Button
        size="small"
        isBusy={write.isPending}
        aria-label={t("attendLabel", { number: payment.number })}
        onClick={() => write.mutate({ id: payment.id }, { onError: showFailure })}
      >
        {t("attend")}
      </Button>
    </span>
  );
}
