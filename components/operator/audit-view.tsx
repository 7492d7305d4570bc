"use client";

import { useQuery } from "@tanstack/react-query";
import { Download, ShieldCheck } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page-head";
import { QueryFailure } from "@/components/ui/query-failure";
import { ColumnHead } from "@/components/ui/table";
import { actionsCsvAddress, chainQuery, useActions } from "@/lib/client/operator-lists";
import { ActionRow } from "./action-row";
import { AuditFilters, auditFilterNames } from "./audit-filters";

/**
 * The audit log: who did what to whom, with the values before and after, and whether its chain is
 * intact.
 */
export function AuditView() {
  const t = useTranslations("operator.audit");
  const search = useSearchParams();
  const filter = Object.fromEntries(
    auditFilterNames.map((name) => [name, search.get(name) ?? undefined]),
  );
  const query = useActions(filter);
  const chain = useQuery(chainQuery);
  const actions = query.data?.pages.flatMap((page) => page.actions) ?? [];
  return (
    <>
      <PageHead title={t("title")} note={t("note")}>
        <span className="flex flex-wrap gap-2">
          <Button isBusy={chain.isFetching} onClick={() => void chain.refetch()}>
            <ShieldCheck aria-hidden />
            {t("verify")}
          </Button>
          <Button asChild>
            <a href={actionsCsvAddress(filter)} download>
              <Download aria-hidden />
              {t("csv")}
            </a>
          </Button>
        </span>
      </PageHead>
      <ChainResult chain={chain} />
      <AuditFilters key={search.toString()} />
      <ListCard
        id="actions"
        title={t("list")}
        note={t("listNote")}
        query={query}
        empty={t("empty")}
        columns={
          <>
            <ColumnHead>{t("when")}</ColumnHead>
            <ColumnHead>{t("who")}</ColumnHead>
            <ColumnHead>{t("what")}</ColumnHead>
            <ColumnHead>{t("change")}</ColumnHead>
          </>
        }
        rows={actions.map((action) => <ActionRow key={action.seq} action={action} />)}
      />
    </>
  );
}

type Chain = ReturnType<
  typeof useQuery<Awaited<ReturnType<NonNullable<Exclude<typeof chainQuery.queryFn, symbol>>>>>
>;

function ChainResult({ chain: { data, error, refetch } }: { chain: Chain }) {
  const t = useTranslations("operator.audit");
  const format = useFormatter();
  if (error) {
    return (
      <div className="mb-4">
        <QueryFailure error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!data) return null;
  return (
    <div className="mb-4">
      <Notice tone={data.ok ? "ok" : "bad"}>
        <p className="font-medium">
          {data.ok ? t("whole", { count: format.number(data.rows) }) : t("broken")}
        </p>
        {data.broken ? <p>{t(`why.${data.broken.why}`, { seq: data.broken.seq })}</p> : null}
        <p className="mt-1 text-muted text-xs">
          {t("head")} <code className="break-all">{data.head}</code>
        </p>
      </Notice>
    </div>
  );
}
