"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Segmented } from "@/components/ui/segmented";
import { showToast } from "@/components/ui/toast";
import { useSetPrice } from "@/lib/client/operator-prices";
import { priceText } from "@/lib/client/points-display";
import type { NewPriceBody, OperatorPrice } from "@/lib/contract/operator-prices";
import { amountPattern, parsePoints } from "@/lib/points";
import { PRICE_MAX } from "@/lib/pricing/price";
import { useOperatorFailureText } from "../operator-failure";
import { PricePreview } from "./price-preview";

interface PriceDialogProps {
  price: OperatorPrice;
  isOpen: boolean;
  onClose: () => void;
}

export function PriceDialog({ price, isOpen, onClose }: PriceDialogProps) {
  const t = useTranslations("operator.prices");
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(next) => (next ? undefined : onClose())}
      title={t("changeTitle", { model: price.model })}
      description={t("changeNote")}
      className="sm:w-[min(36rem,calc(100vw-2rem))]"
    >
      <PriceForm price={price} onClose={onClose} />
    </Dialog>
  );
}

const plain = (amount: string | null | undefined) => (amount ? priceText(amount).replaceAll(",", "") : "");

function isPrice(text: string): boolean {
  const amount = amountPattern.test(text) ? parsePoints(text) : null;
  return amount !== null && amount >= 0n && amount <= PRICE_MAX;
}

function PriceForm({ price, onClose }: Omit<PriceDialogProps, "isOpen">) {
  const t = useTranslations("operator.prices");
  const ui = useTranslations("ui");
  const failureText = useOperatorFailureText();
  const billsInput = price.family === "text";
  const [input, setInput] = useState(plain(price.present?.input));
  const [output, setOutput] = useState(plain(price.present?.output));
  const [when, setWhen] = useState<"now" | "at">("now");
  const [at, setAt] = useState("");
  const [isChecked, setIsChecked] = useState(false);
  const set = useSetPrice();
  const moment = at === "" ? null : new Date(at);
  const problems = {
    input: billsInput && !isPrice(input.trim()),
    output: !isPrice(output.trim()),
    at: when === "at" && (moment === null || Number.isNaN(moment.getTime()) || moment.getTime() <= Date.now()),
  };
  const body: NewPriceBody | null =
    problems.input || problems.output ? null : { model: price.model, output: output.trim(), ...(billsInput && { input: input.trim() }) };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (body === null || problems.at) return;
    set.mutate(
      { ...body, effectiveAt: when === "at" && moment ? moment.toISOString() : null },
      {
        onSuccess: () => {
          showToast(t(when === "at" ? "scheduled" : "changed", { model: price.model }));
          onClose();
        },
      },
    );
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        {billsInput ? (
          <Field label={t("inputPrice")} error={isChecked && problems.input ? t("problem") : undefined}>
            {(control) => (
              <Input {...control} className="num" inputMode="decimal" value={input} onChange={(event) => setInput(event.target.value)} />
            )}
          </Field>
        ) : null}
        <Field label={t("outputPrice")} error={isChecked && problems.output ? t("problem") : undefined}>
          {(control) => (
            <Input {...control} className="num" inputMode="decimal" value={output} onChange={(event) => setOutput(event.target.value)} />
          )}
        </Field>
      </div>
      <Segmented
        label={t("when")}
        value={when}
        options={[
          { value: "now", label: t("now") },
          { value: "at", label: t("later") },
        ]}
        onChange={setWhen}
      />
      {when === "at" ? (
        <Field label={t("from")} hint={t("zoneNote")} error={isChecked && problems.at ? t("momentProblem") : undefined}>
          {(control) => <Input {...control} type="datetime-local" value={at} onChange={(event) => setAt(event.target.value)} />}
        </Field>
      ) : null}
      <PricePreview price={body} />
      {set.error ? <Notice tone="bad">{failureText(set.error)}</Notice> : null}
      <DialogActions>
        <Button onClick={onClose}>{ui("cancel")}</Button>
        <Button type="submit" look="go" isBusy={set.isPending}>
          {t(when === "at" ? "schedule" : "set")}
        </Button>
      </DialogActions>
    </form>
  );
}
