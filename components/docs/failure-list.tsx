import { useTranslations } from "next-intl";
import { RowList } from "./row-list";

/** The failures of an endpoint by status, each with a link to what to do; `rows` is HTML. */
export function FailureList({ rows }: { rows: string }) {
  const t = useTranslations("reference");
  return (
    <section>
      <h3 className="mb-2 font-medium text-sm">{t("failures")}</h3>
      <RowList
        rows={rows}
        className="num gap-1 [&>div]:grid-cols-[3rem_minmax(0,1fr)] [&_a:hover]:text-ink [&_a]:rounded-sm [&_a]:text-muted [&_a]:underline [&_a]:decoration-line-strong [&_a]:underline-offset-3 [&_dd]:flex [&_dd]:flex-wrap [&_dd]:gap-x-3"
      />
    </section>
  );
}
