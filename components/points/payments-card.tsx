"use client";

import { useLocale, useTranslations } from "next-intl";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { ForRole } from "@/components/ui/for-role";
import { Link } from "@/components/ui/link";
import { Pill } from "@/components/ui/pill";
import { PointsText } from "@/components/ui/points-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, ColumnHead, Row } from "@/components/ui/table";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useSorted } from "@/components/ui/use-sorted";
import { moneyText } from "@/lib/client/money-text";
import { paymentTones } from "@/lib/client/payment-tones";
import { useCancelPayment, useContinuePayment, usePayments } from "@/lib/client/payments";
import { readPoints } from "@/lib/client/points-display";
import type { PaymentView } from "@/lib/contract/payments";

/** The account's purchases, each with a receipt. */
export function PaymentsCard() {
  const t = useTranslations("topup");
  const query = usePayments();
  const payments = query.data?.pages.flatMap((page) => page.payments) ?? [];
  const { rows, sort } = useSorted(
    payments,
    {
      what: ({ paidAt, createdAt }) => Date.parse(paidAt ?? createdAt),
      state: ({ state }) => state,
      paid: ({ amount }) => amount,
      pointsColumn: ({ points }) => readPoints(points),
    },
    !query.hasNextPage,
  );
  return (
    <ListCard
      id="payments"
      className="mt-3.5"
      title={t("payments")}
      note={t("paymentsNote")}
      query={query}
      empty={t("noPayments")}
      columns={
        <>
          <ColumnHead {...sort("what")}>{t("what")}</ColumnHead>
          <ColumnHead {...sort("state")}>{t("state")}</ColumnHead>
          <ColumnHead isNumber {...sort("paid")}>
            {t("paid")}
          </ColumnHead>
          <ColumnHead isNumber {...sort("pointsColumn")}>
            {t("pointsColumn")}
          </ColumnHead>
          <ColumnHead>
            <span className="sr-only">{t("receipt")}</span>
          </ColumnHead>
        </>
      }
      rows={rows.map((payment) => <PaymentRow key={payment.id} payment={payment} />)}
    />
  );
}

function PaymentRow({ payment }: { payment: PaymentView }) {
  const t = useTranslations("topup");
  const states = useTranslations("topup.states");
  const locale = useLocale();
  return (
    <Row>
      <Cell className="cards:pb-1.5">
        <span className="font-medium wrap-anywhere">{payment.packageName}</span>
        <span className="block text-muted text-sm">
          <RelativeTime at={payment.paidAt ?? payment.createdAt} />
        </span>
      </Cell>
      <Cell label={t("state")}>
        <Pill tone={paymentTones[payment.state]}>{states(payment.state)}</Pill>
      </Cell>
      <Cell isNumber label={t("paid")}>
        <span>
          {moneyText(payment.amount, payment.currency, locale)}
          {payment.refunded > 0 ? (
            <span className="block font-sans text-muted text-sm">
              {t("refunded", { amount: moneyText(payment.refunded, payment.currency, locale) })}
            </span>
          ) : null}
        </span>
      </Cell>
      <Cell isNumber label={t("pointsColumn")}>
        <PointsText
          value={payment.points}
          className={payment.isCredited ? undefined : "text-muted"}
        />
      </Cell>
      <Cell className="rows:text-right">
        {payment.paidAt ? (
          <Link
            href={`/points/receipts/${encodeURIComponent(payment.id)}`}
            prefetch={false}
            aria-label={t("receiptLabel", { number: payment.number })}
            className="rounded-sm text-sm underline decoration-line-strong underline-offset-3 hover:decoration-ink"
          >
            {t("receipt")}
          </Link>
        ) : null}
        {payment.state === "open" ? (
          <ForRole needs="topUp">
            <OpenPayment payment={payment} />
          </ForRole>
        ) : null}
      </Cell>
    </Row>
  );
}

/** The buttons of an open payment: pay, and cancel. */
function OpenPayment({ payment: { id, packageName: name } }: { payment: PaymentView }) {
  const t = useTranslations("topup");
  const showFailure = useFailureToast("purchase");
  const page = useContinuePayment();
  const cancel = useCancelPayment();
  const isBusy = page.isPending || page.isSuccess || cancel.isPending;
  return (
    <span className="inline-flex flex-wrap justify-end gap-2">
      <ForRole needs="buy">
        <Button
          size="small"
          look="go"
          disabled={isBusy}
          aria-label={t("payLabel", { name })}
          onClick={() => page.mutate(id, { onError: showFailure })}
        >
          {t("pay")}
        </Button>
      </ForRole>
      <Button
        size="small"
        disabled={isBusy}
        aria-label={t("cancelLabel", { name })}
        onClick={() =>
          cancel.mutate(id, {
            onSuccess: ({ payment }) => {
              if (payment.state === "expired") showToast(t("cancelled"));
            },
            onError: showFailure,
          })
        }
      >
        {t("cancel")}
      </Button>
    </span>
  );
}
