"use client";

import { useTranslations } from "next-intl";
import { findModel } from "@/lib/catalog/models";
import { useNoteUpstreamPrice } from "@/lib/client/operator-prices";
import { amountPattern } from "@/lib/points";
import { useOperatorForm } from "../use-operator-form";
import { amountText } from "./amount-text";

export interface PresentPrice {
  currency: string;
  input: string | null;
  output: string;
}

export const hasInput = (subject: string) => findModel(subject)?.family === "text";

export function usePriceForm(subject: string, present: PresentPrice | null, onDone: () => void) {
  const t = useTranslations("operator.prices");
  const note = useNoteUpstreamPrice();
  return useOperatorForm({
    start: {
      currency: present?.currency ?? "",
      input: amountText(present?.input),
      output: amountText(present?.output),
    },
    problemsOf: ({ currency, input, output }) => ({
      currency: /^[A-Z]{3}$/.test(currency.trim().toUpperCase()) ? undefined : t("currencyProblem"),
      input:
        hasInput(subject) && !amountPattern.test(input.trim()) ? t("amountProblem") : undefined,
      output: amountPattern.test(output.trim()) ? undefined : t("amountProblem"),
    }),
    send: ({ currency, input, output }) => {
      const price = {
        currency: currency.trim().toUpperCase(),
        input: hasInput(subject) ? input.trim() : null,
        output: output.trim(),
      };
      return note.mutateAsync({ subject, price });
    },
    onDone,
  });
}
