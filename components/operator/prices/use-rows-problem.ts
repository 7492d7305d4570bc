import { useTranslations } from "next-intl";
import { type RateRow, wrongRow } from "./rate-rows";

/** What is wrong with the rows of a table of rates; undefined for nothing. */
export function useRowsProblem() {
  const t = useTranslations("operator.prices");
  return (rows: readonly RateRow[]) => {
    const at = wrongRow(rows);
    return at === null ? undefined : t("ratesProblem", { number: at + 1 });
  };
}
