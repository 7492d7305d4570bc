"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { DialogForm } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { Dialog } from "@/components/ui/dialog";
import { Segmented } from "@/components/ui/segmented";
import { showToast } from "@/components/ui/toast";
import { useSetPrice } from "@/lib/client/operator-prices";
import type { OperatorPrice } from "@/lib/contract/operator-prices";
import { isMainRate } from "@/lib/contract/units";
import { useOperatorForm } from "../use-operator-form";
import { amountText } from "./amount-text";
import { PricePreview } from "./price-preview";
import { fieldOfRate, listText } from "./rate-list";
import { RatesField } from "./rates-field";
import { type Counted, useWantedPrice } from "./use-wanted-price";

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

/** Whether the time in a `datetime-local` field is in the future. */
const isToCome = (local: string) => new Date(local).getTime() > Date.now();

function PriceForm({
  price: { model, family, present },
  onClose,
}: Omit<PriceDialogProps, "isOpen">) {
  const t = useTranslations("operator.prices");
  const billsInput = family === "text";
  const hasOthers = present?.rates.some((rate) => !isMainRate(rate)) ?? false;
  const [when, setWhen] = useState<"now" | "at">("now");
  const [counted, setCounted] = useState<Counted>(hasOthers ? "all" : "tokens");
  const set = useSetPrice();
  const wanted = useWantedPrice({ model, billsInput, counted });
  const form = useOperatorForm({
    start: {
      input: amountText(present?.input),
      output: amountText(present?.output),
      rates: listText(present?.rates ?? []),
      at: "",
    },
    problemsOf: (values) => ({
      ...wanted.problemsOf(values),
      at: when === "at" && !isToCome(values.at) ? t("momentProblem") : undefined,
    }),
    send: (values) =>
      set.mutateAsync({
        ...wanted.bodyOf(values),
        effectiveAt: when === "at" ? new Date(values.at).toISOString() : null,
      }),
    fieldOf: fieldOfRate,
    onDone: () => {
      showToast(t(when === "at" ? "scheduled" : "changed", { model }));
      onClose();
    },
  });
  const values = form.watch();
  return (
    <DialogForm form={form} go={t(when === "at" ? "schedule" : "set")} onCancel={onClose}>
      <Segmented
        label={t("units")}
        value={counted}
        options={[
          { value: "tokens", label: t("tokensOnly") },
          { value: "all", label: t("allUnits") },
        ]}
        onChange={setCounted}
      />
      <PriceFields field={form.field} counted={counted} billsInput={billsInput} />
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
        <TextField
          label={t("from")}
          hint={t("zoneNote")}
          type="datetime-local"
          {...form.field("at")}
        />
      ) : null}
      <PricePreview price={wanted.isWhole(values) ? wanted.bodyOf(values) : null} />
    </DialogForm>
  );
}

interface PriceFieldsProps {
  field: (name: "input" | "output" | "rates") => { error: string | undefined };
  counted: Counted;
  billsInput: boolean;
}

/** The price of tokens, or the whole list. */
function PriceFields({ field, counted, billsInput }: PriceFieldsProps) {
  const t = useTranslations("operator.prices");
  if (counted === "all")
    return <RatesField label={t("rates")} hint={t("ratesHint")} {...field("rates")} />;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {billsInput ? <TextField label={t("inputPrice")} isNumber {...field("input")} /> : null}
      <TextField label={t("outputPrice")} isNumber {...field("output")} />
    </div>
  );
}
