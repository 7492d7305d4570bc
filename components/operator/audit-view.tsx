"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, ShieldCheck } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { withParameter } from "@/components/lists/address";
import { DenseCard } from "@/components/lists/dense-card";
import { DrawerRoom } from "@/components/lists/drawer-room";
import { useOpenRow } from "@/components/lists/use-open-row";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page-head";
import { QueryFailure } from "@/components/ui/query-failure";
import { RowTime } from "@/components/ui/row-time";
import { SaveCsv } from "@/components/ui/save-csv";
import { useSorted } from "@/components/ui/use-sorted";
import { actionsCsvAddress, chainQuery, useActions } from "@/lib/client/operator-lists";
import { AuditDrawer } from "./audit-drawer";
import { AuditFilters, auditFilterNames } from "./audit-filters";
import { useAuditNames, useSubjectText } from "./audit-words";
import { ChangeLine } from "./change-text";

const layout =
  "@[44rem]/dense:grid-cols-[6.25rem_minmax(0,1fr)_minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1.3fr)]";

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
  const chain = useQuery(chainQuery);
  return (
    <>
      <DrawerRoom name="row" />
      <PageHead title={t("title")} note={t("note")}>
        <span className="flex flex-wrap gap-2">
          <Button isBusy={chain.isFetching} onClick={() => void chain.refetch()}>
            <ShieldCheck aria-hidden />
            {t("verify")}
          </Button>
          <SaveCsv href={actionsCsvAddress(filter)} />
        </span>
      </PageHead>
      <ChainResult chain={chain} />
      <AuditFilters key={auditFilterNames.map((name) => search.get(name)).join()} />
      <Actions filter={filter} />
    </>
  );
}

function Actions({ filter }: { filter: Parameters<typeof useActions>[0] }) {
  const t = useTranslations("operator.audit");
  const search = useSearchParams();
  const names = useAuditNames();
  const subjectText = useSubjectText();
  const query = useActions(filter);
  const loaded = query.data?.pages.flatMap((page) => page.actions) ?? [];
  const { rows: actions, sort } = useSorted(
    loaded,
    {
      when: ({ at }) => Date.parse(at),
      who: names.actor,
      action: ({ action }) => names.action(action),
      subject: subjectText,
    },
    !query.hasNextPage,
  );
  const row = useOpenRow(
    "row",
    actions.map(({ seq }) => seq),
    query,
  );
  return (
    <>
      <DenseCard
        id="actions"
        title={t("list")}
        note={t("listNote")}
        query={query}
        empty={t("empty")}
        layout={layout}
        columns={[
          { name: t("when"), place: "side", ...sort("when") },
          {
            name: t("who"),
            place: "end",
            className: "@max-[44rem]/dense:max-w-36 @max-[44rem]/dense:sm:max-w-72 text-muted",
            ...sort("who"),
          },
          { name: t("filter.action"), place: "head", className: "font-medium", ...sort("action") },
          { name: t("filter.subject"), place: "body", ...sort("subject") },
          { name: t("change"), place: "wide" },
        ]}
        rows={actions.map((action) => ({
          id: action.seq,
          href: withParameter("/admin/audit", search, "row", action.seq),
          onOpen: () => row.open(action.seq),
          isOpen: row.id === action.seq,
          cells: [
            <ActionTime key="when" at={action.at} />,
            names.actor(action),
            names.action(action.action),
            <span key="subject" title={action.subject}>
              {subjectText(action)}
            </span>,
            <ChangeLine key="change" action={action} />,
          ],
        }))}
      />
      {row.id === null ? null : (
        <AuditDrawer seq={row.id} row={row} listed={actions.find(({ seq }) => seq === row.id)} />
      )}
    </>
  );
}

/** In two lines there is little room beside the name of the action. */
function ActionTime({ at }: { at: string }) {
  return (
    <>
      <span className="@max-[44rem]/dense:hidden">
        <RowTime at={at} />
      </span>
      <span className="text-xs @[44rem]/dense:hidden">
        <RowTime at={at} isShort />
      </span>
    </>
  );
}

type Chain = ReturnType<
  typeof useQuery<Awaited<ReturnType<NonNullable<Exclude<typeof chainQuery.queryFn, symbol>>>>>
>;

/** The first letters of a hash, enough to compare two at a glance. */
const HEAD_SHOWN = 12;

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
  if (data && !data.ok) {
    return (
      <div className="mb-4">
        <Notice tone="bad">
          <p className="font-medium">{t("broken")}</p>
          {data.broken ? <p>{t(`why.${data.broken.why}`, { seq: data.broken.seq })}</p> : null}
        </Notice>
      </div>
    );
  }
  return (
    <p role="status" className="mb-3.5 flex min-h-7 flex-wrap items-center gap-x-2 text-sm">
      {data ? (
        <>
          <CircleCheck aria-hidden className="size-4 shrink-0 text-ok-ink" />
          {t("whole", { count: format.number(data.rows) })}
          <span className="flex items-center gap-1 text-muted text-xs">
            {t("head")} <code title={data.head}>{`${data.head.slice(0, HEAD_SHOWN)}…`}</code>
            <CopyButton
              text={data.head}
              what={t("hash")}
              look="quiet"
              hasText={false}
              className="size-7 p-0"
            />
          </span>
        </>
      ) : null}
    </p>
  );
}
