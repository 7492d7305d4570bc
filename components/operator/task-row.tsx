"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useReasonText } from "@/components/requests/reason-text";
import { Button } from "@/components/ui/button";
import { useFailureText } from "@/components/ui/failure-text";
import { Pill } from "@/components/ui/pill";
import { PointsText } from "@/components/ui/points-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, ColumnHead, Row } from "@/components/ui/table";
import { showToast } from "@/components/ui/toast";
import { useOperatorWrite } from "@/lib/client/operator-write";
import { requestEndpoints, type TaskView } from "@/lib/contract/operator-requests";
import { isTaskOpen } from "@/lib/contract/states";
import { AccountLink } from "./account-link";

const tones = {
  queued: "held",
  running: "held",
  succeeded: "ok",
  failed: "plain",
  cancelled: "plain",
  expired: "plain",
} as const;

export function TaskColumns() {
  const t = useTranslations("operator.tasks");
  return (
    <>
      <ColumnHead>{t("task")}</ColumnHead>
      <ColumnHead>{t("account")}</ColumnHead>
      <ColumnHead>{t("status")}</ColumnHead>
      <ColumnHead>{t("upstream")}</ColumnHead>
      <ColumnHead isNumber>{t("points")}</ColumnHead>
      <ColumnHead>
        <span className="sr-only">{t("check")}</span>
      </ColumnHead>
    </>
  );
}

export function TaskRow({ task }: { task: TaskView }) {
  const t = useTranslations("operator.tasks");
  const reasonText = useReasonText();
  const isOpen = isTaskOpen(task.status);
  return (
    <Row>
      <Cell className="@max-2xl/table:pb-1.5">
        <Link
          href={`/admin/requests?request=${task.id}`}
          prefetch={false}
          className="break-all rounded-sm font-mono text-sm underline decoration-transparent underline-offset-3 hover:decoration-line-strong"
        >
          {task.id}
        </Link>
        <span className="block text-muted text-sm">
          {task.model} · <RelativeTime at={task.createdAt} />
        </span>
      </Cell>
      <Cell label={t("account")} className="text-sm">
        <AccountLink {...task.account} />
      </Cell>
      <Cell label={t("status")}>
        <span className="@max-2xl/table:text-right">
          <Pill tone={tones[task.status]}>{t(`statuses.${task.status}`)}</Pill>
          {task.errorCode ? (
            <span className="mt-1 block wrap-anywhere text-muted text-xs">
              {reasonText(task.errorCode)}
            </span>
          ) : null}
        </span>
      </Cell>
      <Cell label={t("upstream")} className="text-muted text-sm">
        <span className="min-w-0 @max-2xl/table:text-right">
          {task.channel ?? t("notSent")}
          <span className="block text-xs">
            {t("polls", { count: task.polls, failures: task.pollFailures })}
          </span>
        </span>
      </Cell>
      <Cell isNumber label={t("points")}>
        {task.charged === null ? (
          <PointsText value={task.held} className="text-held-ink" />
        ) : (
          <PointsText value={task.charged} />
        )}
      </Cell>
      <Cell className="@2xl/table:text-right">{isOpen ? <CheckTask id={task.id} /> : null}</Cell>
    </Row>
  );
}

function CheckTask({ id }: { id: string }) {
  const t = useTranslations("operator.tasks");
  const failureText = useFailureText();
  const check = useOperatorWrite(requestEndpoints.checkTask);
  const ask = () =>
    check.mutate(
      { id },
      {
        onSuccess: () => showToast(t("checked")),
        onError: (error) => showToast(failureText(error), "bad"),
      },
    );
  return (
    <Button
      size="small"
      isBusy={check.isPending}
      aria-label={t("checkLabel", { id })}
      onClick={ask}
    >
      {t("check")}
    </Button>
  );
}
