"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { DialogForm } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { Dialog } from "@/components/ui/dialog";
import { Segmented } from "@/components/ui/segmented";
import { showToast } from "@/components/ui/toast";
import { useSetPrice } from "@/lib/client/operator-prices";
import type { NewPriceBody, OperatorPrice } from "@/lib/contract/operator-prices";
import { amountPattern, parsePoints } from "@/lib/points";
import { PRICE_MAX } from "@/lib/pricing/price";
import { useOperatorForm } from "../use-operator-form";
import { amountText } from "./amount-text";
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

function isPrice(text: string): boolean {
  const amount = amountPattern.test(text) ? parsePoints(text) : null;
  return amount !== null && amount >= 0n && amount <= PRICE_MAX;
}

/** Whether the time in a `datetime-local` field is in the future. */
const isToCome = (local: string) => new Date(local).getTime() > Date.now();

interface Pair {
  input: string;
  output: string;
}

function PriceForm({
  price: { model, family, present },
  onClose,
}: Omit<PriceDialogProps, "isOpen">) {
  const t = useTranslations("operator.prices");
  const billsInput = family === "text";
  const [when, setWhen] = useState<"now" | "at">("now");
  const set = useSetPrice();
  const bodyOf = ({ input, output }: Pair): NewPriceBody => ({
    model,
    output: output.trim(),
    ...(billsInput && { input: input.trim() }),
  });
  const hasPrices = ({ input, output }: Pair) =>
    (!billsInput || isPrice(input.trim())) && isPrice(output.trim());
  const form = useOperatorForm({
    start: { input: amountText(present?.input), output: amountText(present?.output), at: "" },
    problemsOf: ({ input, output, at }) => ({
      input: billsInput && !isPrice(input.trim()) ? t("problem") : undefined,
      output: isPrice(output.trim()) ? undefined : t("problem"),
      at: when === "at" && !isToCome(at) ? t("momentProblem") : undefined,
    }),
    send: (values) =>
      set.mutateAsync({
        ...bodyOf(values),
        effectiveAt: when === "at" ? new Date(values.at).toISOString() : null,
      }),
    onDone: () => {
      showToast(t(when === "at" ? "scheduled" : "changed", { model }));
      onClose();
    },
  });
  const values = form.watch();
  return (
    <DialogForm form={form} go={t(when === "at" ? "schedule" : "set")} onCancel={onClose}>
      <div className="grid gap-4 sm:grid-cols-2">
        {billsInput ? (
          <TextField label={t("inputPrice")} isNumber {...form.field("input")} />
        ) : null}
        <TextField label={t("outputPrice")} isNumber {...form.field("output")} />
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
        <TextField
          label={t("from")}
          hint={t("zoneNote")}
          type="datetime-local"
          {...form.field("at")}
        />
      ) : null}
      <PricePreview price={hasPrices(values) ? bodyOf(values) : null} />
    </DialogForm>
  );
}
