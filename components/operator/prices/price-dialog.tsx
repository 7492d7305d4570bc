import { useTranslations } from "next-intl";
import { useState } from "react";
import { DialogForm } from "@/components/forms/dialog-form";
import { MomentField } from "@/components/forms/moment-field";
import { Dialog } from "@/components/ui/dialog";
import { Segmented } from "@/components/ui/segmented";
import { closing } from "@/components/ui/toast";
import { useSetPrice } from "@/lib/client/operator-prices";
import type { OperatorPrice } from "@/lib/contract/operator-prices";
import { useOperatorForm } from "../use-operator-form";
import { PricePreview } from "./price-preview";
import { fieldOfRate, firstRows, type RateRow, ratesOfRows, rowsOf } from "./rate-rows";
import { RateTable } from "./rate-table";
import { useNoteCosts, usePointPrice } from "./use-note-costs";
import { useRowsProblem } from "./use-rows-problem";

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
      onClose={onClose}
      title={t("changeTitle", { model: price.model })}
      description={t("changeNote")}
      className="sm:w-[min(44rem,calc(100vw-2rem))]"
    >
      <PriceForm price={price} onClose={onClose} />
    </Dialog>
  );
}

/** Whether the time in a `datetime-local` field is in the future. */
const isToCome = (local: string) => new Date(local).getTime() > Date.now();

function PriceForm({ price, onClose }: Omit<PriceDialogProps, "isOpen">) {
  const t = useTranslations("operator.prices");
  const { model, family, present, upstream } = price;
  const [when, setWhen] = useState<"now" | "at">("now");
  const set = useSetPrice();
  const pointPrice = usePointPrice();
  const currency = upstream?.currency ?? pointPrice?.currency;
  const noteCosts = useNoteCosts(family, currency);
  const rowsProblem = useRowsProblem();
  const problemOf = (rows: readonly RateRow[]) =>
    rowsProblem(rows) ?? (ratesOfRows(rows).length === 0 ? t("ratesMissing") : undefined);
  const start = present ? rowsOf(present.rates, upstream?.rates) : firstRows(family);
  const form = useOperatorForm({
    start: { rates: start, at: "" },
    problemsOf: ({ rates, at }) => ({
      rates: problemOf(rates),
      at: when === "at" && !isToCome(at) ? t("momentProblem") : undefined,
    }),
    send: async ({ rates, at }) => {
      await set.mutateAsync({
        model,
        rates: ratesOfRows(rates),
        effectiveAt: when === "at" ? new Date(at).toISOString() : null,
      });
      const costs = JSON.stringify(rates.map(({ cost }) => cost));
      if (costs !== JSON.stringify(start.map(({ cost }) => cost))) await noteCosts(model, rates);
    },
    fieldOf: fieldOfRate,
    onDone: closing(onClose, t(when === "at" ? "scheduled" : "changed", { model })),
  });
  const { rates } = form.watch();
  return (
    <DialogForm form={form} go={t(when === "at" ? "schedule" : "set")} onCancel={onClose}>
      <RateTable
        label={t("rates")}
        hint={t("ratesHint")}
        family={family}
        rows={rates}
        onChange={(next) => form.change({ rates: next })}
        error={form.errorOf("rates")}
        currency={currency}
        pointPrice={pointPrice}
      />
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
        <MomentField label={t("from")} note={t("announced")} {...form.field("at")} />
      ) : null}
      <PricePreview
        price={problemOf(rates) === undefined ? { model, rates: ratesOfRows(rates) } : null}
      />
    </DialogForm>
  );
}
