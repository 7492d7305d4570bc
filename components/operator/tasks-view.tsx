"use client";

import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { changeAddress } from "@/components/lists/address";
import { DenseCard } from "@/components/lists/dense-card";
import { DrawerRoom } from "@/components/lists/drawer-room";
import { FilterChoice } from "@/components/lists/filter-choice";
import { useOpenRow } from "@/components/lists/use-open-row";
import { After } from "@/components/ui/after";
import { PageHead } from "@/components/ui/page-head";
import { useSorted } from "@/components/ui/use-sorted";
import { stuckQuery, useTasks } from "@/lib/client/operator-lists";
import { taskStatuses } from "@/lib/contract/states";
import { LoggedRequestDialog } from "./logged-request-dialog";
import { SearchField } from "./search-field";
import { StuckCard } from "./stuck-card";
import { taskLayout, taskRow, taskValues, useTaskColumns } from "./task-rows";

/** Stuck work, and the tasks of all accounts. */
export function OperatorTasksView() {
  const t = useTranslations("operator.tasks");
  const search = useSearchParams();
  const [q, status, account] = [search.get("q") ?? "", search.get("status"), search.get("account")];
  const query = useTasks({ q, status: status ?? undefined, account: account ?? undefined });
  const stuck = useQuery(stuckQuery);
  const loaded = query.data?.pages.flatMap((page) => page.tasks) ?? [];
  const { rows: tasks, sort } = useSorted(loaded, taskValues, !query.hasNextPage);
  const row = useOpenRow(
    "task",
    tasks.map(({ id }) => id),
    query,
  );
  const look = (text: string) => {
    if (text.startsWith("acct_")) changeAddress({ account: text, q: null });
    else changeAddress({ q: text === "" ? null : text });
  };
  return (
    <>
      <DrawerRoom name="task" />
      <PageHead title={t("title")} note={t("note")} />
      <StuckCard row={row} />
      <After of={[stuck]}>
        <div className="mt-6 mb-3.5 flex flex-wrap items-center gap-2.5">
          <SearchField key={q} label={t("searchLabel")} value={q} onSearch={look} />
          <FilterChoice
            label={t("status")}
            name="status"
            value={status}
            any={t("anyStatus")}
            options={taskStatuses.map((value) => ({ value, label: t(`statuses.${value}`) }))}
          />
          {account ? (
            <FilterChoice
              label={t("account")}
              name="account"
              value={account}
              any={t("allAccounts")}
              options={[{ value: account, label: account }]}
            />
          ) : null}
        </div>
        <DenseCard
          id="tasks"
          title={t("list")}
          note={t("listNote")}
          query={query}
          empty={t("empty")}
          columns={useTaskColumns(sort)}
          layout={taskLayout}
          rows={tasks.map((task) => taskRow(task, row))}
        />
      </After>
      {row.id === null ? null : <LoggedRequestDialog id={row.id} row={row} />}
    </>
  );
}
