"use client";

import { useTranslations } from "next-intl";
import type { NewPriceBody } from "@/lib/contract/operator-prices";
import { amountPattern, parsePoints } from "@/lib/money/points";
import { PRICE_MAX } from "@/lib/pricing/price";
import { listedRates, wrongLine } from "./rate-list";

/** Whether a price is typed as that of tokens, or as a whole list of rates. */
export type Counted = "tokens" | "all";

interface Typed {
  input: string;
  output: string;
  rates: string;
}

function isPrice(text: string): boolean {
  const amount = amountPattern.test(text) ? parsePoints(text) : null;
  return amount !== null && amount >= 0n && amount <= PRICE_MAX;
}

interface Options {
  model: string;
  billsInput: boolean;
  counted: Counted;
}

/** The typed price as a request, and what is wrong with it. */
export function useWantedPrice({ model, billsInput, counted }: Options) {
  const t = useTranslations("operator.prices");
  const problemsOf = ({ input, output, rates }: Typed) => {
    const line = counted === "all" ? wrongLine(rates) : null;
    const isEmpty = counted === "all" && rates.trim() === "";
    const isToken = counted === "tokens";
    return {
      input: isToken && billsInput && !isPrice(input.trim()) ? t("problem") : undefined,
      output: isToken && !isPrice(output.trim()) ? t("problem") : undefined,
      rates: line !== null || isEmpty ? t("ratesProblem", { line: line ?? 1 }) : undefined,
    };
  };
  return {
    problemsOf,
    isWhole: (typed: Typed) => Object.values(problemsOf(typed)).every((each) => !each),
    bodyOf({ input, output, rates }: Typed): NewPriceBody {
      if (counted === "all") return { model, rates: listedRates(rates) };
      return { model, output: output.trim(), ...(billsInput && { input: input.trim() }) };
    },
  };
}
