import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { OpenRow } from "@/components/lists/use-open-row";
import { Button } from "@/components/ui/button";
import { Card, CardHead } from "@/components/ui/card";
import { DenseTable } from "@/components/ui/dense-table";
import { PointsText } from "@/components/ui/points-text";
import { QueryFailure } from "@/components/ui/query-failure";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { stuckQuery } from "@/lib/client/operator-lists";
import { useOperatorWrite } from "@/lib/client/write";
import { requestEndpoints, type StuckView } from "@/lib/contract/operator-requests";
import { holdAges } from "@/lib/contract/states";
import { DeadNode } from "./dead-node";
import { OpenHolds } from "./open-holds";
import { taskLayout, taskRow, useTaskColumns } from "./task-rows";

/**
 * Work that may need an operator, with the actions to poll a task and to give up a dead process.
 * `row`: the task whose drawer is open.
 */
export function StuckCard({ row }: { row: OpenRow }) {
  const t = useTranslations("operator.stuck");
  const { data, error, refetch } = useQuery(stuckQuery);
  return (
    <Card aria-labelledby="stuck">
      <CardHead id="stuck" title={t("title")} note={t("note")}>
        <CheckNow />
      </CardHead>
      {error && !data ? (
        <div className="border-t p-5">
          <QueryFailure error={error} onRetry={() => void refetch()} />
        </div>
      ) : null}
      {!data && !error ? (
        <div className="border-t p-5">
          <Skeleton className="h-24 w-full" />
        </div>
      ) : null}
      {data ? <Findings stuck={data} row={row} /> : null}
    </Card>
  );
}

function Findings({ stuck, row }: { stuck: StuckView; row: OpenRow }) {
  const t = useTranslations("operator.stuck");
  const columns = useTaskColumns();
  const isQuiet = stuck.tasks.length + stuck.nodes.length + stuck.files.length === 0;
  return (
    <>
      <Ages ages={stuck.ages} />
      {isQuiet ? <p className="border-t px-5 py-4 text-muted text-sm">{t("quiet")}</p> : null}
      {stuck.nodes.length > 0 ? (
        <Finding title={t("nodes")} note={t("nodesNote")}>
          <ul className="divide-y border-t">
            {stuck.nodes.map((node) => (
              <DeadNode key={node.id} node={node} />
            ))}
          </ul>
        </Finding>
      ) : null}
      {stuck.files.length > 0 ? (
        <Finding title={t("files")} note={t("filesNote")}>
          <ul className="border-t px-5 py-2 text-sm">
            {stuck.files.map(({ name, why, bytes, at }) => (
              <li key={name} className="flex flex-wrap justify-between gap-x-4 py-1">
                <code className="break-all">{name}</code>
                <span className="text-muted">
                  {t(`why.${why}`)} · {t("bytes", { bytes })} · <RelativeTime at={at} />
                </span>
              </li>
            ))}
          </ul>
        </Finding>
      ) : null}
      {stuck.tasks.length > 0 ? (
        <Finding id="stuck-tasks" title={t("tasks")} note={t("tasksNote")}>
          <DenseTable
            labelledBy="stuck-tasks"
            className="border-t"
            columns={columns}
            layout={taskLayout}
            rows={stuck.tasks.map((task) => taskRow(task, row))}
          />
        </Finding>
      ) : null}
      {stuck.holds.length > 0 ? (
        <Finding id="open-holds" title={t("holds")} note={t("holdsNote")}>
          <OpenHolds holds={stuck.holds} />
        </Finding>
      ) : null}
    </>
  );
}

interface FindingProps {
  id?: string;
  title: string;
  note: string;
  children: ReactNode;
}

function Finding({ id, title, note, children }: FindingProps) {
  return (
    <section className="border-t">
      <div className="px-5 pt-4 pb-2.5">
        <h3 id={id} className="font-medium">
          {title}
        </h3>
        <p className="text-muted text-sm">{note}</p>
      </div>
      {children}
    </section>
  );
}

function Ages({ ages: found }: { ages: StuckView["ages"] }) {
  const t = useTranslations("operator.stuck");
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 border-t bg-wash/60 px-5 py-3.5 sm:grid-cols-5">
      {holdAges.map((age) => {
        const here = found.find((each) => each.age === age);
        return (
          <div key={age}>
            <dt className="text-muted text-xs">{t(`ages.${age}`)}</dt>
            <dd className="num text-sm">
              {here
                ? t.rich("owes", {
                    count: here.holds,
                    amount: () => <PointsText value={here.held} className="text-held-ink" />,
                  })
                : "0"}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function CheckNow() {
  const t = useTranslations("operator.stuck");
  const showFailure = useFailureToast();
  const check = useOperatorWrite(requestEndpoints.sweepLedger);
  const look = () =>
    check.mutate(
      {},
      { onSuccess: ({ ended }) => showToast(t("ended", { count: ended })), onError: showFailure },
    );
  return (
    <Button isBusy={check.isPending} onClick={look}>
      {t("check")}
    </Button>
  );
}
