import { useTranslations } from "next-intl";
import type { OpenRow } from "@/components/lists/use-open-row";
import { FamilyTag } from "@/components/requests/family-tag";
import { useMadeText } from "@/components/requests/made-text";
import { useReasonText } from "@/components/requests/reason-text";
import type { DenseColumn, DenseRow } from "@/components/ui/dense-table";
import { Pill } from "@/components/ui/pill";
import { PointsText } from "@/components/ui/points-text";
import { RowTime } from "@/components/ui/row-time";
import type { Sorts } from "@/components/ui/use-sorted";
import { findModel } from "@/lib/catalog/models";
import { readPoints } from "@/lib/client/points-display";
import type { TaskView } from "@/lib/contract/operator-requests";
import { isTaskOpen } from "@/lib/contract/states";
import { AccountLink } from "./account-link";
import { CheckTask } from "./check-task";

const tones = {
  queued: "held",
  running: "held",
  succeeded: "ok",
  failed: "plain",
  cancelled: "plain",
  expired: "plain",
} as const;

export const taskLayout =
  "@[44rem]/dense:grid-cols-[6.25rem_minmax(0,1fr)_minmax(0,1fr)_5.5rem_6.5rem] @4xl/dense:grid-cols-[6.25rem_minmax(0,1.6fr)_minmax(0,0.9fr)_minmax(0,1.05fr)_minmax(0,0.8fr)_5.25rem_5.5rem_5.25rem]";

/** By what a list of tasks can be sorted. */
export const taskValues = {
  time: ({ createdAt }: TaskView) => Date.parse(createdAt),
  model: ({ model }: TaskView) => model,
  account: ({ account: { email, id } }: TaskView) => email ?? id,
  upstream: ({ channel }: TaskView) => channel,
  status: ({ status }: TaskView) => status,
  points: ({ charged, held }: TaskView) => {
    const points = charged ?? held;
    return points === null ? null : readPoints(points);
  },
};

/** Without `sort` the list has its own order. */
export function useTaskColumns(
  sort: Sorts<keyof typeof taskValues> = () => ({}),
): readonly DenseColumn[] {
  const t = useTranslations("operator.tasks");
  const entries = useTranslations("entries");
  return [
    { name: entries("time"), place: "wide", ...sort("time") },
    { name: t("task"), place: "head", ...sort("model") },
    { name: t("account"), place: "body", ...sort("account") },
    { name: entries("details"), place: "widest" },
    { name: t("upstream"), place: "widest", ...sort("upstream") },
    { name: t("status"), place: "end", ...sort("status") },
    { name: t("points"), place: "side", isNumber: true, ...sort("points") },
    { name: t("check"), place: "widest", isNameHidden: true, className: "text-right" },
  ];
}

/** A task as a row. `row`: the one whose drawer is open. */
export const taskRow = (task: TaskView, row: OpenRow): DenseRow => ({
  id: task.id,
  href: `/admin/requests?request=${task.id}`,
  onOpen: () => row.open(task.id),
  isOpen: row.id === task.id,
  cells: [
    <RowTime key="time" at={task.createdAt} />,
    <span key="task">
      <FamilyTag family={findModel(task.model)?.family ?? "video"}>{task.model}</FamilyTag>{" "}
      <code className="text-muted text-xs @max-[44rem]/dense:hidden">{task.id}</code>
    </span>,
    <span key="account" className="relative">
      <AccountLink {...task.account} />
    </span>,
    <Details key="details" task={task} />,
    <Upstream key="upstream" task={task} />,
    <Status key="status" task={task} />,
    <TaskPoints key="points" task={task} />,
    isTaskOpen(task.status) ? (
      <span key="check" className="relative">
        <CheckTask id={task.id} />
      </span>
    ) : null,
  ],
});

function TaskPoints({ task: { charged, held } }: { task: TaskView }) {
  const t = useTranslations("operator.tasks");
  const value = charged ?? held;
  if (value === null) return <span className="font-sans text-muted">{t("archived")}</span>;
  return <PointsText value={value} className={charged === null ? "text-held-ink" : undefined} />;
}

function Details({ task }: { task: TaskView }) {
  const madeText = useMadeText();
  const reasonText = useReasonText();
  return (
    <>
      <span className="num">{madeText(task.made)}</span>
      {task.errorCode ? (
        <span className="text-muted">{` · ${reasonText(task.errorCode)}`}</span>
      ) : null}
    </>
  );
}

function Upstream({ task }: { task: TaskView }) {
  const t = useTranslations("operator.tasks");
  const polls = t("polls", { count: task.polls, failures: task.pollFailures });
  return (
    <span className="text-muted" title={polls}>
      {task.channel ?? t("notSent")}
      {task.pollFailures > 0 ? ` · ${polls}` : ""}
    </span>
  );
}

function Status({ task }: { task: TaskView }) {
  const t = useTranslations("operator.tasks");
  return (
    <span className="inline-flex items-center gap-2">
      <span className="text-xs @[44rem]/dense:hidden">
        <RowTime at={task.createdAt} isShort />
      </span>
      <Pill tone={tones[task.status]}>{t(`statuses.${task.status}`)}</Pill>
    </span>
  );
}
