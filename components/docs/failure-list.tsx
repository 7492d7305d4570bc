import { useTranslations } from "next-intl";
import { Fold } from "./fold";
import { RowList } from "./row-list";

/** The failures of an endpoint by status, each with its meaning; `rows` is HTML. */
export function FailureList({ rows }: { rows: string }) {
  const t = useTranslations("reference");
  return (
    <Fold title={t("failures")}>
      <RowList
        rows={rows}
        className="gap-3 pt-2 [&_a:hover]:decoration-ink [&_a]:rounded-sm [&_a]:underline [&_a]:decoration-line-strong [&_a]:underline-offset-3 [&_dd]:grid [&_dd]:gap-1 [&_dt]:num [&_p]:text-muted [&>div]:grid-cols-[3rem_minmax(0,1fr)]"
      />
    </Fold>
  );
}
