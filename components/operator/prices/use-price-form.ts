import { useTranslations } from "next-intl";
import { findModel } from "@/lib/catalog/models";
import { useNoteUpstreamPrice } from "@/lib/client/operator-prices";
import type { RateView } from "@/lib/contract/rates";
import { isMainRate } from "@/lib/contract/units";
import { amountPattern } from "@/lib/money/points";
import { useOperatorForm } from "../use-operator-form";
import { amountText } from "./amount-text";
import { fieldOfRate, ratesOfRows, rowsOf } from "./rate-rows";
import { useRowsProblem } from "./use-rows-problem";

export interface PresentPrice {
  currency: string;
  input: string | null;
  output: string;
  rates?: readonly RateView[];
}

/** The other rates of what is recorded. */
const othersOf = (rates: readonly RateView[] = []) => rates.filter((rate) => !isMainRate(rate));

export const hasInput = (subject: string) => findModel(subject)?.family === "text";

export function usePriceForm(subject: string, present: PresentPrice | null, onDone: () => void) {
  const t = useTranslations("operator.prices");
  const note = useNoteUpstreamPrice();
  const rowsProblem = useRowsProblem();
  return useOperatorForm({
    start: {
      currency: present?.currency ?? "",
      input: amountText(present?.input),
      output: amountText(present?.output),
      rates: rowsOf(othersOf(present?.rates)),
    },
    problemsOf: ({ currency, input, output, rates }) => ({
      rates: rowsProblem(rates),
      currency: /^[A-Z]{3}$/.test(currency.trim().toUpperCase()) ? undefined : t("currencyProblem"),
      input:
        hasInput(subject) && !amountPattern.test(input.trim()) ? t("amountProblem") : undefined,
      output: amountPattern.test(output.trim()) ? undefined : t("amountProblem"),
    }),
    send: ({ currency, input, output, rates }) => {
      const price = {
        currency: currency.trim().toUpperCase(),
        input: hasInput(subject) ? input.trim() : null,
        output: output.trim(),
        ...(subject !== "point" && { rates: ratesOfRows(rates) }),
      };
      return note.mutateAsync({ subject, price });
    },
    onDone,
    fieldOf: fieldOfRate,
  });
}
