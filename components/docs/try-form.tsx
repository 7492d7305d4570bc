import { useTranslations } from "next-intl";
import type { FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PointsText } from "@/components/ui/points-text";
import { TryAnswer } from "./try-answer";
import type { TryCall } from "./try-call";
import { TryFields } from "./try-fields";
import { useTrial } from "./use-trial";
import { useTryFields } from "./use-try-fields";

/** Sends one request from the page. A request that costs points is priced first. */
export function TryForm({ call }: { call: TryCall }) {
  const t = useTranslations("tryIt");
  const fields = useTryFields(call);
  const trial = useTrial(call.name);
  const { running, quote } = trial;
  const isPriced = !call.isSold || trial.quoted === JSON.stringify(fields.trial);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (running !== null || !fields.isReady) return;
    void (isPriced ? trial.send(fields.trial) : trial.askPrice(fields.trial));
  };
  return (
    <form onSubmit={submit} className="mt-3 grid grid-cols-1 gap-4 rounded-lg border p-4">
      <TryFields call={call} fields={fields} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          type="submit"
          look={isPriced ? "signal" : "plain"}
          isBusy={running !== null}
          disabled={!fields.isReady}
        >
          {isPriced ? t("send") : t("price")}
        </Button>
        {running === "send" ? (
          <Button look="quiet" onClick={trial.stop}>
            {t("stop")}
          </Button>
        ) : null}
        <p role="status" className="text-muted text-sm">
          {call.isSold && isPriced && quote
            ? t.rich("cost", {
                estimate: () => <PointsText value={quote.estimate} form="exact" />,
                hold: () => <PointsText value={quote.hold} />,
              })
            : call.isSold
              ? t("priceFirst")
              : t("free")}
        </p>
      </div>
      {trial.hasFailed ? <Notice tone="bad">{t("offline")}</Notice> : null}
      <TryAnswer
        answer={trial.answer}
        arriving={running === "send" ? trial.arriving : ""}
        isFree={!call.isSold}
      />
    </form>
  );
}
