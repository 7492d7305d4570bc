import { useTranslations } from "next-intl";
import { useFailureText } from "@/components/ui/failure-text";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { useReturnedPayment } from "@/lib/client/payments";
import { shortPoints } from "@/lib/client/points-display";
import type { PaymentView } from "@/lib/contract/payments";

/** The state of the payment that the buyer returns from. */
export function PaymentReturn({ id }: { id: string }) {
  const t = useTranslations("topup.returned");
  const failureText = useFailureText();
  const { data, error } = useReturnedPayment(id);
  if (error && !data) return <Frame tone="bad">{failureText(error)}</Frame>;
  if (data === undefined) return <Frame tone="ok">{t("asking")}</Frame>;
  const words = wordsOf(data);
  return (
    <Frame tone={words === "failed" || words === "expired" ? "bad" : "ok"}>
      {t(words, { points: shortPoints(data.points), name: data.packageName })}{" "}
      {data.isCredited ? (
        <Link
          href={`/points/receipts/${encodeURIComponent(id)}`}
          className="font-medium underline underline-offset-3"
        >
          {t("receipt")}
        </Link>
      ) : null}
    </Frame>
  );
}

function wordsOf({ state, isCredited, isPlan }: PaymentView) {
  if (isCredited) return isPlan ? "donePlan" : "done";
  if (state === "failed" || state === "expired") return state;
  return state === "pending" ? "pending" : "asking";
}

function Frame({ tone, children }: { tone: "bad" | "ok"; children: React.ReactNode }) {
  return (
    <div className="mb-3.5">
      <Notice tone={tone}>{children}</Notice>
    </div>
  );
}
