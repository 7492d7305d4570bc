"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useFailureText } from "@/components/ui/failure-text";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { showToast } from "@/components/ui/toast";
import { useChangeLowBalanceNotice } from "@/lib/client/settings";
import { parsePoints, shortDecimal } from "@/lib/points";

/** `50.000000` as people write it: `50`. */
const shortText = (points: string) => shortDecimal(points);

/** Below how many available points the pages say so. */
export function LowBalanceForm({ notice }: { notice: string | null }) {
  const t = useTranslations("settings");
  const failureText = useFailureText();
  const change = useChangeLowBalanceNotice();
  const [text, setText] = useState(notice === null ? "" : shortText(notice));
  const [hasProblem, setHasProblem] = useState(false);
  const save = () => {
    const wanted = text.trim();
    const isFair = wanted === "" || (parsePoints(wanted) ?? 0n) > 0n;
    setHasProblem(!isFair);
    if (!isFair) return;
    change.mutate(wanted || null, {
      onSuccess: () => showToast(t(wanted ? "noticeSaved" : "noticeOff")),
      onError: (error) => showToast(failureText(error), "bad"),
    });
  };
  return (
    <form
      noValidate
      className="grid max-w-sm gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Field label={t("lowBalance")} hint={t("lowBalanceHint")} error={hasProblem ? t("lowBalanceProblem") : undefined}>
        {(control) => (
          <Input {...control} inputMode="decimal" className="num" value={text} onChange={(event) => setText(event.target.value)} />
        )}
      </Field>
      <Button type="submit" isBusy={change.isPending} className="justify-self-start">
        {t("saveNotice")}
      </Button>
    </form>
  );
}
